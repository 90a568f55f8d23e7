// `npm run test:flaky`: runs the journeys again and again, in random order and beside busy loops, and names every test that
// did not pass each time. FLAKY_RUNS (5) says how often; what follows the command goes to the runner: a file, `-t`, ...
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { buildIfStale } from '../start/build.mjs'
import { findChromium } from './chromium.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const runs = Number(process.env.FLAKY_RUNS ?? 5)
mkdirSync(`${root}test-output`, { recursive: true })
await buildIfStale()
const chromium = findChromium()

/** As many as the machine has cores: every process of a journey has to share its core with one. */
const loops = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
)
const endLoops = () => loops.forEach((loop) => loop.kill('SIGKILL'))
process.on('exit', endLoops)
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

/** Of each test the runs in which it failed. */
const moved = new Map()
for (let run = 1; run <= runs; run++) {
  const results = `${root}test-output/flaky-${run}.json`
  rmSync(results, { force: true })
  const began = Date.now()
  spawnSync(
    process.execPath,
    [
      `${root}node_modules/vitest/vitest.mjs`,
      'run',
      '--project=journeys',
      '--sequence.shuffle.files',
      '--sequence.shuffle.tests',
      `--sequence.seed=${began}`,
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${results}`,
      ...process.argv.slice(2),
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, PLINTH_CHROMIUM: chromium } },
  )
  const failed = failuresIn(results)
  for (const name of failed) moved.set(name, [...(moved.get(name) ?? []), run])
  const seconds = Math.round((Date.now() - began) / 1000)
  process.stdout.write(
    `run ${run} of ${runs}, seed ${began}: ${failed.length} failed in ${seconds} s\n`,
  )
}
endLoops()
for (const [name, at] of moved) process.stdout.write(`moved in run ${at.join(', ')}: ${name}\n`)
process.stdout.write(
  moved.size === 0 ? `nothing moved in ${runs} runs\n` : `${moved.size} tests moved\n`,
)
process.exit(moved.size === 0 ? 0 : 1)

/** A file that could not be begun counts as one that failed. */
function failuresIn(results) {
  let report
  try {
    report = JSON.parse(readFileSync(results, 'utf8'))
  } catch {
    return ['the whole run']
  }
  return report.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = name.slice(root.length)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0) return status === 'failed' ? [file] : []
    return failed.map(({ fullName }) => `${file}: ${fullName}`)
  })
}
