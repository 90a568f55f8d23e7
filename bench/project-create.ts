import { rm } from 'node:fs/promises'
import { createBareServer } from './parts/bare-server.ts'
import { compare, measure, type Measured } from './parts/compare.ts'
import { cpuOf, createAndRead, startBenchPlatform, treeOf } from './parts/platform.ts'
import { newHome } from '../journeys/testing/platform.ts'
import { reaches } from '../journeys/testing/client.ts'

/**
 * Order a project over HTTP, make a table in it, read it by supabase-js, against `initdb --no-sync` and a start. Then 50
 * projects in a row, all of which must be healthy, and the last ten against the first ten.
 */
const { platform, person, slug } = await startBenchPlatform()
const home = await newHome()
const bare = await createBareServer(home, 54_398)
let count = 0

async function timed(): Promise<Measured> {
  const before = cpuOf(treeOf(platform, platform.home))
  const start = performance.now()
  const { ref } = await createAndRead(person, slug, `Project ${(count += 1)}`)
  const value = performance.now() - start
  const cpuMs = cpuOf(treeOf(platform, platform.home)) - before
  refs.push(ref)
  return { value, cpuMs }
}
const refs: string[] = []

try {
  await compare('project-create', {
    rounds: 5,
    ours: timed,
    baseline: async () => {
      const measured = await measure(async () => {
        await bare.init()
        await bare.start()
        return [bare.dataDir]
      })
      await bare.stop()
      return measured
    },
  })
  const times: number[] = []
  while (refs.length < 50) times.push((await timed()).value)
  for (const ref of refs) await reaches(person, ref, ['ACTIVE_HEALTHY'])
  const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length
  const ratio = Math.round((mean(times.slice(-10)) / mean(times.slice(0, 10))) * 1000) / 1000
  process.stdout.write(
    `${JSON.stringify({ name: 'project-create-last-of-50', ratio, healthy: refs.length })}\n`,
  )
} finally {
  await bare.stop()
  await platform.dispose()
  await rm(home, { recursive: true, force: true })
}
