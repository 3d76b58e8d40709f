/**
 * The C library as others get it: installed and found by CMake or by pkg-config, shared and static, and compiled without
 * CMake. Each time the example prints a column, and hyparquet says what has to be printed.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { buildNative } from '../../.ci/build.js'
import { emptyFolder, firstFlights, flights, root, run } from './expected.js'

const example = join(root, 'native/examples/print_column.c')
const rows = await firstFlights(1000)

/** @param {string} program @param {Record<string, string>} [env] */
function checkExample(program, env) {
  for (const column of ['delay', 'distance', 'origin']) {
    const printed = run(program, [flights, column, String(rows.length)], { env })
    assert.equal(printed, rows.map((row) => `${row[column]}\n`).join(''))
  }
}

/**
 * @param {import('node:test').TestContext} t
 * @returns {Promise<{ folder: string, prefix: string }>}
 */
async function install(t) {
  const folder = emptyFolder(t)
  const prefix = join(folder, 'prefix')
  run('cmake', ['--install', await buildNative({ tests: true }), '--prefix', prefix])
  return { folder, prefix }
}

test('installed, found by find_package', async (t) => {
  const { folder, prefix } = await install(t)
  for (const library of ['pagelane', 'pagelane_static']) {
    await t.test(library, () => {
      const build = join(folder, library)
      const options = [`-DCMAKE_PREFIX_PATH=${prefix}`, `-DPAGELANE_LINK=${library}`]
      run('cmake', ['-S', join(root, 'native/examples'), '-B', build, '-G', 'Ninja', ...options])
      run('cmake', ['--build', build])
      checkExample(join(build, 'print_column'))
    })
  }
})

test('installed, found by pkg-config', async (t) => {
  const { folder, prefix } = await install(t)
  const env = { PKG_CONFIG_PATH: join(prefix, 'lib/pkgconfig') }
  const flags = (/** @type {string[]} */ ...args) =>
    run('pkg-config', [...args, 'pagelane'], { env })
      .trim()
      .split(' ')

  await t.test('shared', () => {
    const program = join(folder, 'shared')
    run('cc', [example, '-o', program, ...flags('--cflags', '--libs')])
    checkExample(program, { LD_LIBRARY_PATH: join(prefix, 'lib') })
  })
  await t.test('static', () => {
    const program = join(folder, 'static')
    const libraries = flags('--static', '--libs').map((flag) =>
      flag === '-lpagelane' ? '-l:libpagelane.a' : flag
    )
    run('cc', [example, '-o', program, ...flags('--static', '--cflags'), ...libraries])
    checkExample(program)
  })
})

test('the shared library names its version and shows nothing but the public functions', async (t) => {
  const { prefix } = await install(t)
  const library = join(prefix, 'lib/libpagelane.so')
  assert.match(run('objdump', ['-p', library]), /SONAME\s+libpagelane\.so\.0\.1\n/)
  const exported = run('nm', ['-D', '--defined-only', '--format=just-symbols', library]).trim().split('\n')
  const headers = ['arrow', 'encoding', 'file', 'page', 'status', 'types']
    .map((name) => readFileSync(join(prefix, `include/pagelane/${name}.h`), 'utf8'))
    .join('\n')
  const declared = Array.from(headers.matchAll(/^PL_API [^;]*?\b(pl_\w+)\(/gm), (match) => match[1])
  assert.deepEqual(exported.sort(), declared.sort())
})

test('compiled by cc from the lists of files', async (t) => {
  const folder = emptyFolder(t)
  const files = ['src', 'native'].flatMap((name) =>
    readFileSync(join(root, name, 'sources.txt'), 'utf8')
      .trim()
      .split('\n')
  )
  const options = ['-std=c11', '-O1', '-Wall', '-Wextra', '-Werror', '-Iinclude', '-Isrc']
  await t.test('with codecs', () => {
    const program = join(folder, 'with')
    const codecs = ['-DPAGELANE_WITH_ZSTD', '-DPAGELANE_WITH_ZLIB', '-DPAGELANE_WITH_BROTLI']
    const libraries = ['-lzstd', '-lz', '-lbrotlidec']
    run('cc', [...options, ...codecs, ...files, example, '-o', program, ...libraries], { cwd: root })
    checkExample(program)
  })
  await t.test('without codecs', () => {
    const program = join(folder, 'without')
    run('cc', [...options, ...files, example, '-o', program], { cwd: root })
    assert.throws(() => run(program, [flights, 'delay', '1']), /UNSUPPORTED/)
  })
})
