import { runDoctor } from './run.ts'

const { text, code } = await runDoctor(process.argv.slice(2), process.env)
const output = code === 2 ? process.stderr : process.stdout
// A look that was not waited for may go on, so this is ended once all has been written.
output.write(`${text}\n`, () => process.exit(code))
