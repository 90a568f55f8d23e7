import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { quoteIdent } from '#contract/ddl/sql-text'
import { withClient } from '#kit/postgres/client'
import { changeOwner, initCluster } from '#kit/postgres/cluster'
import { exists } from '#kit/postgres/files'
import type { OsUser } from '#kit/postgres/os-user'
import { setPasswords } from '#kit/postgres/passwords'
import type { PostgresRuntime } from '#kit/postgres/runtime'
import { findRunning, startServer, stopServer } from '#kit/postgres/server'
import { logLinePrefix } from '../../local/logs/server-log-lines.ts'
import { copyDataDir, unpackDataDir } from './data-dir.ts'
import { createLogFile } from './log-file.ts'
import type { KeyPair } from '../../../data-plane/postgres-gateway/tls/authority.ts'

/** As the operator lays its access rules: its own program by the socket, which only that can enter, all others by password. */
const accessRules = `local all postgres trust
host all all all scram-sha-256
`
/** What the operator sets where nothing else is said. */
const usual = {
  wal_level: 'logical',
  max_replication_slots: '32',
  ssl: 'on',
  // Given on the command line, where nobody reads it as a tab.
  log_line_prefix: logLinePrefix.replaceAll('\\t', '\t'),
  log_timezone: 'UTC',
}

/** How far what was archived is replayed, as the operator writes it into the server's configuration. */
export type Target = { targetImmediate?: boolean; targetTime?: string }
/** What brings data back: the copy, and all that was archived behind it. */
export type Origin = {
  base: () => Promise<Buffer>
  wals: AsyncIterable<{ name: string; bytes: Buffer }>
  target: Target
}

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
  /** What the server hands over for the archive waits here until somebody has taken it away. */
  const spool = join(volume, 'spool')
  const own = { host: socketDir, port: 5432, user: 'postgres', database: 'postgres', password: '' }

  async function write(file: string, text: string): Promise<void> {
    const path = join(dataDir, file)
    await writeFile(path, text, { mode: 0o600 })
    if (user) await chown(path, user.uid, user.gid)
  }
  async function configure(certificate: KeyPair): Promise<void> {
    await write('pg_hba.conf', accessRules)
    await write('server.crt', certificate.certificate)
    await write('server.key', certificate.key)
    if (user) await changeOwner(dataDir, user)
  }
  async function start(settings: Record<string, string>): Promise<void> {
    await mkdir(socketDir, { recursive: true, mode: 0o700 })
    if (user) await chown(socketDir, user.uid, user.gid)
    await startServer({
      binaries: runtime.plain,
      dataDir,
      socketDir,
      port: 5432,
      tcp: address,
      settings: { ...usual, ...settings },
      logFile: join(volume, 'server.log'),
      user,
    })
  }
  return {
    address,
    dataDir,
    volume,
    log: createLogFile(join(volume, 'server.log')),
    isWhole: () => exists(join(volume, 'whole')),
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
      await configure(certificate)
      await writeFile(join(volume, 'whole'), '')
    },
    /** As the operator's job does it: replays up to the target with a server of its own, and leaves the data for the instance. */
    async recover(certificate: KeyPair, { base, wals, target }: Origin): Promise<void> {
      await rm(volume, { recursive: true, force: true })
      await mkdir(volume, { recursive: true, mode: 0o711 })
      await unpackDataDir(await base(), dataDir)
      const archive = join(volume, 'wals')
      await mkdir(archive)
      for await (const { name: wal, bytes } of wals) await writeFile(join(archive, wal), bytes)
      if (user) await changeOwner(archive, user)
      await configure(certificate)
      await write('recovery.signal', '')
      const { targetImmediate, targetTime } = target
      await start({
        restore_command: `cp "${archive}/%f" "%p"`,
        recovery_target_action: 'promote',
        hot_standby: 'off',
        ...(targetImmediate && { recovery_target: 'immediate' }),
        ...(targetTime !== undefined && { recovery_target_time: targetTime }),
      })
      await stopServer(dataDir)
      await rm(archive, { recursive: true })
      await writeFile(join(volume, 'whole'), '')
    },
    running: () => findRunning(dataDir),
    /** `archives`: what it has finished writing is handed over, and it waits until that was taken. */
    async start(parameters: Record<string, string>, archives: boolean): Promise<void> {
      if (!archives) return start(parameters)
      await mkdir(spool, { recursive: true })
      if (user) await chown(spool, user.uid, user.gid)
      await start({
        ...parameters,
        archive_mode: 'on',
        archive_command: `cp "%p" "${spool}/%f.new" && mv "${spool}/%f.new" "${spool}/%f" && while test -e "${spool}/%f"; do sleep 0.02; done`,
      })
    },
    /** Takes away what waits for the archive, in its order. */
    async spooled(take: (wal: string, bytes: Buffer) => Promise<unknown>): Promise<void> {
      if (!(await exists(spool))) return
      for (const wal of (await readdir(spool)).toSorted()) {
        if (wal.endsWith('.new')) continue
        await take(wal, await readFile(join(spool, wal)))
        // A name of its own first: the server looks for the other one.
        await rename(join(spool, wal), join(spool, 'taken.new'))
        await rm(join(spool, 'taken.new'), { force: true })
      }
    },
    /** To which archives this volume has written before. */
    hasArchived: (server: string) => exists(join(volume, `archives-to-${server}`)),
    noteArchived: (server: string) => writeFile(join(volume, `archives-to-${server}`), ''),
    /** Copies the server that runs, as the plugin does: the files, between a start and a stop that the server knows of. */
    copy: (): Promise<{ tar: Buffer; beginWal: string }> =>
      withClient(own, async (client) => {
        const { rows } = await client.query<{ wal: string }>(
          "select pg_walfile_name(pg_backup_start('plinth', fast => true)) as wal",
        )
        return copyDataDir(dataDir, join(volume, 'copy'), async () => {
          const ended = await client.query<{ labelfile: string; spcmapfile: string }>(
            'select labelfile, spcmapfile from pg_backup_stop(wait_for_archive => true)',
          )
          return ended.rows[0]?.labelfile ?? ''
        }).then((tar) => ({ tar, beginWal: rows[0]?.wal ?? '' }))
      }),
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
