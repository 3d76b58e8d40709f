/**
 * RLE / bit-packed hybrid (encoding 3), without a length prefix.
 *
 *   run header even: header >> 1 times the value that follows in ceil(width / 8) bytes
 *   run header odd:  header >> 1 groups of 8 bit-packed values, width bytes a group
 */

import { packBits, unpackBits } from './bitpack.js'
import { ByteReader, ByteWriter, FormatError } from './bytes.js'

const MAX_RUN = 2n ** 31n - 1n

/**
 * How a list of values is cut into runs. `rle: n` takes n equal values, `packed: n` takes n values (the last group is
 * filled up with `padding`, 0 unless given, so anywhere but at the end n must be a multiple of 8).
 * @typedef {{ rle: number } | { packed: number, padding?: number }} Run
 */

/**
 * The layout that most writers choose: runs of 8 or more equal values as RLE, the rest bit-packed in whole groups.
 * @param {(number | bigint)[]} values
 * @returns {Run[]}
 */
export function usualRuns(values) {
  /** @type {Run[]} */
  const runs = []
  let packed = 0
  for (let i = 0; i < values.length; ) {
    let n = 1
    while (i + n < values.length && values[i + n] === values[i]) n++
    const filling = packed % 8 ? 8 - (packed % 8) : 0
    if (n >= filling + 8) {
      packed += filling
      if (packed) runs.push({ packed })
      runs.push({ rle: n - filling })
      packed = 0
    } else {
      packed += n
    }
    i += n
  }
  if (packed) runs.push({ packed })
  return runs
}

/**
 * A random legal layout: packed runs of whole groups wherever they are not last, RLE runs of any length from 1.
 * @param {(number | bigint)[]} values
 * @param {import('./random.js').Random} random
 * @returns {Run[]}
 */
export function randomRuns(values, random) {
  /** @type {Run[]} */
  const runs = []
  for (let i = 0; i < values.length; ) {
    let equal = 1
    while (i + equal < values.length && values[i + equal] === values[i]) equal++
    const groups = 1 + random.below(random.below(4) ? 3 : 20)
    if (equal > 1 ? random.below(3) : random.below(8) === 0) {
      const n = 1 + random.below(equal)
      runs.push({ rle: n })
      i += n
    } else {
      const n = Math.min(8 * groups, values.length - i)
      runs.push({ packed: n })
      i += n
    }
  }
  return runs
}

/**
 * @param {(number | bigint)[]} values
 * @param {number} width 0 to 32
 * @param {Run[]} [runs] must cover the values exactly
 * @returns {Uint8Array}
 */
export function encodeHybrid(values, width, runs = usualRuns(values)) {
  const out = new ByteWriter()
  let at = 0
  for (const run of runs) {
    if ('rle' in run) {
      const value = values[at]
      for (let i = 0; i < run.rle; i++) {
        if (values[at + i] !== value) throw new RangeError('an RLE run over different values')
      }
      out.uleb(2 * run.rle).le(value, Math.ceil(width / 8))
      at += run.rle
    } else {
      const groups = Math.ceil(run.packed / 8)
      const padding = new Array(groups * 8 - run.packed).fill(run.padding ?? 0)
      const packed = values.slice(at, at + run.packed)
      if (packed.length !== run.packed) throw new RangeError('the runs go past the values')
      out.uleb(2 * groups + 1).bytes(packBits([...packed, ...padding], width))
      at += run.packed
    }
  }
  if (at !== values.length) throw new RangeError('the runs do not cover the values')
  return out.finish()
}

/**
 * Exactly n values. What follows the run that holds the last of them is not looked at. A last bit-packed run may be cut
 * behind the values that are needed.
 * @param {Uint8Array} bytes
 * @param {number} width
 * @param {number} n
 * @returns {{ values: number[], used: number }}
 */
export function decodeHybrid(bytes, width, n) {
  if (width > 32) throw new FormatError('BAD_ARGUMENT', `width ${width}`)
  const reader = new ByteReader(bytes)
  /** @type {number[]} */
  const values = []
  while (values.length < n) {
    const header = reader.uleb(32)
    const wanted = n - values.length
    if (header < 2n) throw new FormatError('CORRUPT', 'a run of no values')
    if (header & 1n) {
      const groups = header >> 1n
      if (8n * groups > MAX_RUN) throw new FormatError('CORRUPT', 'a run of more than 2^31 - 1 values')
      const size = Math.min(Number(groups) * width, reader.left())
      const here = Math.min(Number(groups) * 8, wanted)
      for (const value of unpackBits(reader.take(size), width, here)) values.push(Number(value))
    } else {
      const value = reader.le(Math.ceil(width / 8))
      if (value >> BigInt(width)) throw new FormatError('CORRUPT', `a run of a value wider than ${width} bits`)
      const here = Math.min(Number(header >> 1n), wanted)
      for (let i = 0; i < here; i++) values.push(Number(value))
    }
  }
  return { values, used: reader.position }
}

/**
 * The bits that a number up to `maximum` needs.
 * @param {number} maximum
 * @returns {number}
 */
export function widthOf(maximum) {
  return maximum === 0 ? 0 : maximum.toString(2).length
}
