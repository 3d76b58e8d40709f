#!/usr/bin/env node
/**
 * Writes values.txt, values.bin, pages.txt and pages.bin, always the same bytes. With --check: compares with what is
 * there and fails where it differs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { alpPageCases, alpValueCases, malformedAlpCases } from './cases/alp.js'
import { bitPackedLevelCases, malformedBitPackedLevelCases } from './cases/bit_packed_levels.js'
import { deltaCases } from './cases/delta.js'
import { deltaStringCases, malformedStringCases } from './cases/delta_strings.js'
import { dictionaryCases } from './cases/dictionary.js'
import { layoutCases } from './cases/layout.js'
import { lz4Cases, malformedLz4Cases } from './cases/lz4.js'
import { codecCases } from './cases/malformed_codecs.js'
import { dictionaryCases as malformedDictionaryCases } from './cases/malformed_dictionary.js'
import { cutCases, headerCases } from './cases/malformed_headers.js'
import { nestingCases as malformedNestingCases } from './cases/malformed_nesting.js'
import {
  levelCases,
  deltaCases as malformedDeltaCases,
  plainCases,
  repetitionCases,
} from './cases/malformed_values.js'
import { nestingCases } from './cases/nesting.js'
import { nestingPageCases } from './cases/nesting_pages.js'
import { pageCases } from './cases/pages.js'
import { malformedSplitCases, splitPageCases, splitValueCases } from './cases/splits.js'
import { bitPackedCases, hybridCases } from './cases/values.js'
import { Suite } from './suite.js'

/** @type {Record<string, ((suite: Suite) => void)[]>} */
const PARTS = {
  values: [bitPackedCases, hybridCases, deltaCases, splitValueCases, alpValueCases],
  pages: [
    pageCases,
    dictionaryCases,
    deltaStringCases,
    splitPageCases,
    alpPageCases,
    bitPackedLevelCases,
    layoutCases,
    lz4Cases,
    nestingCases,
    nestingPageCases,
    cutCases,
    headerCases,
    levelCases,
    repetitionCases,
    malformedNestingCases,
    plainCases,
    malformedDeltaCases,
    malformedStringCases,
    malformedSplitCases,
    malformedAlpCases,
    malformedBitPackedLevelCases,
    malformedDictionaryCases,
    codecCases,
    malformedLz4Cases,
  ],
}

/** @returns {{ name: string, manifest: string, bytes: Uint8Array, count: number }[]} */
export function generate() {
  return Object.entries(PARTS).map(([name, parts]) => {
    const suite = new Suite()
    for (const add of parts) add(suite)
    return { name, ...suite.finish('Written by generate.js; README.md describes it.'), count: suite.count }
  })
}

/**
 * @param {string} name
 */
const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url))

/** @returns {string[]} the files that differ from what generate() gives */
export function outdated() {
  return generate().flatMap(({ name, manifest, bytes }) => [
    ...(readFileSync(pathOf(`${name}.txt`), 'utf8') === manifest ? [] : [`${name}.txt`]),
    ...(readFileSync(pathOf(`${name}.bin`)).equals(bytes) ? [] : [`${name}.bin`]),
  ])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const files = outdated()
    console.log(files.length ? `not what generate.js gives: ${files.join(', ')}` : 'the suite is up to date')
    process.exitCode = files.length ? 1 : 0
  } else {
    for (const { name, manifest, bytes, count } of generate()) {
      writeFileSync(pathOf(`${name}.txt`), manifest)
      writeFileSync(pathOf(`${name}.bin`), bytes)
      console.log(`${name}: ${count} cases, ${manifest.length} + ${bytes.length} bytes`)
    }
  }
}
