/**
 * One case of the benchmark in this process: node --expose-gc run_case.js GROUP CASE ROUNDS. Prints its results as JSON
 * lines.
 */
import { groups } from './groups.js'

const [group, name, rounds] = process.argv.slice(2)
const { run } = await groups[group].load()
for (const result of await run(name, Number(rounds))) process.stdout.write(`${JSON.stringify(result)}\n`)
