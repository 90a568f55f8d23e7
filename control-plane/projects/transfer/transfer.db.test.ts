import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tier } from '#contract/billing/plans'
import type { ProjectStatus } from '#contract/projects/project-status'
import { newProjectRef } from '#kit/ids'
import {
  person,
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { besideTransactions } from '../../testing/one-connection.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let ada: Person
let bob: Person
let eve: Person
const ids: Record<string, string> = {}

const organization = async (owner: Person, name: string, tier: Tier = 'tier_pro') => {
  const { id, slug } = await organizationOf(owner, name, tier)
  ids[slug] = id
}
const member = async (slug: string, who: Person, role: 'Administrator' | 'Developer' | 'Owner') => {
  await plane.db
    .insertInto('platform.members')
    .values({ organization_id: ids[slug] ?? '', user_id: who.userId, role })
    .execute()
}
/** A row is enough: what is moved is whom the project belongs to. */
async function project(slug: string, name: string, status: ProjectStatus = 'INACTIVE') {
  const ref = newProjectRef()
  await plane.db
    .insertInto('platform.projects')
    .values({
      ref,
      organization_id: ids[slug] ?? '',
      name,
      status,
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
const preview = (who: Person, ref: string, slug: string) =>
  who.call('POST', `/platform/projects/${ref}/transfer/preview`, {
    target_organization_slug: slug,
  })
const move = (who: Person, ref: string, slug: string) =>
  who.call('POST', `/platform/projects/${ref}/transfer`, { target_organization_slug: slug })
const problems = async (who: Person, ref: string, slug: string) => {
  const { body } = await preview(who, ref, slug)
  return (body['errors'] as { key: string }[]).map(({ key }) => key)
}

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  eve = await newcomer(plane, 'eve')
  await organization(ada, 'Source', 'tier_team')
  await organization(bob, 'Target')
  await organization(eve, 'Foreign')
  await organization(ada, 'Free', 'tier_free')
})
afterAll(() => plane.end())

test('only an Owner of the source: not an Administrator, not a stranger', async () => {
  const ref = await project('source', 'Guarded')
  await member('source', bob, 'Administrator')
  for (const call of [preview, move]) {
    expect(await call(bob, ref, 'target')).toMatchObject({
      status: 403,
      body: { code: 'not_allowed' },
    })
    expect((await call(eve, ref, 'foreign')).status).toBe(404)
  }
})

test('an organization one is not in looks like none; where one may not create, one may not bring', async () => {
  const ref = await project('source', 'Homeless')
  for (const slug of ['foreign', 'nowhere']) {
    const { body } = await preview(ada, ref, slug)
    expect(body).toMatchObject({
      valid: false,
      errors: [{ key: 'target_organization_not_found' }],
      has_access_to_target_organization: false,
      target_subscription_plan: null,
      target_organization_eligible: null,
    })
    expect(await move(ada, ref, slug)).toMatchObject({
      status: 409,
      body: { code: 'transfer_refused' },
    })
  }
  await member('target', ada, 'Developer')
  expect(await problems(ada, ref, 'target')).toEqual(['target_not_allowed'])
  expect((await move(ada, ref, 'target')).status).toBe(409)
  await plane.db
    .updateTable('platform.members')
    .set({ role: 'Administrator' })
    .where('user_id', '=', ada.userId)
    .where('organization_id', '=', ids['target'] ?? '')
    .execute()
  expect(await problems(ada, ref, 'target')).toEqual([])
})

test('not to where it is, not while something is done to it, not over a name that is taken', async () => {
  const ref = await project('source', 'Busy', 'RESTARTING')
  expect(await problems(ada, ref, 'source')).toEqual(['same_organization', 'project_busy'])
  expect(await problems(ada, ref, 'target')).toEqual(['project_busy'])
  const twin = await project('source', 'Twin')
  await project('target', 'TWIN')
  expect(await problems(ada, twin, 'target')).toEqual(['name_taken'])
  expect((await move(ada, twin, 'target')).status).toBe(409)
})

test('neither out of a restricted organization nor into one', async () => {
  const ref = await project('source', 'Restricted')
  const restrict = (slug: string, status: 'restricted' | null) =>
    plane.db
      .updateTable('platform.organizations')
      .set({ restriction_status: status })
      .where('slug', '=', slug)
      .execute()
  await restrict('source', 'restricted')
  expect(await problems(ada, ref, 'target')).toEqual(['source_restricted'])
  await restrict('source', null)
  await restrict('target', 'restricted')
  expect(await problems(ada, ref, 'target')).toEqual(['target_restricted'])
  expect((await move(ada, ref, 'target')).status).toBe(409)
  await restrict('target', null)
})

test('the target asks for a second factor: so does the transfer', async () => {
  const ref = await project('source', 'Factor')
  const ask = (on: boolean) =>
    plane.db
      .updateTable('platform.organizations')
      .set({ requires_mfa: on })
      .where('slug', '=', 'target')
      .execute()
  await ask(true)
  expect(await problems(ada, ref, 'target')).toEqual(['target_requires_mfa'])
  const strong = person(plane, ada.email, ada.userId, 'aal2')
  expect(await problems(strong, ref, 'target')).toEqual([])
  await ask(false)
})

test('the Free plan has two places for an owner; a paused project takes none', async () => {
  const refs = []
  for (const name of ['F1', 'F2', 'F3']) refs.push(await project('source', name, 'ACTIVE_HEALTHY'))
  const [first = '', second = '', third = ''] = refs
  const { body } = await preview(ada, first, 'free')
  expect(body).toMatchObject({
    valid: true,
    source_subscription_plan: 'team',
    target_subscription_plan: 'free',
    target_organization_has_free_project_slots: true,
    members_exceeding_free_project_limit: [],
  })
  expect(body['warnings']).toMatchObject([
    { key: 'plan_is_smaller' },
    { key: 'members_lose_access' },
  ])
  expect((await move(ada, first, 'free')).status).toBe(200)
  expect((await move(ada, second, 'free')).status).toBe(200)
  expect((await preview(ada, third, 'free')).body).toMatchObject({
    valid: false,
    errors: [{ key: 'free_project_limit' }],
    target_organization_has_free_project_slots: false,
    members_exceeding_free_project_limit: [{ name: 'ada@example.com', limit: 2 }],
  })
  expect((await move(ada, third, 'free')).status).toBe(409)
  const paused = await project('source', 'F4')
  expect(await problems(ada, paused, 'free')).toEqual([])
  await plane.db
    .updateTable('platform.projects')
    .set({ compute_size: 'large' })
    .where('ref', '=', paused)
    .execute()
  expect(await problems(ada, paused, 'free')).toEqual(['compute_size_not_included'])
})

/** How many wait for a lock in this database. */
const waiting = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(plane.db)
  return rows[0]?.count
}
test('two at once: one moves it, the other may not take it on from there', async () => {
  await organization(ada, 'Third')
  for (const name of ['C1', 'C2', 'C3']) {
    const ref = await project('source', name)
    // Both have been let through before either has the project: it is somebody's until both wait for it.
    const both = await plane.db.transaction().execute(async (tx) => {
      await tx
        .selectFrom('platform.projects')
        .where('ref', '=', ref)
        .select('id')
        .forUpdate()
        .execute()
      return besideTransactions(async () => {
        const answers = Promise.all([move(ada, ref, 'target'), move(ada, ref, 'third')])
        await expect.poll(waiting).toBe(2)
        return { answers }
      })
    })
    const [won, lost] = (await both.answers).toSorted((a, b) => a.status - b.status)
    expect(won?.status).toBe(200)
    expect(lost).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await ada.call('GET', `/platform/projects/${ref}`)).body).toMatchObject({
      organization_slug: won?.body['organization_slug'],
    })
  }
})

