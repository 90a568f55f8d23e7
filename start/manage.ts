import { browser } from './browse.ts'
import { manage } from './manage/manage-run.ts'

/** `plinth projects list` and its siblings: what the Management API does, typed. */
process.exitCode = await manage(process.argv.slice(2), {
  environment: process.env,
  say: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  browse: browser(process.env),
})
