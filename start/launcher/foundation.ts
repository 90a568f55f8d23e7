import { openContainment } from '#compute/local/bounds/containment'
import { createGuard } from '#compute/local/guard/guard'
import { stopAllServers } from '#compute/local/stop-all'
import { newSecret } from '#kit/ids'
import { preparePostgres } from '#kit/postgres/runtime'
import type { Launcher } from './launch.ts'
import { startPlatformCluster } from '../platform/platform-cluster.ts'

/** What all programs of an installation on this machine have below them. */
export type Foundation = {
  /** The settings that they share beside those of this process. */
  environment: Record<string, string | undefined>
  /** How the servers of projects are held, in words. */
  held(): Promise<string>
}

/**
 * Postgres, the platform's own database unless the settings name one, and what holds the servers of projects. What begins here is known
 * to the ending before, and begins only while nobody has told this process to end; undefined: somebody has.
 */
export async function layFoundation({
  config,
  ending,
  log,
  complain,
}: Launcher): Promise<Foundation | undefined> {
  const runtime = await preparePostgres(config.home)
  if (ending.hasBegun) return undefined
  const starting = config.platformDatabaseUrl
    ? undefined
    : startPlatformCluster(config.home, runtime, complain)
  ending.add("the platform's database", async () => {
    // One that did not start has been told of, and has left nothing.
    const begun = await starting?.catch(() => undefined)
    await begun?.stop()
  })
  ending.add('the databases of projects', () => stopAllServers(runtime, { home: config.home, log }))
  const cluster = await starting
  if (ending.hasBegun) return undefined

  // Before anything runs in a group: what is empty is removed.
  const { rungs } = await openContainment({
    home: config.home,
    data: runtime.clusters,
    log,
  })
  return {
    environment: {
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
      PLATFORM_DATABASE_URL: cluster?.url ?? config.platformDatabaseUrl,
      PLINTH_INTERNAL_TOKEN: config.internalToken ?? newSecret(),
    },
    async held() {
      const guard = await createGuard(config.home, config.databaseNetworks.ranges)
      return [...rungs, await guard.rung()].join(', ')
    },
  }
}
