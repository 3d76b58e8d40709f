/**
 * Builds what is not up to date: `node .ci/build.js wasm native`.
 *   wasm    build/wasm, and from it wasm/dist, which is what the npm package ships: pagelane.wasm, the same inside a JavaScript
 *           module, and one file for each entry point, because thirty small ones take Node twice as long to load
 *   scalar  build/wasm-scalar: the module for engines without SIMD, next to the other one as pagelane-scalar.wasm
 *   core    build/wasm-core: the module without zstd and gzip, as pagelane-core.wasm
 *   native  build/native: shared and static library
 *   arm     build/arm-gcc: the same for 64-bit ARM, with the C tests
 *   emcc    build/emcc and build/emcc-scalar: the modules as the Emscripten SDK makes them
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { embed } from '../wasm/embed.js'
import { setup } from './setup.js'
import { StepError, step } from './step.js'

export const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'wasm/dist')
const embedSource = join(root, 'wasm/embed.js')

const codecSources = {
  PAGELANE_ZSTD_SOURCE: join(root, 'node_modules/zstd-napi/deps/zstd/lib'),
  PAGELANE_ZLIB_SOURCE: join(root, 'node_modules/zlib-sync/deps/zlib'),
}

/**
 * Configures when the options are not those of the last time, then builds.
 * @param {string} name of the folder below build/
 * @param {Record<string, string>} options for cmake -D
 * @param {{ toolchain?: string, through?: string, env?: Record<string, string>, quick?: boolean }} [how] through: a command
 *   that runs cmake for the configuration
 * @returns {Promise<string>} the folder
 */
export async function cmakeBuild(name, options, how = {}) {
  const folder = join(root, 'build', name)
  const env = { ...process.env, ...how.env }
  const args = ['-S', root, '-B', folder, '-G', 'Ninja']
  if (how.toolchain) args.push('--toolchain', join(root, how.toolchain))
  args.push(...Object.entries(options).map(([key, value]) => `-D${key}=${value}`))
  const key = JSON.stringify([
    how.through ?? '',
    args,
    how.env ?? {},
    process.env.WASI_SDK_PATH ?? '',
    process.env.CC ?? '',
  ])
  const keyFile = join(folder, 'configured-for')
  if (
    !existsSync(join(folder, 'build.ninja')) ||
    !existsSync(keyFile) ||
    readFileSync(keyFile, 'utf8') !== key
  ) {
    rmSync(folder, { recursive: true, force: true })
    const command = how.through ? [how.through, 'cmake', ...args] : ['cmake', ...args]
    await step(`build ${name}: configure`, command[0], command.slice(1), { env, quick: true })
    writeFileSync(keyFile, key)
  }
  await step(`build ${name}`, 'cmake', ['--build', folder], { env, quick: how.quick ?? true })
  return folder
}

/**
 * Writes only what is new, so that nothing that depends on it is made again.
 * @param {string} path
 * @param {Uint8Array | string} content
 */
function writeIfChanged(path, content) {
  const bytes = Buffer.from(content)
  if (!existsSync(path) || !readFileSync(path).equals(bytes)) writeFileSync(path, bytes)
}

/**
 * @param {string} folder of the build
 * @param {string} name of the module in wasm/dist
 */
function publishModule(folder, name) {
  mkdirSync(dist, { recursive: true })
  writeIfChanged(join(dist, name), readFileSync(join(folder, 'pagelane.wasm')))
}

/**
 * The module, and the same inside a JavaScript module.
 * @param {string} folder of the build
 * @param {string} name of the module in wasm/dist
 */
function publishScript(folder, name) {
  publishModule(folder, name)
  const built = join(folder, 'pagelane.wasm')
  const script = join(dist, `${name}.js`)
  const newest = Math.max(statSync(built).mtimeMs, statSync(embedSource).mtimeMs)
  if (existsSync(script) && statSync(script).mtimeMs > newest) return
  writeFileSync(script, embed(readFileSync(built)))
}

/** Brotli's decoder as a script, for pagelane/brotli. */
function publishBrotli() {
  const built = join(root, 'node_modules/brotli-dec-wasm/pkg/brotli_dec_wasm_bg.wasm')
  writeIfChanged(join(dist, 'brotli.wasm.js'), embed(readFileSync(built), 'brotli_dec_wasm_bg.wasm'))
}

