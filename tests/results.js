/** Counts of test results, taken from what test programs print. */

/** @typedef {{ passed: number, failed: number, skipped: number, reasons: string[], digests: string[] }} Counts */

/** @returns {Counts} */
export function noCounts() {
  return { passed: 0, failed: 0, skipped: 0, reasons: [], digests: [] }
}

/**
 * @param {Counts} total changed
 * @param {Counts} more
 */
export function addCounts(total, more) {
  total.passed += more.passed
  total.failed += more.failed
  total.skipped += more.skipped
  total.reasons.push(...more.reasons)
  total.digests.push(...more.digests)
}

/** @param {string} output */
const digestsIn = (output) => Array.from(output.matchAll(/digest: ([0-9a-f]{64})/g), (match) => match[1])

/** @param {string} output @param {RegExp} pattern whose first group is a number */
const sum = (output, pattern) =>
  Array.from(output.matchAll(pattern)).reduce((n, match) => n + Number(match[1]), 0)

/**
 * The TAP of `node --test`: its closing lines count every test, inner ones too.
 * @param {string} tap
 * @returns {Counts}
 */
export function countTap(tap) {
  const counts = noCounts()
  counts.passed = sum(tap, /^# pass (\d+)$/gm)
  counts.failed = sum(tap, /^# fail (\d+)$/gm) + sum(tap, /^# cancelled (\d+)$/gm)
  counts.skipped = sum(tap, /^# skipped (\d+)$/gm) + sum(tap, /^# todo (\d+)$/gm)
  counts.reasons = Array.from(
    tap.matchAll(/^\s*ok \d+ - (.*?) # (?:SKIP|TODO) ?(.*)$/gm),
    ([, name, why]) => why || name
  )
  counts.digests = digestsIn(tap)
  return counts
}

/**
 * The log of ctest, which holds the output of every program. A program is counted by the closing lines of cmocka or of the
 * vector suite's runner, by a line 'N passed, N failed, N skipped', or else as one test. Why something was skipped is told by lines 'skipped: ...'.
 * @param {string} log
 * @returns {Counts}
 */
export function countCtest(log) {
  const counts = noCounts()
  for (const block of log.split(/^\d+\/\d+ Testing: /m).slice(1)) {
    const one = countProgram(block)
    if (/^Test Failed\.$|^Test not run/m.test(block) && one.failed === 0) one.failed = 1
    addCounts(counts, one)
  }
  return counts
}

/** @param {string} output @returns {Counts} */
function countProgram(output) {
  const counts = noCounts()
  counts.reasons = Array.from(output.matchAll(/^\s*skipped: (.+)$/gm), (match) => match[1])
  counts.digests = digestsIn(output)
  const suite = Array.from(output.matchAll(/^(\d+) cases .*, (\d+) failed$/gm))
  const plain = Array.from(output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm))
  if (/^\[==========\]/m.test(output)) {
    counts.passed = sum(output, /^\[ {2}PASSED {2}\] (\d+) test/gm)
    counts.failed = sum(output, /^\[ {2}FAILED {2}\] (\d+) test/gm)
    counts.skipped = sum(output, /^\[ {2}SKIPPED \] (\d+) test/gm)
  } else if (suite.length > 0) {
    for (const [, cases, failed] of suite) {
      counts.passed += Number(cases) - Number(failed)
      counts.failed += Number(failed)
    }
  } else if (plain.length > 0) {
    for (const [, passed, failed, skipped] of plain) {
      counts.passed += Number(passed)
      counts.failed += Number(failed)
      counts.skipped += Number(skipped ?? 0)
    }
  } else if (/^Test Passed\.$/m.test(output)) {
    // ctest logs a program that says it skips (exit code 77) as passed too.
    if (counts.reasons.length > 0) counts.skipped = 1
    else counts.passed = 1
  }
  return counts
}
