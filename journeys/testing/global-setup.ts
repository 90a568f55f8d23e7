import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '#kit/root'
import { newHome, seedVariable, startPlatform } from './platform.ts'

/**
 * Journeys walk through the built product. Each has a platform of its own, whose home is a copy of one that was started
 * and stopped here: what a first start makes is the same each time, and what it does is told by `start-stop.test.ts`.
 */
export async function setup(): Promise<() => Promise<void>> {
  if (!process.env['PLINTH_BUILT']) {
    // A plain script of the build; it has no types.
    const { buildIfStale } = (await import(join(root, 'start/build.mjs'))) as {
      buildIfStale(): Promise<void>
    }
    await buildIfStale()
  }
  const seed = await startPlatform({ home: await newHome() })
  await seed.stop()
  process.env[seedVariable] = seed.home
  return () => rm(seed.home, { recursive: true, force: true })
}
