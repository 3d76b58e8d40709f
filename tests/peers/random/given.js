/** Random values as `get(i)` and rows have to give them. */
import { decimalOf } from '../plain.js'

/** @typedef {import('./types.js').Type} Type */

const DIGITS = { s: 0, ms: 3, us: 6, ns: 9 }

/** @param {bigint} count @param {'s' | 'ms' | 'us' | 'ns'} unit @returns {string} */
function timeText(count, unit) {
  const second = 10n ** BigInt(DIGITS[unit])
  const seconds = Number(count / second)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const fraction = String(count % second).padStart(DIGITS[unit], '0')
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')}.${fraction}`
}

/** @param {bigint} count @param {'s' | 'ms' | 'us' | 'ns'} unit @returns {Date} the millisecond that it is in */
function dateOf(count, unit) {
  const [numerator, denominator] = { s: [1000n, 1n], ms: [1n, 1n], us: [1n, 1000n], ns: [1n, 1_000_000n] }[unit]
  const scaled = count * numerator
  const rest = ((scaled % denominator) + denominator) % denominator
  return new Date(Number((scaled - rest) / denominator))
}

/**
 * @param {Type} type
 * @param {any} value
 * @returns {any}
 */
export function toGiven(type, value) {
  if (value === null) return null
  const { unit = 'ms' } = type
  switch (type.kind) {
    case 'int':
      return type.bits === 64 ? value : Number(value)
    case 'uuid':
      return Buffer.from(value)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    case 'decimal':
      return decimalOf(value, type.scale ?? 0).text.slice('decimal '.length)
    case 'date':
      return new Date(Number(value) * 86_400_000)
    case 'time':
      return timeText(value, unit)
    case 'timestamp':
      return dateOf(value, unit)
    case 'interval':
      return { months: value[0], days: value[1], milliseconds: value[2] }
    case 'list':
      return value.map((/** @type {any} */ item) => toGiven(/** @type {Type} */ (type.element), item))
    case 'map':
      return new Map(
        value.map((/** @type {[any, any]} */ [key, item]) => [
          toGiven(/** @type {Type} */ (type.key), key),
          toGiven(/** @type {Type} */ (type.value), item),
        ])
      )
    case 'struct':
      return Object.fromEntries(
        (type.fields ?? []).map((field) => [field.name, toGiven(field.type, value[field.name])])
      )
    default:
      return value
  }
}
