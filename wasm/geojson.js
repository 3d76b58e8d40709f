/**
 * `pagelane/geojson`: well-known binary, as GEOMETRY and GEOGRAPHY columns hold it, to GeoJSON.
 *
 * Both ways of saying what a geometry is are read: ISO's codes (1001: point with Z) and the flags of EWKB, with or without an
 * SRID, in either byte order. Positions are [x, y] or [x, y, z]; M has no place in GeoJSON. Coordinates and the order of rings
 * stay as they are. Sources: OGC 06-103r4 (Simple Features, part 1), section 8; RFC 7946.
 */
import { badArgument, mustBe, notThere, PagelaneError } from './errors.js'
import { uniqueNames } from './table.js'

/** @typedef {import('./index.d.ts').Table<any>} Table */
/** @typedef {import('./index.d.ts').Column<any>} Column */
/** @typedef {import('./geojson.d.ts').Geometry} Geometry */

/**
 * By code; those that hold geometries hold them of the code in `of`, or of any.
 * @type {Record<number, { type: string, of?: number }>}
 */
const TYPES = {
  1: { type: 'Point' },
  2: { type: 'LineString' },
  3: { type: 'Polygon' },
  4: { type: 'MultiPoint', of: 1 },
  5: { type: 'MultiLineString', of: 2 },
  6: { type: 'MultiPolygon', of: 3 },
  7: { type: 'GeometryCollection', of: 0 },
}
const MAX_DEPTH = 100

/**
 * @param {Uint8Array} wkb
 * @returns {Geometry}
 */
export function toGeoJSON(wkb) {
  if (!(wkb instanceof Uint8Array)) throw mustBe('wkb', 'a Uint8Array', wkb)
  const reader = new Reader(wkb)
  const geometry = reader.geometry(0, 0)
  if (reader.left > 0) throw reader.corrupt('bytes after the geometry')
  return geometry
}

/** Stands before the next byte. No count is believed before the bytes for it are there. */
class Reader {
  #view
  #at = 0
  #little = true
  /* numbers of a position, and those of them that GeoJSON has */
  #stride = 2
  #kept = 2

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get left() {
    return this.#view.byteLength - this.#at
  }

  /**
   * @param {number} expected code of the type that it has to be; 0: any
   * @param {number} depth
   * @returns {any}
   */
  geometry(expected, depth) {
    const code = this.#header()
    const known = TYPES[code]
    if (known === undefined)
      throw new PagelaneError('UNSUPPORTED', `geometry of type ${code}`, { offset: this.#at })
    if (expected !== 0 && code !== expected)
      throw this.corrupt(`a ${known.type} in a Multi${TYPES[expected].type}`)
    const { type, of } = known
    if (of === undefined) return { type, coordinates: this.#coordinates(code) }
    if (depth === MAX_DEPTH) throw new PagelaneError('LIMIT', `geometries nested deeper than ${MAX_DEPTH}`)
    // the shortest has a header and a count
    const geometries = this.#list(9, () => this.geometry(of, depth + 1))
    if (of === 0) return { type, geometries }
    return { type, coordinates: geometries.map(({ coordinates }) => coordinates) }
  }

  /** @returns {number} code of the type, without its dimensions */
  #header() {
    this.#need(5)
    const order = this.#view.getUint8(this.#at++)
    if (order > 1) throw this.corrupt(`byte order ${order}`)
    this.#little = order === 1
    const word = this.#uint32()
    if (word & 0x20000000) {
      this.#need(4)
      this.#at += 4
    }
    const code = word & 0x1fffffff
    const dimensions = Math.floor(code / 1000)
    if (dimensions > 3) throw new PagelaneError('UNSUPPORTED', `geometry of type ${code}`, { offset: this.#at })
    const hasZ = (word & 0x80000000) !== 0 || (dimensions & 1) === 1
    const hasM = (word & 0x40000000) !== 0 || dimensions >= 2
    this.#kept = hasZ ? 3 : 2
    this.#stride = this.#kept + (hasM ? 1 : 0)
    return code % 1000
  }

  /**
   * @param {number} code 1 to 3
   * @returns {any[]}
   */
  #coordinates(code) {
    if (code === 2) return this.#positions()
    if (code === 3) return this.#list(4, () => this.#positions())
    this.#need(8 * this.#stride)
    const position = this.#position()
    // that is how an empty point is written
    return position.every(Number.isNaN) ? [] : position
  }

  /** @returns {number[][]} */
  #positions() {
    return this.#list(8 * this.#stride, () => this.#position())
  }

  /** @returns {number[]} */
  #position() {
    const position = []
    for (let i = 0; i < this.#kept; i++) position.push(this.#view.getFloat64(this.#at + 8 * i, this.#little))
    this.#at += 8 * this.#stride
    return position
  }

  /**
   * @template T
   * @param {number} size bytes of an element, at least
   * @param {() => T} next
   * @returns {T[]}
   */
  #list(size, next) {
    this.#need(4)
    const count = this.#uint32()
    this.#need(count * size)
    const list = []
    for (let i = 0; i < count; i++) list.push(next())
    return list
  }

  #uint32() {
    const value = this.#view.getUint32(this.#at, this.#little)
    this.#at += 4
    return value
  }

  /** @param {number} size */
  #need(size) {
    if (size > this.left) throw this.corrupt('cut short')
  }

  /**
   * @param {string} what
   * @returns {PagelaneError}
   */
  corrupt(what) {
    return new PagelaneError('CORRUPT', `well-known binary: ${what}`, { offset: this.#at })
  }
}

/**
 * @param {Table} table
 * @param {{ geometry?: string, properties?: readonly string[] }} [options]
 * @returns {import('./geojson.d.ts').FeatureCollection}
 */
export function toFeatureCollection(table, { geometry, properties } = {}) {
  const shapes = geometryColumn(table, geometry)
  const columns =
    properties === undefined
      ? table.columns.filter((column) => column !== shapes)
      : properties.map((name) => table.column(name))
  const names = uniqueNames(columns.map((column) => column.name))
  const features = Array.from({ length: table.numRows }, (_, row) => {
    const wkb = shapes.get(row)
    return {
      type: /** @type {const} */ ('Feature'),
      geometry: wkb === null ? null : toGeoJSON(wkb),
      properties: Object.fromEntries(columns.map((column, i) => [names[i], jsonValue(column.get(row))])),
    }
  })
  return { type: 'FeatureCollection', features }
}

/**
 * @param {Table} table
 * @param {string | undefined} name
 * @returns {Column}
 */
function geometryColumn(table, name) {
  if (name !== undefined) return table.column(name)
  const found = table.columns.filter(({ kind }) => kind === 'geometry' || kind === 'geography')
  if (found.length === 1) return found[0]
  const names = (found.length === 0 ? table.columns : found).map((column) => column.name)
  if (found.length === 0)
    throw notThere('options.geometry', name, 'no column is a geometry; its columns', names)
  throw badArgument('options.geometry', `must name one of ${names.join(', ')}`)
}

/**
 * What JSON has no form for: integers that are not exact as numbers and the like become text, bytes hex digits, Maps objects.
 * @param {any} value
 * @returns {any}
 */
function jsonValue(value) {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array)
    return Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('')
  if (Array.isArray(value)) return value.map(jsonValue)
  const entries = value instanceof Map ? value.entries() : Object.entries(value)
  return Object.fromEntries(Array.from(entries, ([key, each]) => [String(jsonValue(key)), jsonValue(each)]))
}
