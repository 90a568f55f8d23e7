import { freePort } from '#kit/testing/free-port'
import { compare } from './parts/compare.ts'
import { bareDeno, firstAnswer, manyFunctions, request } from './parts/fn-served.ts'
import { oneAnswer } from './parts/http-load.ts'
import { serve, withServedProject } from './parts/served-project.ts'

/** The first answer of a function that nobody has called yet, against a bare `deno run` of the same program. */
const rounds = 12

async function main(): Promise<void> {
  const barePort = await freePort()
  await withServedProject([], async ({ port, connection: { ref } }) => {
    const at = { host: '127.0.0.1', port }
    let next = 0
    const call = () => oneAnswer(at, request(`/${ref}/functions/v1/f${next++}`))
    // Opens the project and lays down what all workers share, which is done once in the life of a data plane.
    await call()
    await compare('fn-cold', {
      rounds,
      ours: async () => ({ value: await call(), cpuMs: 0 }),
      baseline: async () => {
        const start = performance.now()
        const bare = await bareDeno(barePort)
        await firstAnswer(barePort)
        const value = performance.now() - start
        await bare.close()
        return { value, cpuMs: 0 }
      },
    })
  })
}

if (process.argv[2] === 'serve') serve({ functions: manyFunctions(rounds + 10) })
else await main()
