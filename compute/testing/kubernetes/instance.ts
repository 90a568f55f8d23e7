import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { quoteIdent } from '#contract/ddl/sql-text'
import { withClient } from '#kit/postgres/client'
import { changeOwner, initCluster } from '#kit/postgres/cluster'
import { exists } from '#kit/postgres/files'
import type { OsUser } from '#kit/postgres/os-user'
import { setPasswords } from '#kit/postgres/passwords'
import type { PostgresRuntime } from '#kit/postgres/runtime'
import { findRunning, startServer, stopServer } from '#kit/postgres/server'
import type { KeyPair } from '../../../data-plane/postgres-gateway/tls/authority.ts'

/** As the operator lays its access rules: its own program by the socket, which only that can enter, all others by password. */
const accessRules = `local all postgres trust
host all all all scram-sha-256
`
/** What the operator sets where nothing else is said. */
const usual = { wal_level: 'logical', max_replication_slots: '32', ssl: 'on' }

export type Initdb = { database: string; owner: string; dataChecksums: boolean }

/**
 * The one instance of a Cluster: a real server on an address of this machine that it has for itself, with a volume that stays while it
 * does not run. Its superuser is `postgres`, as whose program the operator's own would end without.
 */
export function createInstance(options: {
  runtime: PostgresRuntime
  name: string
  address: string
  user: OsUser | undefined
}) {
  const { runtime, name, address, user } = options
  const volume = join(runtime.clusters, 'volumes', name)
  const dataDir = join(volume, 'pgdata')
  const socketDir = join(runtime.sockets, name)
  const own = { host: socketDir, port: 5432, user: 'postgres', database: 'postgres', password: '' }

  async function write(file: string, text: string): Promise<void> {
    const path = join(dataDir, file)
    await writeFile(path, text, { mode: 0o600 })
    if (user) await chown(path, user.uid, user.gid)
  }
  return {
    address,
    dataDir,
    volume,
    async init(certificate: KeyPair): Promise<void> {
      if (await exists(join(volume, 'whole'))) return
      await rm(volume, { recursive: true, force: true })
      await mkdir(volume, { recursive: true, mode: 0o711 })
      await initCluster({
        binaries: runtime.plain,
        dataDir,
        superuser: 'postgres',
        password: 'never used',
        user,
        walSegmentMb: 1,
        noSync: true,
      })
      await write('pg_hba.conf', accessRules)
      await write('server.crt', certificate.certificate)
      await write('server.key', certificate.key)
      if (user) await changeOwner(dataDir, user)
      await writeFile(join(volume, 'whole'), '')
    },
    running: () => findRunning(dataDir),
    async start(parameters: Record<string, string>): Promise<void> {
      await mkdir(socketDir, { recursive: true, mode: 0o700 })
      if (user) await chown(socketDir, user.uid, user.gid)
      await startServer({
        binaries: runtime.plain,
        dataDir,
        socketDir,
        port: 5432,
        tcp: address,
        settings: { ...usual, ...parameters },
        logFile: join(volume, 'server.log'),
        user,
      })
    },
    /** What the operator does once, with the first start. */
    async bootstrap({ database, owner }: Initdb): Promise<void> {
      await withClient(own, async (client) => {
        const { rows } = await client.query<{ there: boolean }>(
          'select exists (select from pg_database where datname = $1) as there',
          [database],
        )
        if (rows[0]?.there) return
        await client.query(['create role', quoteIdent(owner), 'login'].join(' '))
        await client.query(
          ['create database', quoteIdent(database), 'owner', quoteIdent(owner)].join(' '),
        )
      })
    },
    givePassword: (password: string) =>
      withClient(own, (client) => setPasswords(client, new Map([['postgres', password]]))),
    async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
      await stopServer(dataDir, { mode })
      await rm(socketDir, { recursive: true, force: true })
    },
    removeVolume: () => rm(volume, { recursive: true, force: true }),
  }
}
export type Instance = ReturnType<typeof createInstance>
