import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAuthUsers, type AuthUsersWorld } from '../../testing/auth-users.ts'

let world: AuthUsersWorld

/** 120 users: every 3rd anonymous, every 5th of the others unverified, every 7th banned, some at the same moment. */
const seed = `
  insert into auth.users (id, email, phone, is_anonymous, email_confirmed_at, banned_until, created_at, last_sign_in_at,
      raw_app_meta_data, raw_user_meta_data)
  select ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid,
    case when i % 3 = 0 then null else 'User' || i || '@Example.com' end,
    case when i % 10 = 1 then '4915' || lpad(i::text, 6, '0') end,
    i % 3 = 0,
    case when i % 3 = 0 or i % 5 = 0 then null else now() end,
    case when i % 7 = 0 then now() + interval '1 day' when i % 7 = 1 then now() - interval '1 day' end,
    '2026-01-01'::timestamptz + (i / 4) * interval '1 minute',
    case when i % 2 = 0 then '2026-02-01'::timestamptz + i * interval '1 second' end,
    case when i % 3 = 0 then '{}' when i % 4 = 0 then '{"providers": ["google", "email"]}' else '{"providers": ["email"]}' end::jsonb,
    jsonb_build_object('full_name', 'Given' || i || ' Lovelace' || (i % 10))
  from generate_series(1, 120) i;
  insert into auth.identities (provider_id, user_id, identity_data, provider)
    select id::text, id, '{}', 'email' from auth.users where not is_anonymous;
  analyze auth.users;`

beforeAll(async () => {
  world = await startAuthUsers()
  await world.sql(seed)
})
afterAll(() => world.planes.end())

/** All pages of a list, by the ids' numbers. */
async function all(query: Record<string, string>): Promise<number[]> {
  const ids: number[] = []
  let cursor: string | null | undefined
  do {
    const page = await world.list({ limit: '7', ...query, ...(cursor ? { cursor } : {}) })
    expect(page.status).toBe(200)
    ids.push(...page.users.map(({ id }) => Number(String(id).slice(-12))))
    cursor = page.next
  } while (cursor)
  return ids
}
const numbers = Array.from({ length: 120 }, (_, at) => at + 1)

test.each(['created_at', 'last_sign_in_at', 'email', 'phone'])(
  'paged by %s both ways, everybody comes once, also who has none',
  async (sort) => {
    const down = await all({ sort, order: 'desc' })
    const up = await all({ sort, order: 'asc' })
    expect(down.toSorted((a, b) => a - b)).toEqual(numbers)
    expect(up).toEqual(down.toReversed())
  },
)

test('a page is the same as the statement that it stands for', async () => {
  const expected = await world.sql(
    'select email from auth.users order by created_at desc, id desc limit 50',
  )
  expect((await world.list({})).emails).toEqual(expected.map(({ email }) => email))
})

test('a cursor of another order is refused', async () => {
  const { next } = await world.list({ sort: 'email' })
  expect(await world.list({ sort: 'phone', cursor: next ?? '' })).toMatchObject({ status: 400 })
  expect(await world.list({ sort: 'email', order: 'asc', cursor: next ?? '' })).toMatchObject({
    status: 400,
  })
})

const is = {
  anonymous: (i: number) => i % 3 === 0,
  verified: (i: number) => i % 3 !== 0 && i % 5 !== 0,
  unverified: (i: number) => i % 3 !== 0 && i % 5 === 0,
  banned: (i: number) => i % 7 === 0,
}
test.each(Object.keys(is) as (keyof typeof is)[])(
  'only %s users, listed and counted',
  async (state) => {
    const expected = numbers.filter(is[state])
    expect((await all({ state, order: 'asc' })).toSorted((a, b) => a - b)).toEqual(expected)
    const { ada, base } = world
    const counted = await ada.call('GET', `${base}/users/count?state=${state}`)
    expect(counted.body).toEqual({ count: expected.length, is_estimate: false })
  },
)

test('only those of a provider', async () => {
  const google = (await all({ provider: 'google' })).toSorted((a, b) => a - b)
  expect(google).toEqual(numbers.filter((i) => i % 3 !== 0 && i % 4 === 0))
})

test.each([
  [
    'the beginning of an address, in any case',
    { search: 'uSER1' },
    (i: number) => i % 3 !== 0 && String(i).startsWith('1'),
  ],
  ['a part of an address is not found by index', { search: 'xample' }, () => false],
  [
    'a part of an address',
    { search: 'ser11', match: 'contains' },
    (i: number) => [11, 110, 112, 113, 115, 116, 118, 119].includes(i),
  ],
  [
    'the beginning of a number, written as people do',
    { search: '+49 15 0000-1' },
    (i: number) => [11].includes(i),
  ],
  ['a whole id', { search: '00000000-0000-4000-8000-000000000042' }, (i: number) => i === 42],
  [
    'the beginning of an id',
    { search: '00000000-0000-4000-8000-00000000011', field: 'id' },
    (i: number) => i >= 110 && i < 120,
  ],
  ['a word of the metadata', { search: 'lovelace7' }, (i: number) => i % 10 === 7],
  [
    'the beginnings of two words',
    { search: 'Given12 lovel', field: 'metadata' },
    (i: number) => i === 12 || i === 120,
  ],
  [
    'a part of the metadata',
    { search: 'ven12 L', field: 'metadata', match: 'contains' },
    (i: number) => i === 12,
  ],
  ['only where it is looked for', { search: 'lovelace7', field: 'email' }, () => false],
  ['signs that mean something to LIKE', { search: '%', match: 'contains' }, () => false],
  ['signs that mean something to SQL', { search: "' & | ! :* \\" }, () => false],
  [
    'together with a filter',
    { search: 'lovelace0', state: 'anonymous' },
    (i: number) => i % 30 === 0,
  ],
] as [string, Record<string, string>, (i: number) => boolean][])(
  'search: %s',
  async (_, query, expected) => {
    const found = (await all(query)).toSorted((a, b) => a - b)
    expect(found).toEqual(numbers.filter(expected))
    const { ada, base } = world
    const counted = await ada.call('GET', `${base}/users/count?${new URLSearchParams(query)}`)
    expect(counted.body).toEqual({ count: found.length, is_estimate: false })
  },
)

