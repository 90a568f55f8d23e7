import { sql } from 'kysely'
import { vi } from 'vitest'
import { roleNames, type RoleName } from '#contract/permissions'
import type { Tier } from '#contract/billing/plans'
import { silentLog } from '#kit/log'
import type { ControlPlaneOptions } from '../options.ts'
import { startControlPlane, type Person } from './control-plane.ts'
import { newcomer, organizationOf } from './people.ts'

export type BackupBody = Record<string, unknown> & { id: number; status: string }

type BackupsBody = Record<string, unknown> & { backups: BackupBody[] }

/** A control plane whose clock can be moved, with a project that runs and a member of each role. */
export async function startBackupWorld(more: Partial<ControlPlaneOptions> = {}) {
  let ahead = 0
  const now = () => new Date(Date.now() + ahead)
  const plane = await startControlPlane(silentLog, undefined, { now, ...more })
  const ada = await newcomer(plane, 'ada')
  const stranger = await newcomer(plane, 'eve')
  const organization = await organizationOf(ada, 'Acme')
  const members = new Map<RoleName, Person>([['Owner', ada]])
  for (const role of roleNames.filter((name) => name !== 'Owner')) {
    const member = await newcomer(plane, role.toLowerCase())
    await plane.db
      .insertInto('platform.members')
      .values({ organization_id: organization.id, user_id: member.userId, role })
      .execute()
    members.set(role, member)
  }

  const statusOf = async (ref: string) =>
    String((await ada.call('GET', `/platform/projects/${ref}/status`)).body['status'])
  const reaches = (ref: string, requested: string) =>
    vi.waitFor(
      async () => {
        const status = await statusOf(ref)
        if (status !== requested) throw new Error(`${ref} is ${status}`)
      },
      { timeout: 120_000, interval: 50 },
    )
  async function createProject(name: string, size = 'small') {
    const made = await ada.call('POST', '/platform/projects', {
      name,
      organization_slug: 'acme',
      db_pass: 'a long and winding password 42!',
      db_region: 'eu-central-1',
      desired_instance_size: size,
    })
    const ref = String(made.body['ref'])
    await reaches(ref, 'ACTIVE_HEALTHY')
    return ref
  }
  const ref = await createProject('Books')
  const path = (of = ref) => `/platform/database/${of}/backups`
  const list = async (of = ref) => {
    const { body: answer } = await ada.call('GET', path(of))
    // The contract's own parser has made it.
    return { ...answer, backups: answer['backups'] as BackupBody[] } as BackupsBody
  }
  const backupOf = async (id: number, of = ref) => {
    const found = (await list(of)).backups.find((one) => one.id === id)
    if (!found) throw new Error(`There is no backup ${id}`)
    return found
  }
  const ended = (id: number, of = ref) =>
    vi.waitFor(
      async () => {
        const found = await backupOf(id, of)
        if (found.status === 'PENDING') throw new Error('It is pending')
        return found
      },
      { timeout: 120_000, interval: 100 },
    )
  return {
    plane,
    ada,
    stranger,
    ref,
    path,
    list,
    backupOf,
    ended,
    createProject,
    statusOf,
    reaches,
    /** The member with this role. */
    as(role: RoleName): Person {
      const found = members.get(role)
      if (!found) throw new Error(`Nobody is ${role}`)
      return found
    },
    /** A backup that is completed. */
    async made(of = ref): Promise<BackupBody> {
      const { status, body: answer } = await ada.call('POST', path(of))
      if (status !== 201) throw new Error(JSON.stringify(answer))
      const found = await ended(Number(answer['id']), of)
      if (found.status !== 'COMPLETED') throw new Error(JSON.stringify(found))
      return found
    },
    /** The clock goes on by this much; never back. */
    pass(milliseconds: number): void {
      ahead += milliseconds
    },
    now,
    async setTier(tier: Tier): Promise<void> {
      await plane.db.updateTable('platform.organizations').set({ tier }).execute()
    },
    async audited(action: string) {
      return plane.db
        .selectFrom('platform.audit_entries')
        .select(['actor_email', 'target', 'change'])
        .where('action', '=', action)
        .orderBy('id')
        .execute()
    },
    /** Jobs that have not ended. */
    async unfinished(): Promise<number> {
      const { rows } = await sql<{ count: string }>`
        select count(*) from platform.jobs where finished_at is null`.execute(plane.db)
      return Number(rows[0]?.count)
    },
    end: () => plane.end(),
  }
}
export type BackupWorld = Awaited<ReturnType<typeof startBackupWorld>>
