/**
 * The lines that the benchmark prints, as JSON and as tables.
 */
import { compare, median } from './rounds.js'

/**
 * One of our arms against one baseline.
 * @typedef {object} Result
 * @property {string} bench group of cases
 * @property {string} case
 * @property {'native' | 'node' | 'addon' | 'chromium'} host
 * @property {string | null} isa instruction set of our kernels
 * @property {'owned' | 'into' | 'view' | null} output
 * @property {string} baseline
 * @property {number} ratio baseline's median ÷ ours: above 1, we are ahead
 * @property {number} spread distance of the quartiles of the ratio, relative to its median
 * @property {'ms' | 'ns' | 'bytes'} unit of `ours` and `theirs`; ns: a value
 * @property {number} ours median
 * @property {number} theirs median
 * @property {number} [faults] minor page faults, median
 * @property {number} [baselineFaults]
 */
/**
 * What all results of a case share.
 * @typedef {Pick<Result, 'bench' | 'case' | 'host' | 'isa'>} CaseOf
 */

/**
 * Every arm of ours against every baseline.
 * @param {CaseOf} place
 * @param {import('./rounds.js').Timing[]} timings
 * @returns {Result[]}
 */
export function resultsOf(place, timings) {
  const measured = timings.map(({ arm, samples }) => ({
    name: arm.name,
    output: arm.output,
    ms: samples.map((sample) => sample.ms),
    faults: median(samples.map((sample) => sample.faults)),
  }))
  const baselines = measured.filter(({ output }) => output === undefined)
  return measured.flatMap(({ output, ms, faults }) =>
    output === undefined
      ? []
      : baselines.map((baseline) => ({
          ...resultOf({ ...place, output, baseline: baseline.name, unit: 'ms' }, ms, baseline.ms),
          faults,
          baselineFaults: baseline.faults,
        }))
  )
}

/**
 * @param {CaseOf & Pick<Result, 'output' | 'baseline' | 'unit'>} place
 * @param {number[]} ours by round
 * @param {number[]} theirs by round
 * @returns {Result}
 */
export function resultOf({ unit, ...place }, ours, theirs) {
  const { ratio, spread } = compare(ours, theirs)
  return {
    ...place,
    ratio: rounded(ratio),
    spread: rounded(spread),
    unit,
    ours: rounded(median(ours)),
    theirs: rounded(median(theirs)),
  }
}

/**
 * @param {number} value
 * @returns {number} with four digits; whole numbers stay as they are
 */
function rounded(value) {
  return Number.isInteger(value) ? value : Number(value.toPrecision(4))
}

/**
 * @param {import('./environment.js').Environment} environment
 * @returns {string}
 */
export function environmentText({ cpu, cores, memory, system, versions }) {
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `${cpu}; ${cores} cores, ${(memory / 2 ** 30).toFixed(1)} GiB; ${system}\n${names.join(', ')}\n`
}

/**
 * @param {Result[]} results of one case
 * @returns {string}
 */
export function tableText(results) {
  const [{ bench, case: name }] = results
  const rows = results.map(
    ({ output, unit, ours, baseline, theirs, ratio, spread, faults, baselineFaults }) => [
      output ?? '',
      amount(ours, unit),
      baseline,
      amount(theirs, unit),
      `${ratio.toFixed(2)}x`,
      `±${(spread * 50).toFixed(0)} %`,
      faults === undefined ? '' : `${faults} / ${baselineFaults}`,
    ]
  )
  const head = [
    'output',
    'pagelane',
    'baseline',
    'its own',
    'ratio',
    'spread',
    rows[0][6] === '' ? '' : 'page faults',
  ]
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)))
  const isText = [true, false, true, false, false, false, false]
  const lines = [head, ...rows].map((row) =>
    row
      .map((cell, column) => (isText[column] ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd()
  )
  return `\n${bench}/${name}\n${lines.map((line) => `  ${line}\n`).join('')}`
}

/**
 * @param {number} value
 * @param {Result['unit']} unit
 * @returns {string}
 */
function amount(value, unit) {
  if (unit === 'ns') return `${value.toFixed(2)} ns`
  if (unit === 'ms') return `${value.toFixed(value < 100 ? 2 : 0)} ms`
  return value < 2 ** 20 ? `${(value / 2 ** 10).toFixed(1)} KiB` : `${(value / 2 ** 20).toFixed(1)} MiB`
}
