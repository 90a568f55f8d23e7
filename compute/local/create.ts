import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { failpoint } from '#kit/failpoints'
import { flushToDisk } from '#kit/postgres/cluster'
import { setPasswords } from '#kit/postgres/passwords'
import { killAllOf, signal, waitUntil } from '#kit/postgres/processes'
import { findRunning, stopServer } from '#kit/postgres/server'
import { serviceRoles, type DatabaseAddress, type ProjectSpec } from '../provider.ts'
import { withAdmin, type Admin } from './admin-session.ts'
import { writeRules } from './config.ts'
import type { Machine } from './machine.ts'
import { userOf, type ProjectRecord } from './registry.ts'
import { promotionSocket, stopReplicas } from './replicas/server.ts'
import { launch, startProject } from './run.ts'
import { accessRules } from './settings.ts'

/**
 * Makes a project from a copy of the template. Its record says `ready` only at the very end, when the server runs, has
 * its own passwords and is on disk; whatever an interrupted attempt left before that is thrown away by the next.
 */
export async function createProject(machine: Machine, spec: ProjectSpec): Promise<DatabaseAddress> {
  const { ref } = spec
  const found = await findLeftovers(machine, ref)
  if (found === 'a project') return startProject(machine, ref)
  if (found === 'leftovers') await destroyProject(machine, ref)
  try {
    const { record, flushed } = await placeCopy(machine, spec)
    failpoint('compute.create.placed')
    const data = machine.folders.data(ref)
    const user = userOf(record)
    const flush = flushed ? undefined : flushToDisk(machine.runtime.binaries, data, user)
    // Awaited below; until then a failure of the start must not leave it as an unhandled one.
    flush?.catch(() => undefined)
    const address = await launch(machine, ref, record)
    failpoint('compute.create.started')
    await secure(machine, spec, record, address)
    failpoint('compute.create.secured')
    await flush
    await machine.registry.save(ref, { ...record, port: address.port, ready: true })
    return address
  } catch (error) {
    await destroyProject(machine, ref)
    throw error
  } finally {
    machine.spares.refill()
  }
}

/** A record that cannot be read may belong to a project with data, so it is never taken for leftovers. */
async function findLeftovers({ folders, registry }: Machine, ref: string) {
  if (registry.get(ref)?.ready || registry.unreadable.has(ref)) return 'a project'
  const folder = await stat(folders.project(ref)).catch(() => undefined)
  return folder ? 'leftovers' : 'nothing'
}

async function placeCopy(machine: Machine, { ref, limits }: ProjectSpec) {
  const { folders, registry, spares } = machine
  const copy = await spares.take()
  try {
    const record = await registry.claim(ref, {
      uid: copy.user?.uid ?? null,
      upgrade: machine.upgrade.key,
      programs: (await machine.programs()).id,
      ...limits,
    })
    failpoint('compute.create.claimed')
    await rename(copy.configDir, folders.config(ref))
    await rename(copy.dataDir, folders.data(ref))
    return { record, flushed: copy.flushed }
  } finally {
    await folders.discard(copy.home)
  }
}

/** Gives the new server its passwords and closes the way in that worked without one. */
async function secure(
  { folders, grantedTablesSql }: Machine,
  spec: ProjectSpec,
  record: ProjectRecord,
  { socketDir, port }: DatabaseAddress,
): Promise<void> {
  const admin = { host: socketDir, port, password: '' }
  if (spec.newTables === 'granted') {
    if (grantedTablesSql === undefined) throw new Error('Nothing says how tables are granted')
    await withAdmin(admin, 'project sql', (client) => client.query(grantedTablesSql))
  }
  await givePasswords(admin, spec)
  const { ref } = spec
  const data = folders.data(ref)
  await writeRules(folders.config(ref), accessRules(), userOf(record))
  const server = await findRunning(data)
  if (!server) throw new Error(`The server of ${ref} ended while it was being made`)
  signal(server.pid, 'SIGHUP')
  const closed = await waitUntil(() => asksForPassword(admin), 10_000)
  if (!closed) throw new Error(`The server of ${ref} does not take its access rules`)
}

/** Data of an earlier version lack the logins that came since; its upgrade makes them, with the password of the others. */
const rolesSql = 'select rolname as name from pg_catalog.pg_roles'

/** To a server that lets the superuser in without one. */
export function givePasswords(
  admin: Admin,
  { passwords }: Pick<ProjectSpec, 'passwords'>,
): Promise<void> {
  const services = serviceRoles.map((role) => [role, passwords.service] as const)
  const logins = [
    ['postgres', passwords.postgres],
    ['supabase_admin', passwords.admin],
  ] as const
  return withAdmin(admin, 'passwords', async (client) => {
    const { rows } = await client.query<{ name: string }>(rolesSql)
    const there = new Set(rows.map(({ name }) => name))
    await setPasswords(
      client,
      new Map([...logins, ...services.filter(([role]) => there.has(role))]),
    )
  })
}

/** True when a login without a password is refused for want of one. */
async function asksForPassword(admin: Admin): Promise<boolean> {
  try {
    await withAdmin(admin, 'passwords', () => Promise.resolve())
    return false
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('SASL')) return true
    throw error
  }
}

/** Ends and removes whatever there is of a project: processes, socket, data, and what earlier attempts left. */
export async function destroyProject(machine: Machine, ref: string): Promise<void> {
  const { folders, registry, backups, users } = machine
  const data = folders.data(ref)
  const known = registry.get(ref) ?? registry.unreadable.get(ref)
  const user = known && userOf(known)
  await stopReplicas(machine, ref)
  await stopServer(data, { mode: 'immediate' })
  // Also where the lock file, or the whole directory, is gone and processes are not.
  await killAllOf(data)
  await killAllOf(join(folders.restoring(ref), 'data'))
  await users.end(user)
  for (const name of [ref, promotionSocket(ref)]) await machine.containment.ended(name)
  failpoint('compute.destroy.stopped')
  for (const name of [ref, promotionSocket(ref)]) await folders.removeSocket(name)
  // Before the record goes, which says whose they are.
  await users.clear(user)
  await folders.discard(folders.project(ref))
  failpoint('compute.destroy.discarded')
  await backups.files.removeAll(ref)
  await folders.emptyTrash(ref)
  registry.forget(ref)
}
