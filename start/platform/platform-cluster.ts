import { chmod, chown, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { withClient } from '#kit/postgres/client'
import { initCluster } from '#kit/postgres/cluster'
import { readIfExists } from '#kit/postgres/files'
import { assertDurable, durabilityFloor } from '#kit/postgres/floor'
import { runsAsRoot } from '#kit/postgres/os-user'
import type { PostgresRuntime } from '#kit/postgres/runtime'
import { findRunning, startServer, stopServer } from '#kit/postgres/server'
import { createServerWatch } from '#kit/postgres/server-watch'
import { readOrMake } from '#kit/secrets'
import { giveUpBallast, keepBallast } from '../disk/ballast.ts'
import { keepServer } from '../keep-server.ts'

/** The user of the platform's own server when we run as root: just below those of the projects. */
const platformUid = 699_999
/** Undefined: everything is ours. */
export const platformUser = () =>
  runsAsRoot() ? { uid: platformUid, gid: platformUid } : undefined
const superuser = 'plinth'
const database = 'plinth'

/** How the platform comes into its own database, over the unix socket alone. */
export const platformLogin = (socketDir: string, password: string) => ({
  host: socketDir,
  port: 5432,
  user: superuser,
  password,
  database,
})

/** Small, because it holds the platform's own rows only. */
const settings = {
  ...durabilityFloor,
  shared_buffers: '32MB',
  max_connections: '100',
  wal_level: 'replica',
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  log_min_messages: 'warning',
  unix_socket_permissions: '0700',
}

export type PlatformCluster = {
  /** For PLATFORM_DATABASE_URL: over the unix socket, which is the only way in. */
  url: string
  stop(): Promise<void>
}

/**
 * Starts the platform's own Postgres below PLINTH_HOME, or takes over the one that an earlier, killed start left. Until
 * `stop` it is started again whenever it ends. What fails on the way leaves no server behind.
 */
export async function startPlatformCluster(
  home: string,
  runtime: PostgresRuntime,
  say: (line: string) => void,
  /** Bytes that are free on its disk; what the system says unless told. */
  free?: () => Promise<number>,
): Promise<PlatformCluster> {
  const user = platformUser()
  const folder = join(runtime.clusters, 'platform')
  const dataDir = join(folder, 'data')
  const socketDir = join(runtime.sockets, 'platform')
  const password = readOrMake(join(home, 'platform-password'))
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o711)

  if ((await readIfExists(join(dataDir, 'PG_VERSION'))) === undefined) {
    const fresh = join(folder, 'data.new')
    await rm(fresh, { recursive: true, force: true })
    const { binaries } = runtime
    await initCluster({ binaries, dataDir: fresh, superuser, password, user, walSegmentMb: 4 })
    await rename(fresh, dataDir)
  }
  await assertDurable(dataDir)

  const left = await findRunning(dataDir)
  if (left && (!left.ready || left.socketDir !== socketDir)) await stopServer(dataDir)
  const start = async () => {
    await rm(socketDir, { recursive: true, force: true })
    await mkdir(socketDir, { mode: 0o700 })
    if (user) await chown(socketDir, user.uid, user.gid)
    await startServer({
      binaries: runtime.binaries,
      dataDir,
      socketDir,
      port: 5432,
      tcp: false,
      settings,
      logFile: join(folder, 'server.log'),
      user,
    })
  }
  const stop = () => stopServer(dataDir, { mode: 'fast', deadlineMs: 5000 })
  const isRunning = createServerWatch(dataDir)
  const ballastOf = { file: join(folder, 'ballast'), say, free }
  await giveUpBallast(ballastOf)
  if (!(await isRunning())) await start()
  const login = { host: socketDir, port: 5432, user: superuser, password }
  try {
    await withClient({ ...login, database: 'postgres' }, async (client) => {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [
        database,
      ])
      if (!rowCount) await client.query('create database plinth')
    })
  } catch (error) {
    await stop()
    throw error
  }
  const ballast = keepBallast(ballastOf)
  const keeper = keepServer({ name: "the platform's database", isRunning, start, say })
  const query = new URLSearchParams({ host: socketDir })
  return {
    url: `postgres://${superuser}:${password}@localhost:5432/${database}?${query}`,
    async stop() {
      await keeper.stop()
      await ballast.stop()
      await stop()
    },
  }
}
