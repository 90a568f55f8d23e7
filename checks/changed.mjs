// `npm run test:changed [-- REVISION]`: the tests that a change touches, by the import graph: what is not committed and what
// was since REVISION (by default since the main line that was fetched last, or the last commit). Of the journeys only those
// that were changed themselves: they meet all of the product, and which of its parts no import tells.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
const lines = (text) => text.split('\n').filter(Boolean)

const [asked] = process.argv.slice(2)
const main = git('rev-parse', '--verify', '--quiet', 'origin/main')
const base =
  asked ?? (main.status === 0 ? git('merge-base', 'HEAD', 'origin/main').stdout.trim() : 'HEAD~1')
const difference = git('diff', '--name-only', base)
if (difference.status !== 0) {
  process.stderr.write(`${base} is no revision of this checkout\n`)
  process.exit(2)
}
const untracked = git('ls-files', '--others', '--exclude-standard')
const changed = [...new Set([...lines(difference.stdout), ...lines(untracked.stdout)])].filter(
  (path) => existsSync(root + path),
)
const code = changed.filter((path) => /\.tsx?$/.test(path) && !path.startsWith('journeys/'))
const journeys = changed.filter((path) => /^journeys\/.*\.test\.tsx?$/.test(path))
/** What no test imports: SQL, settings, what the browser is given as it is. */
const unseen = changed.filter((path) => !/\.tsx?$|\.md$|\.png$/.test(path))

function run(title, ...args) {
  process.stdout.write(`${title}\n`)
  const runner = `${root}node_modules/vitest/vitest.mjs`
  const { status } = spawnSync(process.execPath, [runner, ...args], { cwd: root, stdio: 'inherit' })
  return status === 0
}
const results = [
  code.length === 0 ||
    run(
      `${code.length} changed files since ${base}`,
      'related',
      '--run',
      '--project=fast',
      '--project=db',
      '--passWithNoTests',
      '--reporter=dot',
      ...code,
    ),
  journeys.length === 0 ||
    run(`${journeys.length} changed journeys`, 'run', '--project=journeys', ...journeys),
]
if (unseen.length > 0)
  process.stdout.write(`not seen by the import graph, npm test is: ${unseen.join(', ')}\n`)
process.exit(results.every(Boolean) ? 0 : 1)
