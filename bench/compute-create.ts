import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '#kit/log'
import { createLocalProvider } from '#compute/local/local'
import { grantedProjectSql } from '#compute/testing/granted-project-sql'
import { ask, customer, specOf, testRef } from '#compute/testing/conformance-project'
import { createBareServer } from './parts/bare-server.ts'
import { compare, measure } from './parts/compare.ts'

/** A new project up to its first query, against `initdb --no-sync`, start and a query. With and without a spare copy. */
async function projectCreate(name: string, spares: number): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
  await chmod(home, 0o711)
  const provider = createLocalProvider({
    home,
    migrations: [],
    newProjectSql: await grantedProjectSql(),
    log: silentLog,
    spares,
  })
  const bare = await createBareServer(home, 54_398)
  await provider.prepare()
  try {
    await compare(name, {
      ours: async () => {
        await provider.settled()
        const ref = testRef()
        let waited = Number.NaN
        // Nobody waits for the next spare copy, but its processor time is part of the price.
        const { cpuMs } = await measure(async () => {
          const start = performance.now()
          const at = await provider.create(specOf(ref))
          await ask(at, customer(ref), 'select 1')
          waited = performance.now() - start
          await provider.settled()
          return [join(home, 'clusters', 'projects', ref, 'data')]
        })
        await provider.destroy(ref)
        return { value: waited, cpuMs }
      },
      baseline: async () => {
        const measured = await measure(async () => {
          await bare.init()
          await bare.start()
          await bare.query()
          return [bare.dataDir]
        })
        await bare.stop()
        return measured
      },
    })
  } finally {
    await provider.close()
    await bare.stop()
    await rm(home, { recursive: true, force: true })
  }
}

await projectCreate('compute-create', 1)
await projectCreate('compute-create-without-spare', 0)
