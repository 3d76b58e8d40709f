/** Checks of what callers give: every complaint names the argument. */
import { badArgument, describe, mustBe } from './errors.js'

/**
 * @param {unknown} options undefined is fine
 * @param {readonly string[]} known names
 * @returns {Record<string, any>}
 */
export function checkOptions(options, known) {
  if (options === undefined) return {}
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw mustBe('options', 'an object', options)
  }
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw badArgument(`options.${name}`, `is no option here; there are ${known.join(', ')}`)
    }
  }
  return options
}

/**
 * @param {unknown} signal
 * @returns {AbortSignal | undefined}
 */
export function checkSignal(signal) {
  if (signal === undefined) return undefined
  const { aborted, addEventListener } = /** @type {Partial<AbortSignal>} */ (signal ?? {})
  if (typeof aborted !== 'boolean' || typeof addEventListener !== 'function') {
    throw mustBe('options.signal', 'an AbortSignal', signal)
  }
  return /** @type {AbortSignal} */ (signal)
}

/**
 * @param {string} argument
 * @param {unknown} value
 * @returns {any} the function, or undefined
 */
export function checkFunction(argument, value) {
  if (value !== undefined && typeof value !== 'function') {
    throw mustBe(argument, 'a function', value)
  }
  return value
}

/**
 * @template {string} T
 * @param {string} argument
 * @param {unknown} value
 * @param {readonly T[]} choices the first is the default
 * @returns {T}
 */
export function checkChoice(argument, value, choices) {
  if (value === undefined) return choices[0]
  if (!choices.includes(/** @type {T} */ (value))) {
    throw badArgument(argument, `must be ${choices.map((c) => `'${c}'`).join(' or ')}, not ${describe(value)}`)
  }
  return /** @type {T} */ (value)
}

/**
 * @param {string} argument
 * @param {unknown} value undefined is false
 * @returns {boolean}
 */
export function checkFlag(argument, value) {
  if (value !== undefined && typeof value !== 'boolean') throw mustBe(argument, 'true or false', value)
  return value === true
}

/**
 * @param {string} argument
 * @param {unknown} value
 * @param {number} end one past the largest
 * @returns {number}
 */
export function checkIndex(argument, value, end) {
  if (!Number.isInteger(value) || Number(value) < 0 || Number(value) >= end) {
    const range = end > 0 ? `must be a whole number from 0 to ${end - 1}` : 'must not be given: there is none'
    throw badArgument(argument, `${range}, not ${describe(value)}`)
  }
  return Number(value)
}

/**
 * @param {unknown} rowGroups
 * @param {number} count row groups of the file
 * @returns {number[]} all, where none are given
 */
export function checkRowGroups(rowGroups, count) {
  if (rowGroups === undefined) return Array.from({ length: count }, (_, i) => i)
  if (!Array.isArray(rowGroups)) throw mustBe('options.rowGroups', 'an array', rowGroups)
  return rowGroups.map((value, i) => {
    const group = checkIndex(`options.rowGroups[${i}]`, value, count)
    if (i > 0 && group <= rowGroups[i - 1]) {
      throw badArgument(`options.rowGroups[${i}]`, 'must be above the one before it')
    }
    return group
  })
}

/**
 * @param {unknown} codecs
 * @param {Record<string, number>} known numbers by name
 * @returns {import('./index.d.ts').Codecs}
 */
export function checkCodecs(codecs, known) {
  if (codecs === undefined) return {}
  if (typeof codecs !== 'object' || codecs === null) {
    throw mustBe('options.codecs', 'an object of functions', codecs)
  }
  for (const [name, decompress] of Object.entries(codecs)) {
    if (!(name in known)) {
      throw badArgument(`options.codecs.${name}`, `is no codec; there are ${Object.keys(known).join(', ')}`)
    }
    checkFunction(`options.codecs.${name}`, decompress)
  }
  return codecs
}

/**
 * @param {string} argument
 * @param {unknown} name
 * @param {Record<string, number>} known
 * @returns {string}
 */
export function checkName(argument, name, known) {
  if (typeof name !== 'string' || !(name in known)) {
    throw mustBe(argument, `one of ${Object.keys(known).join(', ')}`, name)
  }
  return name
}
