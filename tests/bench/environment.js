/**
 * What figures depend on: the first thing that the benchmark prints.
 */
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

const PEERS = ['parquet-wasm', 'hyparquet', 'hyparquet-compressors', 'apache-arrow']

/**
 * @typedef {object} Environment
 * @property {string} cpu
 * @property {number} cores that this process may use
 * @property {number} memory in bytes
 * @property {string} system
 * @property {Record<string, string>} versions
 */

/** @returns {Environment} */
export function environment() {
  return {
    cpu: cpuName(),
    cores: availableParallelism(),
    memory: totalmem(),
    system: `${process.platform} ${release()} ${process.arch}`,
    versions: {
      pagelane: versionIn('../../package.json'),
      node: process.versions.node,
      v8: process.versions.v8,
      ...Object.fromEntries(PEERS.map((name) => [name, versionOf(name)])),
    },
  }
}

/**
 * Model name, and on Linux family, model and stepping too: virtual machines like to hide which processor they run on.
 * @returns {string}
 */
function cpuName() {
  const name = cpus()[0]?.model.trim() ?? 'unknown CPU'
  try {
    const info = readFileSync('/proc/cpuinfo', 'utf8')
    const [family, model, stepping] = ['cpu family', 'model', 'stepping'].map(
      (field) => new RegExp(`^${field}\\s*: (.*)$`, 'm').exec(info)?.[1]
    )
    return family === undefined ? name : `${name}, family ${family} model ${model} stepping ${stepping}`
  } catch {
    return name
  }
}

/**
 * Version of an installed package, whether or not it exports its package.json.
 * @param {string} name
 * @returns {string}
 */
export function versionOf(name) {
  return versionIn(`../../node_modules/${name}/package.json`)
}

/**
 * @param {string} path from this file
 * @returns {string}
 */
function versionIn(path) {
  return JSON.parse(readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')).version
}
