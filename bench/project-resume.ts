import { rm } from 'node:fs/promises'
import { reaches, runSql } from '../journeys/testing/client.ts'
import { newHome } from '../journeys/testing/platform.ts'
import { createBareServer } from './parts/bare-server.ts'
import { compare, measure } from './parts/compare.ts'
import { cpuOf, startBenchPlatform, treeOf, untilSelected } from './parts/platform.ts'

/** Resume a paused project and read a row by supabase-js, against the bare start of a server and a query. */
const { platform, person, warm } = await startBenchPlatform()
const home = await newHome()
const bare = await createBareServer(home, 54_398)
try {
  await runSql(person, warm.ref, 'create table first (id int); insert into first values (1)')
  await untilSelected(warm, 'first')
  await bare.init()
  await compare('project-resume', {
    rounds: 15,
    ours: async () => {
      await person.call('POST', `/platform/projects/${warm.ref}/pause`)
      await reaches(person, warm.ref, ['INACTIVE'])
      const before = cpuOf(treeOf(platform, platform.home))
      const start = performance.now()
      await person.call('POST', `/platform/projects/${warm.ref}/restore`)
      await untilSelected(warm, 'first', 2)
      const value = performance.now() - start
      return { value, cpuMs: cpuOf(treeOf(platform, platform.home)) - before }
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
  await bare.stop()
  await platform.dispose()
  await rm(home, { recursive: true, force: true })
}
