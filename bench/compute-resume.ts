import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '#kit/log'
import { createLocalProvider } from '#compute/local/local'
import { grantedProjectSql } from '#compute/testing/granted-project-sql'
import { ask, customer, specOf, testRef } from '#compute/testing/conformance-project'
import { createBareServer } from './parts/bare-server.ts'
import { compare, measure } from './parts/compare.ts'

/** Starting a paused project up to its first query, against starting a plain server and a query. */
const home = await mkdtemp(join(tmpdir(), 'plinth-bench-'))
await chmod(home, 0o711)
const provider = createLocalProvider({
  home,
  migrations: [],
  newProjectSql: await grantedProjectSql(),
  log: silentLog,
  spares: 0,
})
const bare = await createBareServer(home, 54_398)
const ref = testRef()
try {
  await provider.create(specOf(ref))
  await provider.stop(ref)
  await bare.init()
  await compare('compute-resume', {
    rounds: 15,
    ours: async () => {
      const measured = await measure(async () => {
        const at = await provider.start(ref)
        await ask(at, customer(ref), 'select 1')
        return [join(home, 'clusters', 'projects', ref, 'data')]
      })
      await provider.stop(ref)
      return measured
    },
    baseline: async () => {
      const measured = await measure(async () => {
        await bare.start()
        await bare.query()
        return [bare.dataDir]
      })
      await bare.stop()
      return measured
    },
  })
} finally {
  await provider.destroy(ref)
  await provider.close()
  await rm(home, { recursive: true, force: true })
}
