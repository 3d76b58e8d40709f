/**
 * What every function of the package throws. `code` is a name of the core's status list (include/pagelane/status.h), or
 * `SOURCE`: the bytes could not be had, or changed while they were read. Cancelling is not an error of this class: it
 * throws the signal's reason, as the platform's own functions do.
 *
 * A wrong argument is always a PagelaneError with the code `BAD_ARGUMENT` whose message begins with the argument's name.
 */
export class PagelaneError extends Error {
  /**
   * The entry points of the package are files that share no code: an error of one is an error of all.
   * @param {unknown} value
   * @returns {boolean}
   */
  static [Symbol.hasInstance](value) {
    return value instanceof Error && value.name === 'PagelaneError'
  }

  /**
   * @param {import('./index.d.ts').ErrorCode} code
   * @param {string} message
   * @param {import('./index.d.ts').ErrorPlace & { status?: number, cause?: unknown }} [place]
   */
  constructor(code, message, place = {}) {
    super(message, 'cause' in place ? { cause: place.cause } : undefined)
    this.name = 'PagelaneError'
    this.code = code
    /** Dotted path of the column, where one is concerned */
    this.column = place.column
    /** Number of the row group, from 0 */
    this.rowGroup = place.rowGroup
    /** Number of the page within its column chunk, from 0, the dictionary page included */
    this.page = place.page
    /** Byte offset, in the file where the bytes come from a file, else in the bytes given */
    this.offset = place.offset
    /** HTTP status, where a server's answer was the fault */
    this.status = place.status
  }
}

/**
 * @param {string} argument name of the argument or option, as the caller wrote it: `options.rows`
 * @param {string} problem what is wrong with it: 'must be …'
 * @param {unknown} [cause]
 * @returns {PagelaneError}
 */
export function badArgument(argument, problem, cause) {
  return new PagelaneError('BAD_ARGUMENT', `${argument} ${problem}`, cause === undefined ? {} : { cause })
}

/**
 * @param {string} argument
 * @param {string} what it has to be: 'an array'
 * @param {unknown} value what it is
 * @returns {PagelaneError}
 */
export function mustBe(argument, what, value) {
  return badArgument(argument, `must be ${what}, not ${describe(value)}`)
}

/**
 * @param {string} argument
 * @param {unknown} name
 * @param {string} what the names there are belong to
 * @param {string[]} names of which a few are listed
 * @returns {PagelaneError}
 */
export function notThere(argument, name, what, names) {
  const list = names.slice(0, 8).map(describe)
  if (names.length > list.length) list.push('…')
  return badArgument(argument, `is ${describe(name)}; ${what} are ${list.join(', ')}`)
}

/**
 * @param {string} message
 * @param {{ status?: number, offset?: number, cause?: unknown }} [place]
 * @returns {PagelaneError}
 */
export function sourceError(message, place) {
  return new PagelaneError('SOURCE', message, place)
}

/**
 * @param {unknown} cause
 * @returns {string}
 */
export function messageOf(cause) {
  return cause instanceof Error ? cause.message : String(cause)
}

/**
 * A value in an error message: short, on one line, no control characters.
 * @param {unknown} value
 * @returns {string}
 */
export function describe(value) {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)
    case 'bigint':
      return `${value}n`
    case 'object':
      return `an object of type ${className(value)}`
    case 'function':
      return 'a function'
    default:
      return String(value)
  }
}

/**
 * @param {object} value
 * @returns {string}
 */
function className(value) {
  const name = value.constructor?.name
  return typeof name === 'string' && name !== '' ? name : 'Object'
}
