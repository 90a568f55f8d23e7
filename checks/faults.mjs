// `npm run test:faults`: what kills, crashes and breaks off, with every place and all rounds. `npm test` tells each of these
// stories once. PLINTH_FAULTS=<number> sets the rounds, and what follows the command goes to the runner.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildIfStale } from '../start/build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
await buildIfStale()
const { status } = spawnSync(
  process.execPath,
  [
    `${root}node_modules/vitest/vitest.mjs`,
    'run',
    'faults',
    'crash',
    'kills',
    'promote',
    'fuzz',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit', env: { PLINTH_FAULTS: 'all', ...process.env } },
)
process.exit(status ?? 1)
