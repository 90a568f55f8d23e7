import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  person,
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let ada: Person
const listed = (body: Record<string, unknown>) => Object.values(body) as Record<string, unknown>[]

const found = (who: Person, name: string) => organizationOf(who, name, 'tier_free')
const join = (organization: { id: string }, who: Person, role: 'Owner' | 'Developer') =>
  plane.db
    .insertInto('platform.members')
    .values({ organization_id: organization.id, user_id: who.userId, role })
    .execute()
const end = (who: Person, email = who.email) =>
  who.call('DELETE', `/platform/profile?email=${encodeURIComponent(email)}`)

beforeAll(async () => {
  plane = await startControlPlane()
  ada = await newcomer(plane, 'ada')
})
afterAll(() => plane.end())

test.each([
  ['a line break', { first_name: 'A\nda' }],
  ['a name too long', { last_name: 'x'.repeat(65) }],
  ['no username', { username: '   ' }],
  ['a number', { username: 5 }],
])('a profile with %s is refused', async (_, change) => {
  const answer = await ada.call('PATCH', '/platform/profile', change)
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
})

test('a profile is changed in what is given, and in nothing else', async () => {
  const named = await ada.call('PATCH', '/platform/profile', {
    first_name: ' Ada ',
    last_name: 'Lovelace',
    primary_email: 'root@example.com',
    disabled_features: ['x'],
    free_project_limit: 99,
    id: 1_000_000,
    user_id: '00000000-0000-0000-0000-000000000000',
  })
  expect(named).toMatchObject({
    status: 200,
    body: {
      first_name: 'Ada',
      last_name: 'Lovelace',
      username: 'ada',
      primary_email: 'ada@example.com',
      disabled_features: [],
      gotrue_id: ada.userId,
    },
  })
  const renamed = await ada.call('PATCH', '/platform/profile', { last_name: '', username: 'lady' })
  expect(renamed.body).toMatchObject({ first_name: 'Ada', last_name: null, username: 'lady' })
  expect((await ada.call('GET', '/platform/profile')).body).toEqual(renamed.body)
})

test('who has no profile can change none', async () => {
  const nobody = person(plane, 'nobody@example.com')
  const answer = await nobody.call('PATCH', '/platform/profile', { username: 'x' })
  expect(answer).toMatchObject({ status: 404, body: { code: 'user_profile_not_found' } })
})

test('the own audit log shows what one did, newest first, in pages, and nothing of others', async () => {
  const eve = await newcomer(plane, 'eve')
  const evil = await found(eve, 'Evil')
  const names = ['One', 'Two', 'Three']
  for (const username of names) await ada.call('PATCH', '/platform/profile', { username })
  const acme = await found(ada, 'Acme')

  const whole = await ada.call('GET', '/platform/profile/audit')
  const entries = whole.body['result'] as { action: { name: string }; occurred_at: string }[]
  expect(whole.body).toMatchObject({ retention_period: 28, next: null })
  expect(entries[0]).toMatchObject({
    action: {
      name: 'organizations.create',
      metadata: [{ method: 'POST', route: '/platform/organizations', status: 201 }],
    },
    actor: { id: ada.userId, type: 'user', metadata: [{ email: 'ada@example.com' }] },
    target: { description: `organization:${acme.slug}`, metadata: { org_slug: acme.slug } },
  })
  expect(JSON.stringify(entries)).not.toContain(evil.slug)

  const paged = []
  for (let cursor = '', rounds = 0; rounds < 20; rounds += 1) {
    const page = await ada.call('GET', `/platform/profile/audit?limit=2${cursor}`)
    paged.push(...(page.body['result'] as typeof entries))
    const { next } = page.body
    if (typeof next !== 'string') break
    cursor = `&cursor=${next}`
  }
  expect(paged).toEqual(entries)

  const since = encodeURIComponent(entries[0]?.occurred_at ?? '')
  const late = await ada.call('GET', `/platform/profile/audit?date_start=${since}`)
  expect(late.body['result']).toEqual([entries[0]])
  const some = await ada.call('GET', `/platform/profile/audit?search=ORGANIZATION%3A${acme.slug}`)
  expect(some.body['result']).toEqual([entries[0]])
  const none = await ada.call('GET', '/platform/profile/audit?search=%25')
  expect(none.body['result']).toEqual([])
  const early = await ada.call('GET', `/platform/profile/audit?date_end=2020-01-01T00:00:00Z`)
  expect(early.body['result']).toEqual([])
})

test.each(['?limit=0', '?limit=101', '?cursor=x', '?date_start=yesterday', '?cursor=-1'])(
  'an audit log with %s is refused',
  async (query) => {
    expect((await ada.call('GET', `/platform/profile/audit${query}`)).status).toBe(400)
  },
)

