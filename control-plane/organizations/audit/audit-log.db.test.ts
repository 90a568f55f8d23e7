import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let ada: Person
let bob: Person
let eve: Person
let teamId: string
let clock = Date.now()

const log = '/platform/organizations/team/audit'
type Entry = {
  id: string
  action: { name: string; metadata: object[] }
  actor: { id: string; metadata: { email: string }[] }
  change: { before?: object; after?: object }
}
const resultOf = (body: Record<string, unknown>) => body['result'] as Entry[]
const actionsOf = (body: Record<string, unknown>) => resultOf(body).map(({ action }) => action.name)

beforeAll(async () => {
  plane = await startControlPlane(undefined, undefined, { now: () => new Date(clock) })
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  eve = await newcomer(plane, 'eve')
  teamId = (await organizationOf(ada, 'Team')).id
  await organizationOf(ada, 'Small', 'tier_pro')
  await organizationOf(eve, 'Foreign')
  await plane.db
    .insertInto('platform.members')
    .values({ organization_id: teamId, user_id: bob.userId, role: 'Owner' })
    .execute()
  for (const name of ['One', 'Two', 'Three'])
    await ada.call('PATCH', '/platform/organizations/team', { name })
  await bob.call('PATCH', '/platform/organizations/team', { kind: 'COMPANY', size: '50' })
})
afterAll(() => plane.end())

test('a stranger sees nothing, and below Team the log is not part of the plan', async () => {
  expect((await eve.call('GET', log)).status).toBe(404)
  expect((await eve.call('GET', `${log}/filters`)).status).toBe(404)
  expect((await eve.call('POST', `${log}/verify`)).status).toBe(404)
  const small = '/platform/organizations/small/audit'
  for (const [method, path] of [
    ['GET', small],
    ['GET', `${small}/filters`],
    ['POST', `${small}/verify`],
  ] as const) {
    expect(await ada.call(method, path)).toMatchObject({
      status: 403,
      body: { code: 'plan_limit' },
    })
  }
})

test.each([
  ['user', 'x'],
  ['project', 'X'],
  ['action', "x' or 1=1"],
  ['cursor', '-1'],
  ['limit', '1000'],
  ['iso_timestamp_start', 'yesterday'],
])('a bad %s is refused', async (name, value) => {
  expect((await ada.call('GET', `${log}?${name}=${encodeURIComponent(value)}`)).status).toBe(400)
})

test('newest first, with who, what, the call behind it and what changed', async () => {
  const { status, body } = await ada.call('GET', log)
  expect(status).toBe(200)
  expect(body).toMatchObject({ retention_period: 28, next: null })
  expect(actionsOf(body)).toEqual([
    ...Array.from({ length: 4 }, () => 'organizations.update'),
    'organizations.create',
  ])
  expect(resultOf(body)[0]).toMatchObject({
    action: {
      metadata: [{ method: 'PATCH', route: '/platform/organizations/:slug', status: 200 }],
    },
    actor: { id: bob.userId, type: 'user', metadata: [{ email: 'bob@example.com' }] },
    target: { description: 'organization:team', metadata: { org_slug: 'team' } },
    change: {
      before: { kind: 'PERSONAL', size: null },
      after: { kind: 'COMPANY', size: '50' },
    },
  })
})

test('pages by cursor, without gaps or repetition', async () => {
  const seen: string[] = []
  let cursor = ''
  for (let page = 0; page < 9; page += 1) {
    const { body } = await ada.call('GET', `${log}?limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...resultOf(body).map(({ id }) => id))
    if (typeof body['next'] !== 'string') break
    cursor = body['next']
  }
  expect(seen).toHaveLength(5)
  expect(new Set(seen).size).toBe(5)
})

test('filters: who, which project, which action or its first part', async () => {
  const by = async (query: string) => actionsOf((await ada.call('GET', `${log}?${query}`)).body)
  expect(await by(`user=${bob.userId}`)).toEqual(['organizations.update'])
  expect(await by('action=organizations.create')).toEqual(['organizations.create'])
  expect(await by('action=organizations')).toHaveLength(5)
  expect(await by('action=organ')).toEqual([])
  expect(await by('project=abcdefghijklmnopqrst')).toEqual([])
  const { body } = await ada.call('GET', `${log}/filters`)
  expect(body).toMatchObject({
    users: [
      { id: ada.userId, email: 'ada@example.com' },
      { id: bob.userId, email: 'bob@example.com' },
    ],
    actions: ['organizations.create', 'organizations.update'],
  })
})

test('what lies before the retention is left out, also when it is asked for', async () => {
  clock += 29 * 24 * 3600 * 1000
  const { body } = await ada.call('GET', `${log}?iso_timestamp_start=2000-01-01T00:00:00Z`)
  expect(resultOf(body)).toEqual([])
  expect((await ada.call('GET', `${log}/filters`)).body).toMatchObject({ users: [], actions: [] })
  clock -= 29 * 24 * 3600 * 1000
})

test('a time range is kept to', async () => {
  const future = new Date(clock + 60_000).toISOString()
  const { body } = await ada.call('GET', `${log}?iso_timestamp_start=${future}`)
  expect(resultOf(body)).toEqual([])
  const past = new Date(clock - 3_600_000).toISOString()
  expect(resultOf((await ada.call('GET', `${log}?iso_timestamp_end=${past}`)).body)).toEqual([])
})

test('the chain holds, and shows the first entry that somebody has changed in the database', async () => {
  expect((await ada.call('POST', `${log}/verify`)).body).toEqual({
    intact: true,
    entries: 5,
    broken_at: null,
  })
  const third = await plane.db
    .selectFrom('platform.audit_entries')
    .select('id')
    .where('organization_id', '=', teamId)
    .orderBy('id')
    .offset(2)
    .limit(1)
    .executeTakeFirstOrThrow()
  const tamper = async (change: { target?: string; actor_email?: string; change?: string }) => {
    await plane.db.transaction().execute(async (tx) => {
      // What a person with the database's own superuser could do.
      await sql`set local session_replication_role = replica`.execute(tx)
      await tx
        .updateTable('platform.audit_entries')
        .set(change)
        .where('id', '=', third.id)
        .execute()
    })
  }
  await tamper({ actor_email: 'innocent@example.com' })
  expect((await ada.call('POST', `${log}/verify`)).body).toEqual({
    intact: false,
    entries: 2,
    broken_at: third.id,
  })
  await tamper({ actor_email: 'ada@example.com' })
  expect((await ada.call('POST', `${log}/verify`)).body).toMatchObject({ intact: true })
  await tamper({ change: JSON.stringify({ before: { name: 'One' }, after: { name: 'Else' } }) })
  expect((await ada.call('POST', `${log}/verify`)).body).toMatchObject({ intact: false })
})

test('names are kept and shown as they are, never as code', async () => {
  const name = `<img src=x onerror=alert(1)> "quoted" \u2028 ${'é'.repeat(20)}`
  await eve.call('PATCH', '/platform/organizations/foreign', { name })
  const { body } = await eve.call('GET', '/platform/organizations/foreign/audit?limit=1')
  expect(resultOf(body)[0]?.change.after).toEqual({ name })
  expect(
    (await eve.call('POST', '/platform/organizations/foreign/audit/verify')).body,
  ).toMatchObject({ intact: true })
})
