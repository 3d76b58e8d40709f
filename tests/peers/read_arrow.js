/** What tables of apache-arrow hold, in the form of plain.js: from the arrays, since its own getters round. */
import { Type, tableFromIPC } from 'apache-arrow'
import {
  bytesOf,
  dateOf,
  decimalOf,
  halfOf,
  intervalOf,
  Pairs,
  structOf,
  timeOf,
  timestampOf,
} from './plain.js'

const UNITS = /** @type {const} */ (['s', 'ms', 'us', 'ns'])

/**
 * @param {Uint8Array} ipc a stream or file of Arrow
 * @returns {import('./plain.js').PlainColumn[]}
 */
export function columnsOfArrow(ipc) {
  const table = tableFromIPC(ipc)
  return table.schema.fields.map((field, i) => ({
    name: field.name,
    values: table.batches.flatMap((batch) => dataValues(batch.data.children[i])),
  }))
}

/**
 * @param {import('apache-arrow').Data<any>} data
 * @returns {any[]}
 */
function dataValues(data) {
  const value = getterOf(data)
  const { nullBitmap, offset, length } = data
  const nulls = data.typeId === Type.Null ? () => true : bitmapTest(nullBitmap, offset)
  return Array.from({ length }, (_, i) => (nulls(i) ? null : value(i)))
}

/** @param {Uint8Array | undefined} bitmap @param {number} offset @returns {(i: number) => boolean} */
function bitmapTest(bitmap, offset) {
  if (!bitmap?.length) return () => false
  return (i) => ((bitmap[(offset + i) >> 3] >> ((offset + i) & 7)) & 1) === 0
}

/**
 * @param {import('apache-arrow').Data<any>} data
 * @returns {(i: number) => any}
 */
function getterOf(data) {
  const { type, typeId, values, valueOffsets, children, offset } = data
  switch (typeId) {
    case Type.Null:
      return () => null
    case Type.Dictionary: {
      const entries = data.dictionary?.data.flatMap(dataValues) ?? []
      return (i) => entries[Number(values[i])]
    }
    case Type.List: {
      const items = dataValues(children[0])
      return (i) => items.slice(valueOffsets[i], valueOffsets[i + 1])
    }
    case Type.FixedSizeList: {
      const items = dataValues(children[0])
      return (i) => items.slice((offset + i) * type.listSize, (offset + i + 1) * type.listSize)
    }
    case Type.Map: {
      const [keys, items] = children[0].children.map(dataValues)
      return (i) => {
        const [start, end] = [valueOffsets[i], valueOffsets[i + 1]]
        return new Pairs(keys.slice(start, end).map((key, at) => [key, items[start + at]]))
      }
    }
    case Type.Struct: {
      const names = type.children.map((/** @type {any} */ field) => field.name)
      const fields = children.map(dataValues)
      return (i) =>
        structOf(
          names,
          fields.map((field) => field[i])
        )
    }
    default:
      return leafValue(data)
  }
}

/** @param {Uint32Array} words little-endian @param {number} i @param {number} width in words */
function wideInteger(words, i, width) {
  let value = 0n
  for (let at = width - 1; at >= 0; at--) value = (value << 32n) | BigInt(words[i * width + at])
  return BigInt.asIntN(32 * width, value)
}

/**
 * @param {import('apache-arrow').Data<any>} data
 * @returns {(i: number) => any}
 */
function leafValue(data) {
  const { type, typeId, values, valueOffsets, offset } = data
  switch (typeId) {
    case Type.Bool:
      return (i) => ((values[(offset + i) >> 3] >> ((offset + i) & 7)) & 1) === 1
    case Type.Int:
      return (i) => BigInt(values[i])
    case Type.Float:
      return type.precision === 0 ? (i) => halfOf(values[i]) : (i) => values[i]
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.Binary:
    case Type.LargeBinary:
      return (i) => bytesOf(values.subarray(Number(valueOffsets[i]), Number(valueOffsets[i + 1])))
    case Type.FixedSizeBinary:
      return (i) => bytesOf(values.subarray(i * type.byteWidth, (i + 1) * type.byteWidth))
    case Type.Decimal:
      return (i) => decimalOf(wideInteger(values, i, type.bitWidth / 32), type.scale)
    case Type.Date:
      return type.unit === 0 ? (i) => dateOf(values[i]) : (i) => dateOf(BigInt(values[i]) / 86_400_000n)
    case Type.Time:
      return (i) => timeOf(values[i], UNITS[type.unit])
    case Type.Timestamp:
      return (i) => timestampOf(values[i], UNITS[type.unit])
    case Type.Duration:
      return (i) => BigInt(values[i])
    case Type.Interval:
      return intervalValue(data)
    default:
      throw new Error(`no way to compare Arrow's ${type}`)
  }
}

/** @param {import('apache-arrow').Data<any>} data @returns {(i: number) => any} */
function intervalValue({ type, values }) {
  if (type.unit === 0) return (i) => intervalOf(values[i], 0, 0)
  if (type.unit === 1) return (i) => intervalOf(0, values[2 * i], values[2 * i + 1])
  const view = new DataView(values.buffer, values.byteOffset, values.byteLength)
  return (i) =>
    intervalOf(
      view.getInt32(16 * i, true),
      view.getInt32(16 * i + 4, true),
      view.getBigInt64(16 * i + 8, true) / 1_000_000n
    )
}