test('the own audit log does not reach back behind its days', async () => {
  const old = await newcomer(plane, 'old')
  const days = (count: number) => new Date(Date.now() - count * 24 * 3600_000)
  for (const [action, occurred_at] of [
    ['a.older', days(29)],
    ['a.newer', days(27)],
  ] as const) {
    await plane.db
      .insertInto('platform.audit_entries')
      .values({
        organization_id: null,
        actor_id: old.userId,
        actor_email: old.email,
        action,
        target: 'x',
        change: '{}',
        ip: null,
        user_agent: null,
        request_id: null,
        occurred_at,
        previous_hash: '',
        hash: '',
      })
      .execute()
  }
  const start = encodeURIComponent(days(100).toISOString())
  const { body } = await old.call('GET', `/platform/profile/audit?date_start=${start}`)
  expect(body['result']).toMatchObject([{ action: { name: 'a.newer', metadata: [] } }])
})

test('an account ends only for who names it', async () => {
  const ann = await newcomer(plane, 'ann')
  for (const email of ['', 'ada@example.com', 'ann'])
    expect(await end(ann, email)).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  expect((await ann.call('GET', '/platform/profile')).status).toBe(200)
})

test('who has a second factor shows it before the account ends', async () => {
  const ann = await newcomer(plane, 'factor')
  plane.world.facts.set(ann.userId, { mfaEnabled: true, isSsoUser: false })
  expect(await end(ann)).toMatchObject({ status: 403, body: { code: 'mfa_required' } })
  const proven = person(plane, ann.email, ann.userId, 'aal2')
  expect((await end(proven)).status).toBe(200)
})

test('who has not shown the second factor gets nowhere', async () => {
  const half = Buffer.from(`user ${ada.userId} ${ada.email} half`).toString('base64url')
  for (const url of ['/platform/profile', '/platform/organizations', '/v1/projects']) {
    const answer = await plane.app.inject({ url, headers: { authorization: `Bearer ${half}` } })
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({ code: 'second_factor_missing' })
  }
})

test('the only owner of an organization cannot leave it alone', async () => {
  const one = await newcomer(plane, 'one')
  const two = await newcomer(plane, 'two')
  const shared = await found(one, 'Shared')
  await found(one, 'Alone')
  await join(shared, two, 'Owner')
  expect(listed((await one.call('GET', '/platform/profile/sole-ownerships')).body)).toEqual([
    { slug: 'alone', name: 'Alone' },
  ])
  const refused = await end(one)
  expect(refused).toMatchObject({ status: 409, body: { code: 'sole_owner' } })
  expect(refused.body['message']).toContain('Alone')
  expect(refused.body['message']).not.toContain('Shared')
  expect((await one.call('GET', '/platform/organizations/shared')).status).toBe(200)
  // The other owner is free to go; then the first is the only one there too.
  expect((await end(two)).status).toBe(200)
  expect((await end(one)).body['message']).toContain('Shared')
})

test('of two owners who leave at once one stays', async () => {
  const one = await newcomer(plane, 'left')
  const two = await newcomer(plane, 'right')
  const pair = await found(one, 'Pair')
  await join(pair, two, 'Owner')
  const both = await Promise.all([end(one), end(two)])
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
})

test('with an account ends all it had: tokens, memberships, private snippets and the login', async () => {
  const gone = await newcomer(plane, 'gone')
  const team = await found(ada, 'Team')
  await join(team, gone, 'Developer')
  const made = await gone.call('POST', '/platform/profile/access-tokens', { name: 'ci' })
  const token = String(made.body['token'])
  expect(await end(gone, ' GONE@example.com ')).toMatchObject({
    status: 200,
    body: { primary_email: 'gone@example.com' },
  })
  const answer = await plane.app.inject({
    url: '/platform/profile',
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.statusCode).toBe(401)
  await expect.poll(() => plane.world.removed.has(gone.userId)).toBe(true)
  const members = await ada.call('GET', `/platform/organizations/${team.slug}/members`)
  expect(listed(members.body).map((member) => member['primary_email'])).toEqual([ada.email])

  const row = await plane.db
    .selectFrom('platform.profiles')
    .selectAll()
    .where('user_id', '=', gone.userId)
    .executeTakeFirstOrThrow()
  expect(JSON.stringify(row)).not.toContain('gone@')
  const told = await plane.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'target', 'organization_id'])
    .where('actor_id', '=', gone.userId)
    .where('action', '=', 'profile.remove')
    .orderBy('id')
    .execute()
  expect(told).toEqual([
    { action: 'profile.remove', target: `member:${gone.userId}`, organization_id: team.id },
    { action: 'profile.remove', target: `account:${gone.userId}`, organization_id: null },
  ])
})
