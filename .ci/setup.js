/**
 * Brings onto the machine what a purpose needs and what is not there yet: `node .ci/setup.js build test`. As root it installs
 * Debian packages with apt; otherwise it says what is missing and goes on with the rest. The lists below are the only place
 * where needs are written down.
 */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StepError, step } from './step.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Debian packages, each with the command by which it also counts as there when it came another way ('' for packages without
 * one). `wasm` is the part of `build` that `npm start` needs.
 * @type {Record<string, [name: string, command: string][]>}
 */
const packages = {
  wasm: [
    ['clang-19', 'clang-19'],
    ['lld-19', 'wasm-ld-19'],
    ['llvm-19', 'llvm-ar-19'],
    ['wasi-libc', ''],
    ['libclang-rt-19-dev-wasm32', ''],
    ['cmake', 'cmake'],
    ['ninja-build', 'ninja'],
  ],
  native: [
    ['pkg-config', 'pkg-config'],
    ['gcc', 'cc'],
    ['libc6-dev', ''],
    ['libzstd-dev', ''],
    ['zlib1g-dev', ''],
    ['libbrotli-dev', ''],
  ],
  test: [
    ['libcmocka-dev', ''],
    ['chromium', 'chromium'],
    ['libclang-rt-19-dev', ''],
    ['clang-format-19', 'clang-format-19'],
  ],
  more: [['python3-venv', '']],
  arm:
    process.arch === 'arm64'
      ? []
      : [
          ['gcc-aarch64-linux-gnu', 'aarch64-linux-gnu-gcc'],
          ['libc6-dev-arm64-cross', ''],
          ['qemu-user', 'qemu-aarch64'],
        ],
  emcc: [['emscripten', 'emcmake']],
}

/** What a wasi-sdk brings itself, so that these are not needed for the wasm module when WASI_SDK_PATH is set. */
const fromWasiSdk = ['clang-19', 'lld-19', 'llvm-19', 'wasi-libc', 'libclang-rt-19-dev-wasm32']

/** Purposes as they are asked for, as lists of packages. */
const purposes = {
  wasm: ['wasm'],
  build: ['wasm', 'native'],
  test: ['test'],
  more: ['more', 'arm', 'emcc'],
  arm: ['arm'],
  emcc: ['emcc'],
}

/** @param {string} command */
export function onPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/**
 * @param {string[]} wanted purposes
 * @returns {string[]} names of packages
 */
export function missingPackages(wanted) {
  const known = /** @type {Record<string, string[]>} */ (purposes)
  const needs = wanted.flatMap((purpose) => {
    if (!known[purpose])
      throw new StepError(`no such purpose: ${purpose} (${Object.keys(purposes).join(', ')})`)
    return known[purpose].flatMap((list) => packages[list])
  })
  const sdk = process.env.WASI_SDK_PATH
  if (sdk && !existsSync(join(sdk, 'bin/clang'))) throw new StepError(`WASI_SDK_PATH: no bin/clang in ${sdk}`)
  // The sanitizer builds and the tests' second compiler are clang's, whatever builds the wasm module.
  const skip = sdk && !wanted.includes('test') ? fromWasiSdk : []
  const candidates = needs.filter(([name]) => !skip.includes(name))
  const query = spawnSync(
    'dpkg-query',
    ['-W', '-f', '${Package} ${db:Status-Status}\\n', ...candidates.map(([name]) => name)],
    { encoding: 'utf8' }
  )
  const dpkg = !query.error
  const installed = new Set(
    (query.stdout ?? '')
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0])
  )
  return candidates
    .filter(([name, command]) => !installed.has(name) && !(command ? onPath(command) : !dpkg))
    .map(([name]) => name)
}

/** @returns {boolean} whether node_modules holds what package-lock.json says */
function npmPackagesAreThere() {
  try {
    const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
    const there = JSON.parse(readFileSync(join(root, 'node_modules/.package-lock.json'), 'utf8')).packages
    return Object.entries(wanted).every(
      ([path, entry]) => path === '' || (there[path] ? there[path].version === entry.version : entry.optional)
    )
  } catch {
    return false
  }
}

/**
 * @param {string[]} wanted purposes
 * @returns {Promise<string[]>} Debian packages that are still missing
 */
export async function setup(wanted) {
  const [major] = process.versions.node.split('.').map(Number)
  if (major < 20) throw new StepError(`Node 20 or newer is needed; this is ${process.version}`)

  let missing = missingPackages(wanted)
  const canInstall = process.getuid?.() === 0 && onPath('apt-get')
  if (missing.length > 0 && canInstall) {
    const apt = ['-o', 'DPkg::Lock::Timeout=300', '-y']
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    console.error(`set-up: missing: ${missing.join(' ')}`)
    await step('set-up: list of Debian packages', 'apt-get', [...apt, 'update'], { env })
    await step(
      `set-up: ${missing.length} Debian packages`,
      'apt-get',
      [...apt, 'install', '--no-install-recommends', ...missing],
      { env }
    )
    missing = []
  } else if (missing.length > 0) {
    console.error(`set-up: not installed: ${missing.join(' ')}`)
    console.error(
      `set-up: on Debian or Ubuntu: sudo apt-get update && sudo apt-get install ${missing.join(' ')}`
    )
    if (missing.includes('clang-19')) {
      console.error('set-up: or point WASI_SDK_PATH to a wasi-sdk, which holds all that the wasm module needs')
    }
  }
  if (!npmPackagesAreThere()) {
    await step('set-up: npm packages', 'npm', ['ci', '--no-audit', '--no-fund'], { cwd: root })
  }
  return missing
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const missing = await setup(process.argv.length > 2 ? process.argv.slice(2) : ['build', 'test'])
    process.exitCode = missing.length > 0 ? 1 : 0
  } catch (error) {
    console.error(error instanceof StepError ? error.message : error)
    process.exitCode = 1
  }
}
