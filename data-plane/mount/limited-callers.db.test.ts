import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import ws from 'ws'
import { createCallerLimits } from '../gateway/caller-limits.ts'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'

/** How often one caller of a project's data API and GraphQL may ask. */
let plane: TestDataPlane
/** Every test has users of its own: what was counted stays. */
let count = 0
let user: string

beforeAll(async () => {
  plane = await startDataPlane(
    'create table books (id int primary key); insert into books values (1)',
  )
  await limit('3')
})
afterAll(() => plane.close())
beforeEach(() => {
  user = `user ${(count += 1)}`
})

async function limit(perMinute: string | undefined) {
  const own = `alter role authenticator in database ${plane.database.name}`
  await plane.sql(
    `${own} ${perMinute === undefined ? 'reset pgrst.rate_limit' : `set pgrst.rate_limit = '${perMinute}'`};
    notify pgrst, 'reload config'`,
  )
  // The notice has arrived when a request that needs a newer schema has caught up.
  await fetch(`${plane.url}/rest/v1/nothing_${(count += 1)}`, {
    headers: { apikey: plane.project.serviceKey },
  })
}

type Options = { token?: string; headers?: Record<string, string>; path?: string }
async function ask({ token, headers = {}, path = '/rest/v1/books' }: Options = {}) {
  const { anonKey } = plane.project
  const bearer = token ?? plane.token({ role: 'authenticated', sub: user })
  const body = JSON.stringify({ query: '{ __typename }' })
  return fetch(plane.url + path, {
    headers: {
      apikey: anonKey,
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(path.startsWith('/graphql') ? { method: 'POST', body } : {}),
  })
}
const statuses = async (times: number, options: () => Options = () => ({})) => {
  const found: number[] = []
  for (let n = 0; n < times; n++) found.push((await ask(options())).status)
  return found
}

test('who asks too often is told when to come back, by each service in its own shape', async () => {
  expect(await statuses(4)).toEqual([200, 200, 200, 429])
  const refused = await ask({ headers: { origin: 'https://app.example.com' } })
  expect(refused.status).toBe(429)
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThanOrEqual(1)
  expect(wait).toBeLessThanOrEqual(20)
  expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After')
  expect(await refused.json()).toEqual({
    code: 'over_request_rate_limit',
    details: null,
    hint: null,
    message: `More than 3 requests in a minute are not answered; try again in ${wait} seconds`,
  })
  const graphql = await ask({ path: '/graphql/v1' })
  expect(graphql.status).toBe(429)
  expect(Number(graphql.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(await graphql.json()).toMatchObject({
    errors: [{ extensions: { code: 'over_request_rate_limit' } }],
  })
})

test('the public client is refused with the reason', async () => {
  const { anonKey } = plane.project
  const client = createClient(plane.url, anonKey, {
    accessToken: async () => plane.token({ role: 'authenticated', sub: user }),
    // The two packages declare the same constructor differently.
    realtime: { transport: ws as never },
  })
  for (let n = 0; n < 3; n++) expect((await client.from('books').select()).error).toBeNull()
  const { error, status } = await client.from('books').select()
  expect([status, error?.code]).toEqual([429, 'over_request_rate_limit'])
})

test('one user is one caller, whatever else the requests say', async () => {
  let n = 0
  const disguised = (): Options => ({
    token: plane.token({ role: 'authenticated', sub: user, jti: `${n}`, session_id: `${n}` }),
    headers: {
      'x-forwarded-for': `10.0.0.${(n += 1)}`,
      forwarded: `for=10.0.0.${n}`,
      'x-client-info': `${n}`,
    },
    path: n % 2 ? '/graphql/v1' : '/rest/v1/books?select=id',
  })
  expect(await statuses(6, disguised)).toEqual([200, 200, 200, 429, 429, 429])
  // The same user at a secret key is the same caller, and another user is another.
  expect(await statuses(1, () => ({ headers: { apikey: plane.project.serviceKey } }))).toEqual([
    429,
  ])
  user = 'somebody else'
  expect(await statuses(1)).toEqual([200])
})

test('tokens that are none count for the address, and an address does not make up others', async () => {
  let n = 0
  const forged = () => ({
    token: `${plane.token({ role: 'authenticated', sub: `made up ${(n += 1)}` })}x`,
    headers: { 'x-forwarded-for': `10.1.0.${n}`, 'x-real-ip': `10.1.0.${n}` },
  })
  expect(await statuses(5, forged)).toEqual([401, 401, 401, 429, 429])
  // Who has no user is the key at that address.
  expect(await statuses(1, () => ({ token: plane.project.anonKey }))).toEqual([429])
  expect(await statuses(1)).toEqual([200])
})

test('a limit that is none, and none at all, let everything through', async () => {
  for (const value of ['many', '0', '-1', '1.5', undefined]) {
    await limit(value)
    expect(await statuses(5), value).toEqual([200, 200, 200, 200, 200])
  }
  await limit('3')
})

test('what a caller may ask comes back evenly, and rested callers are forgotten', () => {
  let now = 0
  const waitOf = createCallerLimits<object>(() => now)
  const [project, other] = [{}, {}]
  for (let n = 0; n < 60; n++) expect(waitOf(project, 'a', 60)).toBeUndefined()
  expect(waitOf(project, 'a', 60)).toBe(1)
  expect(waitOf(other, 'a', 60)).toBeUndefined()
  now += 1000
  expect(waitOf(project, 'a', 60)).toBeUndefined()
  expect(waitOf(project, 'a', 60)).toBe(1)
  // A limit that is lowered counts at once, and waiting does not pile up.
  now += 3_600_000
  expect(waitOf(project, 'a', 1)).toBeUndefined()
  expect(waitOf(project, 'a', 1)).toBe(60)
  // As many others as are remembered push out nobody who goes on asking.
  for (let n = 0; n < 100_000; n++) {
    waitOf(project, `other ${n}`, 60)
    if (n % 5000 === 0) expect(waitOf(project, 'a', 1)).toBe(60)
  }
})
