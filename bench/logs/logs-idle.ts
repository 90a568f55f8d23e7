import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ProjectConnection } from '#contract/internal'
import { newProjectRef } from '#kit/ids'
import { benchLogs, logsFolder } from '../parts/bench-logs.ts'
import { compare, type Measured } from '../parts/compare.ts'
import { cpuOf, memoryOf } from '../parts/platform.ts'
import { serve, serveBeside } from '../parts/served-project.ts'

/**
 * The memory (PSS) of a data plane with quiet projects, `PROJECTS` of them, that writes logs, against one that does not. Each project has had some
 * requests, which were refused before its database was asked; then nothing happens until its files are at rest. `cpuRatio` is of all that
 * the program has used for it. The servers of projects would be in both, and make the ratio smaller.
 */
const projects = Number(process.env['PROJECTS'] ?? 500)
/** Files are closed with the first round after ten seconds without a line. */
const [requestsEach, restMs] = [5, 18_000]
const withoutLogs = 'without'

const quiet = Array.from({ length: projects }, () =>
  ProjectConnection.parse({
    ref: newProjectRef(),
    status: 'ACTIVE_HEALTHY',
    database: { host: '/nowhere', port: 5432, servicePassword: 'none' },
    jwtSecret: 'a benchmark secret that is long enough',
    sealingKey: '0'.repeat(64),
    anonKey: 'none',
    serviceKey: 'none',
    url: 'http://127.0.0.1',
    settings: {},
  }),
)

async function run(role: string): Promise<Measured> {
  const { child, port } = await serveBeside(fileURLToPath(import.meta.url), role, quiet)
  for (let time = 0; time < requestsEach; time += 1)
    for (const { ref } of quiet) {
      const answer = await fetch(`http://127.0.0.1:${port}/${ref}/rest/v1/books`)
      if (answer.status !== 401) throw new Error(`It was answered with ${answer.status}`)
      await answer.arrayBuffer()
    }
  await delay(restMs)
  const pids = [child.pid ?? 0]
  const measured = { value: memoryOf(pids), cpuMs: cpuOf(pids) }
  const gone = once(child, 'exit')
  child.kill()
  await gone
  return measured
}

async function main(): Promise<void> {
  const folder = logsFolder()
  const figures: Record<'with' | 'without', number[]> = { with: [], without: [] }
  const noted = async (which: 'with' | 'without'): Promise<Measured> => {
    const measured = await run(which)
    figures[which].push(Math.round(measured.value))
    return measured
  }
  try {
    await compare('logs-idle', { ours: () => noted('with'), baseline: () => noted(withoutLogs) })
    process.stdout.write(`${JSON.stringify({ projects, megabytes: figures })}\n`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (process.argv[2] === 'serve')
  serve(process.argv[3] === withoutLogs ? {} : { logs: benchLogs(logsFolder(), { roundMs: 4000 }) })
else await main()
