import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { waitUntil } from '#kit/postgres/processes'
import { root } from '#kit/root'
import { makeRunFolder, removeStaleRunFolders } from '#kit/testing/run-folder'
import { homesVariable, newHome, seedVariable, startPlatform } from './platform.ts'
import { receiverAddress } from './shared-platform.ts'

/** What new projects are copies of is made behind the platform's back; one that is stopped before would leave it to each. */
async function untilReadyForProjects(home: string): Promise<void> {
  const hasSpare = async () =>
    (await readdir(join(home, 'clusters/spares')).catch(() => [])).some(
      (name) => !name.startsWith('new-'),
    )
  if (!(await waitUntil(hasSpare, 120_000))) throw new Error('No copy for a new project was made')
}

/**
 * Journeys walk through the built product. Each worker has a platform that its journeys share. All platforms begin with a
 * copy of a home that was started and stopped here: what a first start makes is the same each time, and what it does is
 * told by `start-stop.test.ts`.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Plain scripts; they have no types.
  const { buildIfStale } = (await import(join(root, 'start/build.mjs'))) as {
    buildIfStale(): Promise<void>
  }
  const { findChromium } = (await import(join(root, 'checks/chromium.mjs'))) as {
    findChromium(): string
  }
  await buildIfStale()
  process.env['PLINTH_CHROMIUM'] = findChromium()
  await removeStaleRunFolders()
  const homes = await makeRunFolder()
  process.env[homesVariable] = homes
  const seed = await startPlatform({ home: await newHome() })
  await untilReadyForProjects(seed.home)
  await seed.stop()
  process.env[seedVariable] = seed.home
  const workers = Array.from({ length: project.config.maxWorkers })
  // Many people sign up from one address here, and logs are sent to a server of a journey.
  const environment = {
    PLINTH_RATE_LIMIT: '100000',
    PLINTH_LOG_DRAINS_ALLOWED_NETWORKS: receiverAddress,
  }
  const platforms = await Promise.all(workers.map(() => startPlatform({ environment })))
  project.provide(
    'platforms',
    platforms.map(({ url, ports, home, operatorToken, log }) => ({
      url,
      ports,
      home,
      operatorToken,
      log,
    })),
  )
  return async () => {
    await Promise.all(platforms.map((platform) => platform.dispose()))
    await rm(homes, { recursive: true, force: true })
  }
}
