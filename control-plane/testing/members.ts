import { vi } from 'vitest'
import { newProjectRef } from '#kit/ids'
import type { Log } from '#kit/log'
import type { RoleName } from '#contract/permissions'
import { startControlPlane, type Person, type TestControlPlane } from './control-plane.ts'
import { newcomer, organizationOf } from './people.ts'

const idOf = async (plane: TestControlPlane, slug: string) =>
  (
    await plane.db
      .selectFrom('platform.organizations')
      .select('id')
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow()
  ).id

/** A project of which only the row is asked about: it is paused, and nothing runs for it. */
export async function projectIn(
  plane: TestControlPlane,
  slug: string,
  name: string,
): Promise<string> {
  const ref = newProjectRef()
  await plane.db
    .insertInto('platform.projects')
    .values({
      ref,
      organization_id: await idOf(plane, slug),
      name,
      status: 'INACTIVE',
      job_id: null,
      failure: null,
      region: 'eu-central-1',
      cloud_provider: 'AWS',
      compute_size: 'nano',
      db_version: '17.10',
      db_address: null,
      sealed_secrets: '',
    })
    .execute()
  return ref
}

/** Makes somebody a member with exactly these roles, whatever they were. */
export async function addMember(
  plane: TestControlPlane,
  slug: string,
  who: Person,
  role: RoleName | null,
  projectRoles: [RoleName, string[]][] = [],
): Promise<void> {
  const member = { organization_id: await idOf(plane, slug), user_id: who.userId }
  await plane.db
    .deleteFrom('platform.members')
    .where('organization_id', '=', member.organization_id)
    .where('user_id', '=', who.userId)
    .execute()
  await plane.db
    .insertInto('platform.members')
    .values({ ...member, role })
    .execute()
  for (const [base_role, refs] of projectRoles) {
    const { id } = await plane.db
      .insertInto('platform.project_roles')
      .values({ ...member, base_role })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const ref of refs) {
      const project = await plane.db
        .selectFrom('platform.projects')
        .select('id')
        .where('ref', '=', ref)
        .executeTakeFirstOrThrow()
      await plane.db
        .insertInto('platform.project_role_projects')
        .values({ project_id: project.id, user_id: who.userId, role_id: id })
        .execute()
    }
  }
}

/** Acme, its people, and Umbrella, which is somebody else's. */
export async function startTeam(log?: Log) {
  const plane = await startControlPlane(log)
  const owner = await newcomer(plane, 'olga')
  const admin = await newcomer(plane, 'adam')
  const developer = await newcomer(plane, 'dora')
  const reader = await newcomer(plane, 'rene')
  const stranger = await newcomer(plane, 'eve')
  await organizationOf(owner, 'Acme', 'tier_enterprise')
  await organizationOf(stranger, 'Umbrella', 'tier_enterprise')
  return {
    plane,
    owner,
    admin,
    developer,
    reader,
    stranger,
    books: await projectIn(plane, 'acme', 'Books'),
    maps: await projectIn(plane, 'acme', 'Maps'),
    foreign: await projectIn(plane, 'umbrella', 'Viruses'),
    /** Everybody of Acme is again what they were at the start. */
    async reset(): Promise<void> {
      await addMember(plane, 'acme', owner, 'Owner')
      await addMember(plane, 'acme', admin, 'Administrator')
      await addMember(plane, 'acme', developer, 'Developer')
      await addMember(plane, 'acme', reader, 'Read-only')
    },
  }
}
export type Team = Awaited<ReturnType<typeof startTeam>>

/** What a refused call answers with. */
export const refused = (status: number, code: string) => ({ status, body: { code } })

/** The mails to this address, newest first; waits for them, since they leave after the call is answered. */
export async function mailsTo(plane: TestControlPlane, email: string, atLeast = 1) {
  return vi.waitUntil(
    async () => {
      const mails = await plane.db
        .selectFrom('platform.mails')
        .selectAll()
        .where('recipient', '=', email)
        .orderBy('id', 'desc')
        .execute()
      return mails.length >= atLeast ? mails : undefined
    },
    { timeout: 120_000, interval: 25 },
  )
}

/** The token in the newest mail to this address. */
export async function tokenSentTo(plane: TestControlPlane, email: string, atLeast = 1) {
  const [mail] = await mailsTo(plane, email, atLeast)
  const token = /token=([A-Za-z0-9_-]+)/.exec(mail?.body_text ?? '')?.[1]
  if (!token) throw new Error('The mail has no link')
  return token
}
