/** Bitmaps against a bit at a time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copyBits, setBits } from '../../wasm/bits.js'

const bitOf = (/** @type {Uint8Array} */ bitmap, /** @type {number} */ i) => (bitmap[i >> 3] >> (i & 7)) & 1

test('setBits sets these bits and no others', () => {
  for (let at = 0; at < 20; at++) {
    for (let n = 0; n < 40; n++) {
      const bitmap = new Uint8Array(9)
      setBits(bitmap, at, n)
      for (let i = 0; i < 72; i++)
        assert.equal(bitOf(bitmap, i), Number(i >= at && i < at + n), `${at}+${n}: ${i}`)
    }
  }
})

test('copyBits copies these bits and no others, at any position', () => {
  const source = Uint8Array.of(0xff, 0xb5, 0x93, 0x0f, 0xe1, 0xff, 0xff)
  for (let at = 0; at < 20; at++) {
    for (let n = 0; n < 40; n++) {
      const target = new Uint8Array(9)
      setBits(target, 0, at)
      copyBits(target, at, source, 1, n)
      for (let i = 0; i < 72; i++) {
        const expected = i < at ? 1 : i < at + n ? bitOf(source, i - at + 8) : 0
        assert.equal(bitOf(target, i), expected, `${at}+${n}: ${i}`)
      }
    }
  }
})
