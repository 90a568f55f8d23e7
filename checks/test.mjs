// `npm test`: everything a release needs, browser included. Prints last: N passed, N failed.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildIfStale } from '../start/build.mjs'
import { findChromium } from './chromium.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const results = `${root}test-output/results.json`
mkdirSync(`${root}test-output`, { recursive: true })
rmSync(results, { force: true })

await buildIfStale()
const { status } = spawnSync(
  process.execPath,
  [
    `${root}node_modules/vitest/vitest.mjs`,
    'run',
    // So much has one cause that breaks all that follows, each test of which would wait for its limit.
    '--bail=20',
    '--reporter=dot',
    `--reporter=${root}checks/failure-reporter.mjs`,
    '--reporter=json',
    `--outputFile.json=${results}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, PLINTH_CHROMIUM: findChromium() } },
)
const { numPassedTests: passed, numFailedTests: failed } = read()
// A file that could not even be loaded has no tests to count, and has failed all the same.
const failures = status === 0 ? failed : Math.max(failed, 1)
process.stdout.write(`${passed} passed, ${failures} failed\n`)
process.exit(failures === 0 ? 0 : 1)

function read() {
  try {
    return JSON.parse(readFileSync(results, 'utf8'))
  } catch {
    // The runner ended before it could write: told as one failure above.
    return { numPassedTests: 0, numFailedTests: 1 }
  }
}