test('audit entries: newest first, by action, actor, user and time, in pages', async () => {
  const { ada, base, create, planes } = world
  const email = 'audited@example.com'
  const id = await create({ email, password: 'correct horse 1' })
  await planes.auth('/token?grant_type=password', { email, password: 'correct horse 1' })
  const audit = async (query: Record<string, string>) => {
    const answer = await ada.call('GET', `${base}/audit-logs?${new URLSearchParams(query)}`)
    const entries = answer.body['entries'] as { created_at: string; payload: { action: string } }[]
    return { ...answer.body, actions: entries.map(({ payload }) => payload.action), entries }
  }
  const everything = await audit({})
  const times = everything.entries.map(({ created_at }) => Date.parse(created_at))
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  expect((await audit({ user: id })).actions).toEqual(['login', 'user_signedup'])
  expect((await audit({ actor: 'Audited@example.com' })).actions).toEqual(['login'])
  expect((await audit({ actor: id })).actions).toEqual(['login'])
  expect((await audit({ action: 'user_signedup', user: id })).actions).toEqual(['user_signedup'])
  expect((await audit({ action: 'user_deleted', user: id })).actions).toEqual([])
  expect((await audit({ from: new Date(Date.now() + 60_000).toISOString() })).actions).toEqual([])
  const first = await audit({ limit: '1', user: id })
  const second = await audit({ limit: '1', user: id, cursor: String(Reflect.get(first, 'next')) })
  expect([...first.actions, ...second.actions]).toEqual(['login', 'user_signedup'])
  expect(Reflect.get(second, 'next')).toBeNull()
})

test('how far back they go is for the plan', async () => {
  const { ada, base, planes } = world
  await world.sql(`insert into auth.audit_log_entries (id, payload, created_at)
    values (gen_random_uuid(), '{"action": "long_ago"}', now() - interval '2 hours'),
      (gen_random_uuid(), '{"action": "very_long_ago"}', now() - interval '8 days')`)
  const actions = async () => {
    const { body } = await ada.call('GET', `${base}/audit-logs?limit=100`)
    return (body['entries'] as { payload: { action: string } }[]).map(
      ({ payload }) => payload.action,
    )
  }
  expect(await actions()).toContain('long_ago')
  expect(await actions()).not.toContain('very_long_ago')
  const plan = (tier: string) =>
    sql`update platform.organizations set tier = ${tier} where slug = 'acme'`.execute(
      planes.plane.db,
    )
  await plan('tier_free')
  expect(await actions()).not.toContain('long_ago')
  await plan('tier_pro')
})

test('the overview adds up to what the tables hold', async () => {
  const { ada, base } = world
  const { body } = await ada.call('GET', `${base}/overview?days=30`)
  const [truth] = await world.sql(`select (select count(*)::int from auth.users) as users,
    (select count(*)::int from auth.sessions) as sessions`)
  expect(body).toMatchObject({
    users: { count: truth?.['users'], is_estimate: false },
    anonymous: { count: 40 },
    banned: 17,
    sessions: { count: truth?.['sessions'] },
    providers: [{ provider: 'email', count: 81 }],
  })
  const days = (name: string) => body[name] as { day: string; count: number }[]
  expect(days('new_users')).toHaveLength(30)
  const today = new Date().toISOString().slice(0, 10)
  expect(days('new_users').at(-1)).toEqual({ day: today, count: 1 })
  expect(days('sign_ins').at(-1)).toEqual({ day: today, count: 1 })
})

test('while the organization is restricted, users are seen and not changed', async () => {
  const { ada, base, planes } = world
  const become = (status: string | null) =>
    sql`update platform.organizations set restriction_status = ${status} where slug = 'acme'`.execute(
      planes.plane.db,
    )
  await become('restricted')
  // Settings that change make the data plane ask anew, as the billing round does when it restricts.
  await planes.set({ JWT_EXP: 3001 })
  expect(await ada.call('POST', `${base}/users`, { email: 'late@example.com' })).toMatchObject({
    status: 402,
    body: { code: 'organization_restricted' },
  })
  expect((await world.list({})).users).toHaveLength(50)
  await become(null)
  await planes.set({ JWT_EXP: 3002 })
  expect(await ada.call('POST', `${base}/users`, { email: 'late@example.com' })).toMatchObject({
    status: 201,
  })
})

test('a stopped project says so', async () => {
  const { ada, base, planes } = world
  const { ref } = planes
  expect(await ada.call('POST', `/platform/projects/${ref}/pause`)).toMatchObject({ status: 200 })
  await expect
    .poll(async () => (await ada.call('GET', `${base}/users`)).body)
    .toMatchObject({ code: 'project_unreachable', message: expect.stringContaining('pause') })
})
