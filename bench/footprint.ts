import { setTimeout as delay } from 'node:timers/promises'
import { createAndRead, memoryOf, startBenchPlatform, treeOf } from './parts/platform.ts'

/**
 * Memory of the platform with one project at rest, and what each further one adds, against a bare Fastify (75 MB) and a
 * bare Postgres (9 MB), as the performance rules give them. Memory is PSS: shared pages are counted once.
 */
const bareMb = 75 + 9
const { platform, person, slug } = await startBenchPlatform()
try {
  const one = await settled()
  for (let n = 1; n <= 10; n++) await createAndRead(person, slug, `Project ${n}`)
  const eleven = await settled()
  const round = (value: number) => Math.round(value * 100) / 100
  const line = {
    name: 'footprint',
    ratio: round(one / bareMb),
    perProjectMb: round((eleven - one) / 10),
  }
  process.stdout.write(`${JSON.stringify({ ...line, megabytes: round(one) })}\n`)
} finally {
  await platform.dispose()
}

/** The lowest of some looks: what is left when nobody asks for anything. */
async function settled(): Promise<number> {
  const looks: number[] = []
  // Connections to a project's database are kept for a while after the last request.
  await delay(100_000)
  for (let look = 0; look < 10; look++) {
    await delay(1000)
    looks.push(memoryOf(treeOf(platform, platform.home)))
  }
  return Math.min(...looks)
}