test('afterwards it belongs to the target alone; roles for it are gone; both logs and chains say so', async () => {
  const ref = await project('source', 'Moving')
  const row = await plane.db
    .selectFrom('platform.projects')
    .select('id')
    .where('ref', '=', ref)
    .executeTakeFirstOrThrow()
  const carl = await newcomer(plane, 'carl')
  const guest = { organization_id: ids['source'] ?? '', user_id: carl.userId }
  await plane.db
    .insertInto('platform.members')
    .values({ ...guest, role: null })
    .execute()
  const role = await plane.db
    .insertInto('platform.project_roles')
    .values({ ...guest, base_role: 'Developer' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await plane.db
    .insertInto('platform.project_role_projects')
    .values({ project_id: row.id, user_id: carl.userId, role_id: role.id })
    .execute()
  expect((await carl.call('GET', `/platform/projects/${ref}`)).status).toBe(200)
  expect((await preview(ada, ref, 'target')).body['warnings']).toMatchObject([
    { key: 'plan_is_smaller' },
    {
      key: 'project_roles_end',
      message: '1 member with a role for this project alone will lose it',
    },
    { key: 'members_lose_access' },
  ])

  const moved = await move(ada, ref, 'target')
  expect(moved).toMatchObject({ status: 200, body: { ref, organization_slug: 'target' } })
  expect((await carl.call('GET', `/platform/projects/${ref}`)).status).toBe(404)
  expect(await plane.db.selectFrom('platform.project_roles').selectAll().execute()).toEqual([])
  expect((await bob.call('GET', `/platform/projects/${ref}`)).body).toMatchObject({
    organization_slug: 'target',
  })
  const entries = await plane.db
    .selectFrom('platform.audit_entries')
    .select(['organization_id', 'change'])
    .where('action', '=', 'transfer.run')
    .where('target', '=', `project:${ref}`)
    .orderBy('id')
    .execute()
  expect(entries.map((entry) => entry.organization_id)).toEqual([ids['source'], ids['target']])
  expect(entries[0]?.change).toEqual({
    name: 'Moving',
    before: { organization: 'source' },
    after: { organization: 'target' },
  })
})

test('add-ons that are on are paid by the target from then on', async () => {
  const ref = await project('source', 'Extras')
  await plane.db
    .insertInto('platform.add_on_usage')
    .values({
      organization_id: ids['source'] ?? '',
      project_ref: ref,
      project_name: 'Extras',
      variant: 'cd_default',
      started_at: new Date(Date.now() - 3_600_000),
      ended_at: null,
    })
    .execute()
  expect((await move(ada, ref, 'target')).status).toBe(200)
  const usage = await plane.db
    .selectFrom('platform.add_on_usage')
    .select(['organization_id', 'ended_at'])
    .where('project_ref', '=', ref)
    .orderBy('id')
    .execute()
  expect(usage).toMatchObject([
    { organization_id: ids['source'], ended_at: expect.any(Date) },
    { organization_id: ids['target'], ended_at: null },
  ])
})
