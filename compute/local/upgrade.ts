import { MigrationError, migrate, type Migration } from '#kit/postgres/migrations'
import type { OsUser } from '#kit/postgres/os-user'
import { killAllOf } from '#kit/postgres/processes'
import type { UpgradeFailure } from '../provider.ts'
import { withAdmin } from './admin-session.ts'
import { withServerAlone } from './alone.ts'
import { recordsTable } from './expected-roles.ts'
import type { Machine } from './machine.ts'
import type { ProjectRecord } from './registry.ts'

export const isUpToDate = ({ upgrade }: Pick<Machine, 'upgrade'>, record: ProjectRecord) =>
  record.upgrade === upgrade.key

/** Why a project goes on without what this version has for it. */
export const upgradeFailure = (
  machine: Pick<Machine, 'upgrade'>,
  record: ProjectRecord,
): UpgradeFailure | undefined => (isUpToDate(machine, record) ? undefined : record.upgradeFailure)

/** Names mean the server's own already (admin-session.ts); triggers of people do not fire, and nothing takes for ever. */
const settings =
  "set local session_replication_role = 'replica'; set local event_triggers = off; set local check_function_bodies = off; set local statement_timeout = '10min'"

/**
 * Gives a stopped project what this version of the services needs and it does not have yet. Nothing of the tenant is to run
 * meanwhile, and the migrations touch no rows (start/tenants.ts). A project for which one fails keeps what it has and is
 * tried again at its next start: its data matter more than what is new.
 */
export async function upgradeProject(
  machine: Machine,
  ref: string,
  record: ProjectRecord,
  user: OsUser | undefined,
): Promise<ProjectRecord> {
  if (isUpToDate(machine, record)) return record
  const { folders, registry, upgrade, log } = machine
  const { beforeRecords } = upgrade
  const known = record.upgrade === beforeRecords?.key ? beforeRecords : undefined
  const options = {
    table: recordsTable,
    has: ({ name, isOriginal }: Migration) =>
      isOriginal === true || (known !== undefined && known.names.has(name)),
    // Nothing says what it has: it is very old, or something of it was replaced (platform-objects.ts).
    again: record.upgrade === undefined,
    settings,
  }
  const { upgradeFailure: _, ...rest } = record
  let next: ProjectRecord = { ...rest, upgrade: upgrade.key }
  try {
    // Where an earlier attempt was killed, its Postgres may still be there.
    await killAllOf(folders.data(ref))
    await withServerAlone(machine, ref, record, user, (admin) =>
      withAdmin(admin, 'upgrade', (client) => migrate(client, upgrade.migrations, options)),
    )
  } catch (error) {
    log.error({ err: error, ref }, 'A project could not be brought up to this version')
    next = { ...record, upgradeFailure: { reason: reasonOf(error), at: new Date().toISOString() } }
  }
  await registry.save(ref, next)
  return next
}

const longestReason = 500
/** For the project's members, who cannot do anything about this machine. */
const reasonOf = (error: unknown) =>
  error instanceof MigrationError
    ? error.message.slice(0, longestReason)
    : 'Its server could not be opened for that'
