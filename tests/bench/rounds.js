/**
 * Runs several ways to do the same thing ("arms") in turn, round by round, so that whatever disturbs the machine disturbs
 * all of them, and compares them round by round.
 */

/**
 * A column of an arm's result: stored values, null for null.
 * @typedef {Record<string, { length: number, at: (i: number) => unknown }>} Columns
 */
/**
 * @typedef {object} Arm
 * @property {string} name
 * @property {'owned' | 'into' | 'view'} [output] of our own arms; the others are baselines
 * @property {() => unknown} run what is timed; a promise is awaited, the result is dropped
 * @property {() => Columns | Promise<Columns>} [columns] the same result, to be compared with the other arms'
 */
/**
 * @typedef {object} Sample
 * @property {number} ms
 * @property {number} faults pages of memory that the kernel had to map, each about a microsecond or two
 */
/**
 * @typedef {object} Timing
 * @property {Arm} arm
 * @property {Sample[]} samples by round
 */

/* Before the first round each arm runs this often, or this long: engines compile what is hot in steps. */
const WARM_UP_RUNS = 40
const WARM_UP_MS = 400

/**
 * @param {Arm[]} arms
 * @param {number} rounds
 * @returns {Promise<Timing[]>}
 */
export async function runRounds(arms, rounds) {
  const timings = arms.map((arm) => ({ arm, samples: /** @type {Sample[]} */ ([]) }))
  for (const arm of arms) await warmUp(arm)
  for (let round = 0; round < rounds; round++) {
    for (const { arm, samples } of shuffled(timings, round)) samples.push(await time(arm))
  }
  return timings
}

/** @param {Arm} arm */
async function warmUp(arm) {
  const start = performance.now()
  for (let run = 0; run < 2 || (run < WARM_UP_RUNS && performance.now() - start < WARM_UP_MS); run++)
    await arm.run()
}

/**
 * @param {Arm} arm
 * @returns {Promise<Sample>}
 */
async function time(arm) {
  const collect = globalThis.gc
  if (collect === undefined) throw new Error('run with --expose-gc')
  // the second collection waits for what the first one only began: giving large buffers back
  collect()
  collect()
  const faults = process.resourceUsage().minorPageFault
  const start = performance.now()
  await arm.run()
  const ms = performance.now() - start
  return { ms, faults: process.resourceUsage().minorPageFault - faults }
}

/**
 * Another order each round, the same in every run: whether a fresh buffer costs page faults depends on what the arm before
 * gave back.
 * @template T
 * @param {T[]} list
 * @param {number} round
 * @returns {T[]}
 */
function shuffled(list, round) {
  const order = [...list]
  let state = ((round + 1) * 0x9e3779b1) >>> 0
  for (let i = order.length - 1; i > 0; i--) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0
    const j = (state >>> 8) % (i + 1)
    ;[order[i], order[j]] = [order[j], order[i]]
  }
  return order
}

/**
 * @param {number[]} numbers
 * @param {number} share 0.5 for the median
 * @returns {number} between neighbours, linearly
 */
export function quantile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const below = Math.floor(at)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below] + (sorted[above] - sorted[below]) * (at - below)
}

/**
 * @param {number[]} numbers
 * @returns {number}
 */
export function median(numbers) {
  return quantile(numbers, 0.5)
}

/**
 * How far the quartiles stand apart, relative to the median.
 * @param {number[]} numbers
 * @returns {number}
 */
export function spreadOf(numbers) {
  return (quantile(numbers, 0.75) - quantile(numbers, 0.25)) / median(numbers)
}

/**
 * @param {number[]} ours measurements by round; smaller is better
 * @param {number[]} baseline
 * @returns {{ ratio: number, spread: number }} ratio of the medians, spread of the rounds' ratios
 */
export function compare(ours, baseline) {
  return {
    ratio: median(baseline) / median(ours),
    spread: spreadOf(baseline.map((value, round) => value / ours[round])),
  }
}

/**
 * Throws unless all arms give the same columns, value for value.
 * @param {Arm[]} arms
 */
export async function checkSameResults(arms) {
  /** @type {{ name: string, columns: Columns } | undefined} */
  let first
  for (const { name, columns: read } of arms) {
    if (read === undefined) continue
    const columns = await read()
    if (first === undefined) {
      first = { name, columns }
    } else {
      const difference = firstDifference(first.columns, columns)
      if (difference !== undefined) throw new Error(`${first.name} and ${name} differ: ${difference}`)
    }
  }
}

/**
 * @param {Columns} a
 * @param {Columns} b
 * @returns {string | undefined}
 */
function firstDifference(a, b) {
  const names = Object.keys(a)
  if (names.join() !== Object.keys(b).join()) return `columns ${names} and ${Object.keys(b)}`
  for (const name of names) {
    const { length, at } = a[name]
    if (length !== b[name].length) return `column ${name}: ${length} and ${b[name].length} rows`
    for (let i = 0; i < length; i++) {
      const [x, y] = [at(i), b[name].at(i)]
      if (x !== y && !Object.is(x, y)) return `column ${name}, row ${i}: ${x} and ${y}`
    }
  }
  return undefined
}