/** Entry points that exist, each to become one file of wasm/dist. */
async function bundleEntryPoints() {
  const folder = join(root, 'wasm')
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const names = ['index.js', 'node.js', 'url.js', 'geojson.js', 'brotli.js', 'cli.js']
  const entries = names.filter((name) => scripts.includes(name))
  const inputs = [
    ...scripts.map((name) => join(folder, name)),
    join(dist, 'pagelane.wasm.js'),
    join(dist, 'brotli.wasm.js'),
    fileURLToPath(import.meta.url),
  ]
  const newest = Math.max(...inputs.map((path) => statSync(path).mtimeMs))
  const outputs = entries.map((name) => join(dist, name))
  if (outputs.every((path) => existsSync(path) && statSync(path).mtimeMs > newest)) return
  const esbuild = await import('esbuild')
  // names stay: they stand in stack traces
  const small = { minifyWhitespace: true, minifySyntax: true }
  const common = { bundle: true, format: 'esm', target: 'es2022', outdir: dist, logLevel: 'warning', ...small }
  // From the sources the module lies in dist/, from a bundle it lies beside it.
  const plugins = [
    {
      name: 'places-in-dist',
      setup(/** @type {import('esbuild').PluginBuild} */ build) {
        build.onLoad({ filter: /wasm[\\/](node|url|brotli_loader)\.js$/ }, ({ path }) => ({
          contents: readFileSync(path, 'utf8').replaceAll("'./dist/", "'./"),
        }))
      },
    },
  ]
  for (const platform of ['browser', 'node']) {
    const own = entries.filter((name) => (platform === 'node') === ['node.js', 'cli.js'].includes(name))
    const entryPoints = own.map((name) => join(folder, name))
    await esbuild.build(
      /** @type {import('esbuild').BuildOptions} */ ({ ...common, plugins, platform, entryPoints })
    )
  }
}

export async function buildWasm() {
  const folder = await cmakeBuild(
    'wasm',
    { ...codecSources, PAGELANE_WERROR: 'ON' },
    { toolchain: 'native/cmake/wasm32.cmake' }
  )
  publishScript(folder, 'pagelane.wasm')
  publishBrotli()
  await bundleEntryPoints()
}

export async function buildScalar() {
  const folder = await cmakeBuild(
    'wasm-scalar',
    { ...codecSources, PAGELANE_WASM_SIMD: 'OFF', PAGELANE_WERROR: 'ON' },
    { toolchain: 'native/cmake/wasm32.cmake' }
  )
  publishModule(folder, 'pagelane-scalar.wasm')
}

export async function buildEmcc() {
  for (const [name, simd] of [
    ['emcc', 'ON'],
    ['emcc-scalar', 'OFF'],
  ]) {
    const options = { ...codecSources, PAGELANE_WASM_SIMD: simd, PAGELANE_WERROR: 'ON' }
    await cmakeBuild(name, options, { through: 'emcmake' })
  }
}

export async function buildCore() {
  const folder = await cmakeBuild(
    'wasm-core',
    { PAGELANE_WITH_ZSTD: 'OFF', PAGELANE_WITH_ZLIB: 'OFF', PAGELANE_WERROR: 'ON' },
    { toolchain: 'native/cmake/wasm32.cmake' }
  )
  publishScript(folder, 'pagelane-core.wasm')
}

/** @param {{ tests?: boolean }} [options] */
export async function buildNative({ tests = false } = {}) {
  return await cmakeBuild('native', {
    CMAKE_BUILD_TYPE: 'Release',
    PAGELANE_WERROR: 'ON',
    PAGELANE_TESTS: tests ? 'ON' : 'OFF',
  })
}

/**
 * The tests in tests/c for 64-bit ARM; ctest runs them under qemu.
 * @param {'gcc' | 'clang'} compiler
 */
export async function buildArm(compiler) {
  return await cmakeBuild(
    `arm-${compiler}`,
    {
      ...codecSources,
      CMAKE_C_COMPILER: compiler === 'gcc' ? 'aarch64-linux-gnu-gcc' : 'clang-19',
      PAGELANE_TESTS: 'ON',
      PAGELANE_WERROR: 'ON',
    },
    { toolchain: 'native/cmake/aarch64_linux.cmake' }
  )
}

/**
 * What `npm start` and everything in JavaScript needs. Where the compiler cannot be had, a module that is there already
 * has to do.
 */
export async function setupAndBuildWasm() {
  const missing = await setup(['wasm'])
  if (missing.length === 0) return await buildWasm()
  if (!existsSync(join(dist, 'pagelane.wasm'))) {
    throw new StepError('the wasm module cannot be built without these')
  }
  console.error('build: going on with the wasm module that is there, which may be older than its sources')
}

/** @type {Record<string, { needs: string[], build: () => Promise<unknown> }>} */
const known = {
  wasm: { needs: ['wasm'], build: buildWasm },
  scalar: { needs: ['wasm'], build: buildScalar },
  core: { needs: ['wasm'], build: buildCore },
  native: { needs: ['build'], build: buildNative },
  arm: { needs: ['build', 'arm'], build: () => buildArm('gcc') },
  emcc: { needs: ['build', 'emcc'], build: buildEmcc },
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const targets = process.argv.slice(2)
    for (const target of targets) {
      if (!known[target]) throw new StepError(`no such target: ${target} (${Object.keys(known).join(', ')})`)
    }
    const missing = await setup([...new Set(targets.flatMap((target) => known[target].needs))])
    if (missing.length > 0) throw new StepError('build: stopped, see above')
    for (const target of targets) await known[target].build()
    console.error(`build: ${targets.join(', ')} up to date`)
  } catch (error) {
    console.error(error instanceof StepError ? error.message : error)
    process.exitCode = 1
  }
}
