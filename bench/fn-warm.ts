import { freePort } from '#kit/testing/free-port'
import { compare } from './parts/compare.ts'
import { bareDeno, firstAnswer, manyFunctions, request } from './parts/fn-served.ts'
import { httpLatency } from './parts/http-load.ts'
import { serve, withServedProject } from './parts/served-project.ts'

/** How long a call of a warm function takes, one after the other, against the same program asked without anything between. */
const roundMs = 2000

async function main(): Promise<void> {
  const barePort = await freePort()
  const bare = await bareDeno(barePort)
  try {
    await firstAnswer(barePort)
    await withServedProject([], async ({ port, connection: { ref } }) => {
      const latency = async (to: number, path: string) => {
        const at = { host: '127.0.0.1', port: to }
        return { value: await httpLatency(at, roundMs, request(path)), cpuMs: 0 }
      }
      await compare('fn-warm', {
        ours: () => latency(port, `/${ref}/functions/v1/f0`),
        baseline: () => latency(barePort, '/'),
      })
    })
  } finally {
    await bare.close()
  }
}

if (process.argv[2] === 'serve') serve({ functions: manyFunctions(1) })
else await main()
