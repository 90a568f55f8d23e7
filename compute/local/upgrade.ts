import { createHash } from 'node:crypto'
import type { Client } from 'pg'
import type { OsUser } from '#kit/postgres/os-user'
import { killAllOf } from '#kit/postgres/processes'
import { withAdmin } from './admin-session.ts'
import { withServerAlone } from './alone.ts'
import type { Machine, Upgrade } from './machine.ts'
import type { ProjectRecord } from './registry.ts'

export const upgradeOf = (sql: readonly string[]): Upgrade => {
  const whole = sql.join('\n')
  return { sql: whole, key: createHash('sha256').update(whole).digest('hex').slice(0, 16) }
}

export const isUpToDate = ({ upgrade }: Machine, record: ProjectRecord) =>
  record.upgrade === upgrade.key

/**
 * Gives a stopped project what this version of the services needs and an earlier one did not make: all of it or nothing. Nothing of the tenant is to run meanwhile: names mean the server's own, triggers and rules of people do not
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
  try {
    // Where an earlier attempt was killed, its Postgres may still be there.
    await killAllOf(folders.data(ref))
    await withServerAlone(machine, ref, record, user, (admin) =>
      withAdmin(admin, 'upgrade', (client) => runWhole(client, upgrade.sql)),
    )
  } catch (error) {
    log.error({ err: error, ref }, 'A project could not be brought up to this version')
    return record
  }
  const next = { ...record, upgrade: upgrade.key }
  await registry.save(ref, next)
  return next
}

async function runWhole(client: Client, sql: string): Promise<void> {
  await client.query('begin')
  await client.query(
    "set local session_replication_role = 'replica'; set local event_triggers = off; set local check_function_bodies = off",
  )
  await client.query(sql)
  await client.query('commit')
}
