/**
 * The wasm module as JavaScript source, for bundles that carry it inside. The 87 commonest byte values become one printable
 * character each and the other 169 two, which leaves the bytes' patterns to the compressor: 4 % more than the module itself
 * after brotli, where base64 costs 40 %. The characters are those that no string, template or HTML page has to escape.
 */

const ALPHABET = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
  .filter((character) => !'"\'`\\$<'.includes(character))
  .join('')
const SINGLES = ALPHABET.length - 2

/**
 * @param {Uint8Array} bytes
 * @param {string} [name] of the file
 * @returns {string} source of a module that exports `wasmBytes()`
 */
export function embed(bytes, name = 'pagelane.wasm') {
  const count = new Uint32Array(256)
  for (const byte of bytes) count[byte]++
  const values = Array.from(count.keys())
  const single = new Set(values.toSorted((a, b) => count[b] - count[a] || a - b).slice(0, SINGLES))
  // Values in ascending order, the singles first: the reader needs to know no more than which they are.
  const order = [
    ...values.filter((value) => single.has(value)),
    ...values.filter((value) => !single.has(value)),
  ]
  /** @type {string[]} */
  const code = []
  order.forEach((value, rank) => {
    const pair = rank - SINGLES
    code[value] =
      pair < 0
        ? ALPHABET[rank]
        : ALPHABET[SINGLES + Math.floor(pair / ALPHABET.length)] + ALPHABET[pair % ALPHABET.length]
  })
  let text = ''
  for (const byte of bytes) text += code[byte]
  const singles = order.slice(0, SINGLES).join()
  return `// Made from ${name} by wasm/embed.js, which describes the text.
const size = ${bytes.length}
const singles = [${singles}]
const text =
  '${text}'

/** @returns {Uint8Array<ArrayBuffer>} the bytes of ${name} */
export function wasmBytes() {
  const rank = new Uint8Array(128)
  for (let c = 32, n = 0; c < 127; c++) if (!'"\\'\`\\\\$<'.includes(String.fromCharCode(c))) rank[c] = n++
  const values = Uint8Array.from(singles)
  const others = Uint8Array.from({ length: 256 }, (_, i) => i).filter((value) => !singles.includes(value))
  const bytes = new Uint8Array(size)
  for (let i = 0, at = 0; i < size; i++) {
    const first = rank[text.charCodeAt(at++)]
    bytes[i] =
      first < ${SINGLES} ? values[first] : others[(first - ${SINGLES}) * ${ALPHABET.length} + rank[text.charCodeAt(at++)]]
  }
  return bytes
}
`
}
