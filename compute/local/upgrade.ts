import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Client } from 'pg'
import { writeDurably } from '#kit/postgres/files'
import { durabilityFloor } from '#kit/postgres/floor'
import type { OsUser } from '#kit/postgres/os-user'
import { killAllOf } from '#kit/postgres/processes'
import { startServer, stopServer } from '#kit/postgres/server'
import { withAdmin, type Admin } from './admin-session.ts'
import { archiveSettings } from './backups/archive.ts'
import type { Machine } from './machine.ts'
import type { ProjectRecord } from './registry.ts'
import { aloneAccessRules } from './settings.ts'

/** What a project that an earlier version made has to be given, and a name for exactly this. */
export type Upgrade = { sql: string; key: string }

export const upgradeOf = (sql: readonly string[]): Upgrade => {
  const whole = sql.join('\n')
  return { sql: whole, key: createHash('sha256').update(whole).digest('hex').slice(0, 16) }
}

export const isUpToDate = ({ upgrade }: Machine, record: ProjectRecord) =>
  record.upgrade === upgrade.key

/**
 * Gives a stopped project what this version of the services needs and an earlier one did not make: all of it or nothing. In
 * a server that the superuser alone comes into, by a socket in a folder that only the project's own user and the platform
 * can enter. Nothing of the tenant is to run meanwhile: names mean the server's own, triggers and rules of people do not
 * fire, and the SQL touches no rows (start/tenants.ts). A project for which it fails keeps what it has and is tried again
 * at its next start: its data matter more than what is new.
 */
export async function upgradeProject(
  machine: Machine,
  ref: string,
  record: ProjectRecord,
  user: OsUser | undefined,
): Promise<ProjectRecord> {
  if (isUpToDate(machine, record)) return record
  const { folders, registry, upgrade, log } = machine
  const dataDir = folders.data(ref)
  try {
    // Where an earlier attempt was killed, its Postgres may still be there.
    await killAllOf(dataDir)
    try {
      const admin = await startAlone(machine, ref, record, user)
      await withAdmin(admin, 'upgrade', (client) => runWhole(client, upgrade.sql))
    } finally {
      await stopServer(dataDir)
      await folders.removeSocket(socketOf(ref))
    }
  } catch (error) {
    log.error({ err: error, ref }, 'A project could not be brought up to this version')
    return record
  }
  const next = { ...record, upgrade: upgrade.key }
  await registry.save(ref, next)
  return next
}

const socketOf = (ref: string) => `u-${ref}`

/** A server of its data that nobody but the superuser comes into. */
async function startAlone(
  machine: Machine,
  ref: string,
  record: ProjectRecord,
  user: OsUser | undefined,
): Promise<Admin> {
  const { folders, runtime } = machine
  const port = 5432
  const rules = join(folders.project(ref), 'upgrade_hba.conf')
  await writeDurably(rules, aloneAccessRules, user)
  const socketDir = await folders.makeSocket(socketOf(ref), user)
  await startServer({
    binaries: runtime.binaries,
    dataDir: folders.data(ref),
    socketDir,
    port,
    tcp: false,
    settings: {
      ...durabilityFloor,
      hba_file: rules,
      autovacuum: 'off',
      max_connections: String(record.maxConnections),
      // What it writes belongs to the history that is kept.
      ...(record.archive === undefined ? {} : archiveSettings(machine, ref, record.archive)),
    },
    logFile: folders.log(ref),
    user,
  })
  return { host: socketDir, port, password: '' }
}

async function runWhole(client: Client, sql: string): Promise<void> {
  await client.query('begin')
  await client.query(
    "set local session_replication_role = 'replica'; set local event_triggers = off; set local check_function_bodies = off",
  )
  await client.query(sql)
  await client.query('commit')
}
