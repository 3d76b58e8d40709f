/** `npm start [-- FILE|URL]`: set-up, wasm module, then a report of the file: schema, columns, first rows. */
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, setupAndBuildWasm } from './build.js'
import { StepError } from './step.js'

/** npm runs this in the package's folder; a path is meant from where npm was called. */
function sourceFromArguments() {
  const given = process.argv[2]
  if (!given) return join(root, 'node_modules/vega-datasets/data/flights-3m.parquet')
  return /^https?:/.test(given) ? given : resolve(process.env.INIT_CWD ?? '.', given)
}

try {
  await setupAndBuildWasm()
  const { report } = await import(pathToFileURL(join(root, 'wasm/report.js')).href)
  await report(sourceFromArguments(), { stdout: process.stdout })
} catch (error) {
  if (error instanceof StepError) console.error(error.message)
  else console.error(error instanceof Error ? `${error.name}: ${error.message}` : error)
  process.exitCode = 1
}
