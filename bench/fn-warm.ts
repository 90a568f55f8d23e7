import { freePort } from '#kit/testing/free-port'
import { compare } from './parts/compare.ts'
import { bareDeno, firstAnswer, manyFunctions, request } from './parts/fn-served.ts'
import { httpLatency } from './parts/http-load.ts'
import { cpuOf, treeBelow } from './parts/platform.ts'
import { serve, withServedProject } from './parts/served-project.ts'

/**
 * How long a call of a warm function takes, one after the other, against the same program asked without anything between:
 * half of the calls (ratio), the slowest of a hundred (p99Ratio), and the processor time of each (cpuRatio), on our side that
 * of the gateway and of the worker.
 */
const roundMs = 2000

async function main(): Promise<void> {
  const barePort = await freePort()
  const bare = await bareDeno(barePort)
  try {
    await firstAnswer(barePort)
    await withServedProject([], async ({ port, pid, connection: { ref } }) => {
      const latency = async (to: number, path: string, root: number | undefined) => {
        const pids = treeBelow(root ?? 0)
        const before = cpuOf(pids)
        const took = await httpLatency({ host: '127.0.0.1', port: to }, roundMs, request(path))
        const at = (part: number) => took[Math.floor(took.length * part)] ?? Number.NaN
        return { value: at(0.5), p99: at(0.99), cpuMs: (cpuOf(pids) - before) / took.length }
      }
      await compare('fn-warm', {
        ours: () => latency(port, `/${ref}/functions/v1/f0`, pid),
        baseline: () => latency(barePort, '/', bare.program.pid),
      })
    })
  } finally {
    await bare.close()
  }
}

if (process.argv[2] === 'serve') serve({ functions: manyFunctions(1) })
else await main()
