import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAuthUsers, type AuthUsersWorld } from '../../testing/auth-users.ts'

let world: AuthUsersWorld
beforeAll(async () => {
  world = await startAuthUsers()
})
afterAll(() => world.planes.end())

const nobody = randomUUID()
const newEmail = () => `${randomUUID()}@example.com`
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const changes: [method: Method, path: string, body?: object][] = [
  ['POST', '/users', { email: 'x@example.com' }],
  ['PATCH', `/users/${nobody}`, { ban_duration: '24h' }],
  ['DELETE', `/users/${nobody}`],
  ['POST', '/users/delete', { ids: [nobody] }],
  ['DELETE', `/users/${nobody}/factors`],
  ['DELETE', `/users/${nobody}/factors/${nobody}`],
  ['DELETE', `/users/${nobody}/sessions`],
  ['DELETE', `/users/${nobody}/sessions/${nobody}`],
  ['POST', '/invite', { email: 'x@example.com' }],
  ['POST', '/magiclink', { email: 'x@example.com' }],
  ['POST', '/otp', { phone: '4915112345678' }],
  ['POST', '/recover', { email: 'x@example.com' }],
]
const looks = ['/users', '/users/count', `/users/${nobody}`, '/audit-logs', '/overview']

test.each(changes)(
  '%s %s: strangers find no project, Read-only members may not',
  async (method, path, body) => {
    const { base, stranger, reader } = world
    expect(await stranger.call(method, base + path, body)).toMatchObject({ status: 404 })
    expect(await reader.call(method, base + path, body)).toMatchObject({
      status: 403,
      body: { code: 'not_allowed' },
    })
  },
)

test.each(looks)('%s: strangers find nothing, Read-only members see', async (path) => {
  const { base, stranger, reader } = world
  expect(await stranger.call('GET', base + path)).toMatchObject({ status: 404 })
  const seen = await reader.call('GET', base + path)
  // The one about a user says that there is none.
  expect(seen.status).toBe(path.endsWith(nobody) ? 404 : 200)
})

test.each([
  ['GET', '/users?limit=0'],
  ['GET', '/users?limit=201'],
  ['GET', '/users?sort=encrypted_password'],
  ['GET', '/users?state=strange'],
  ['GET', '/users?cursor=nonsense'],
  ['GET', `/users?cursor=${Buffer.from('["created_at desc","x","y"]').toString('base64url')}`],
  [
    'GET',
    `/users?cursor=${Buffer.from(`["created_at desc","'; drop","${nobody}"]`).toString('base64url')}`,
  ],
  ['GET', '/users/1'],
  ['GET', '/audit-logs?from=yesterday'],
  ['GET', '/audit-logs?cursor=x'],
  ['GET', '/overview?days=365'],
  ['POST', '/users', {}],
  ['POST', '/users', { email: 'no address' }],
  ['POST', '/users', { email: 'a@example.com', password: 'x' }],
  ['POST', '/users/delete', { ids: [] }],
  ['POST', '/users/delete', { ids: ['1'] }],
  ['POST', '/invite', { email: 'no address' }],
  ['POST', '/magiclink', {}],
  ['POST', '/otp', { phone: 'no number' }],
] as [Method, string, object?][])('%s %s %o is a bad request', async (method, path, body) => {
  const answer = await world.ada.call(method, world.base + path, body)
  expect(answer).toMatchObject({ status: 400 })
  expect(answer.body['requestId']).toBeTypeOf('string')
})

test('who does not exist can be neither seen nor changed', async () => {
  const { ada, base } = world
  const missing = { status: 404, body: { code: 'auth_user_not_found' } }
  for (const [method, path, body] of changes) {
    if (!path.includes(nobody) || path.endsWith(`factors/${nobody}`)) continue
    expect(await ada.call(method, base + path, body)).toMatchObject(missing)
  }
  const gone = { ids: [nobody] }
  expect(await ada.call('POST', `${base}/users/delete`, gone)).toMatchObject({
    body: { deleted: 0 },
  })
  expect(await ada.call('POST', `${base}/magiclink`, { email: newEmail() })).toMatchObject({
    status: 400,
  })
})

test('a Developer creates a user, who signs in; the address is taken then', async () => {
  const { developer, base, create, planes } = world
  const email = newEmail()
  const id = await create({ email, password: 'correct horse 1' }, developer)
  const signedIn = await planes.auth('/token?grant_type=password', {
    email,
    password: 'correct horse 1',
  })
  expect(signedIn.status).toBe(200)
  expect(await developer.call('POST', `${base}/users`, { email })).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
  const { body } = await developer.call('GET', `${base}/users/${id}`)
  expect(body).toMatchObject({
    user: { id, email, providers: ['email'], has_password: true, role: 'authenticated' },
    identities: [{ provider: 'email' }],
    factors: [],
    sessions: [{ aal: 'aal1' }],
  })
  expect(JSON.stringify(body)).not.toMatch(/\$2[aby]\$|encrypted_password|_token/)
})

test('the audit log of the organization tells who changed which user, and no address of theirs', async () => {
  const { developer, ada, base, create, planes } = world
  const email = newEmail()
  const id = await create({ email, password: 'correct horse 1' }, developer)
  await ada.call('PATCH', `${base}/users/${id}`, { ban_duration: '24h', user_metadata: { a: 1 } })
  await ada.call('POST', `${base}/users`, { email })
  await ada.call('GET', `${base}/users/${id}`)
  await ada.call('DELETE', `${base}/users/${id}`)
  const entries = await planes.plane.db
    .selectFrom('platform.audit_entries')
    .select(['action', 'actor_email', 'target', 'change'])
    .where('action', 'like', 'authUsers.%')
    .where(sql<boolean>`change::text like ${`%${id}%`}`)
    .orderBy('id')
    .execute()
  const target = `project:${planes.ref}`
  expect(entries).toEqual([
    {
      action: 'authUsers.create',
      actor_email: 'developer@example.com',
      target,
      change: { after: { id } },
    },
    {
      action: 'authUsers.update',
      actor_email: ada.email,
      target,
      change: { after: { id, ban_duration: '24h' } },
    },
    { action: 'authUsers.remove', actor_email: ada.email, target, change: { after: { id } } },
  ])
})

test('without auto confirm the user waits', async () => {
  const id = await world.create({ email: newEmail(), auto_confirm: false })
  const { body } = await world.ada.call('GET', `${world.base}/users/${id}`)
  expect(body).toMatchObject({ user: { confirmed_at: null, has_password: false } })
})

test('a ban has an end and can be lifted; metadata becomes exactly what is given', async () => {
  const { ada, base, create, planes } = world
  const email = newEmail()
  const id = await create({ email, password: 'correct horse 1' })
  const change = (body: object) => ada.call('PATCH', `${base}/users/${id}`, body)
  const user = async () =>
    (await ada.call('GET', `${base}/users/${id}`)).body['user'] as Record<string, unknown>
  expect(await change({ ban_duration: 'long' })).toMatchObject({ status: 400 })
  expect(await change({ ban_duration: '24h' })).toMatchObject({ status: 200 })
  expect(Date.parse(String((await user())['banned_until'])) - Date.now()).toBeGreaterThan(
    23 * 3600_000,
  )
  const refused = await planes.auth('/token?grant_type=password', {
    email,
    password: 'correct horse 1',
  })
  expect(refused.json).toMatchObject({ error_code: 'user_banned' })
  await change({ ban_duration: 'none' })
  expect((await user())['banned_until']).toBeNull()

  await change({ user_metadata: { full_name: 'Ada Lovelace', tier: 'gold' } })
  await change({
    user_metadata: { tier: 'silver' },
    app_metadata: { provider: 'email', roles: [1] },
  })
  expect(await user()).toMatchObject({
    raw_user_meta_data: { tier: 'silver' },
    raw_app_meta_data: { provider: 'email', roles: [1] },
  })
  expect((await user())['raw_user_meta_data']).not.toHaveProperty('full_name')
  expect(await change({ user_metadata: { big: 'x'.repeat(70_000) } })).toMatchObject({
    status: 400,
  })
})

test('sessions end one by one or all together, at once for their users', async () => {
  const { ada, base, create, planes } = world
  const email = newEmail()
  const id = await create({ email, password: 'correct horse 1' })
  const signIn = () =>
    planes.auth('/token?grant_type=password', { email, password: 'correct horse 1' })
  const tokens = [await signIn(), await signIn(), await signIn()].map(({ json }) =>
    String(json['access_token']),
  )
  const alive = () =>
    Promise.all(tokens.map(async (token) => (await planes.auth('/user', undefined, token)).status))
  expect(await alive()).toEqual([200, 200, 200])
  const { body } = await ada.call('GET', `${base}/users/${id}`)
  const [session] = body['sessions'] as { id: string }[]
  const ended = await ada.call('DELETE', `${base}/users/${id}/sessions/${session?.id}`)
  expect(ended.body).toEqual({ ended: 1 })
  expect((await alive()).filter((status) => status === 200)).toHaveLength(2)
  expect((await ada.call('DELETE', `${base}/users/${id}/sessions`)).body).toEqual({ ended: 2 })
  expect(await alive()).toEqual([403, 403, 403])
})

test('second factors are taken away one by one or all together', async () => {
  const { ada, base, create, planes } = world
  const email = newEmail()
  const id = await create({ email, password: 'correct horse 1' })
  const { json } = await planes.auth('/token?grant_type=password', {
    email,
    password: 'correct horse 1',
  })
  const token = String(json['access_token'])
  for (const friendly_name of ['one', 'two', 'three'])
    await planes.auth('/factors', { factor_type: 'totp', friendly_name }, token)
  const factors = async () =>
    (await ada.call('GET', `${base}/users/${id}`)).body['factors'] as { id: string }[]
  const [first, ...rest] = await factors()
  expect(JSON.stringify([first])).not.toContain('secret')
  expect(await ada.call('DELETE', `${base}/users/${id}/factors/${first?.id}`)).toMatchObject({
    status: 200,
  })
  expect(await factors()).toHaveLength(rest.length)
  const all = await ada.call('DELETE', `${base}/users/${id}/factors`)
  expect(all.body).toEqual({ removed: rest.length })
  expect(await factors()).toEqual([])
})

test('invitations, links and password resets arrive as mails; too many at once are refused', async () => {
  const { ada, base, create, planes } = world
  const invited = newEmail()
  expect(await ada.call('POST', `${base}/invite`, { email: invited })).toMatchObject({
    status: 200,
  })
  expect(await planes.mailsTo(invited)).toHaveLength(1)
  const email = newEmail()
  await create({ email })
  expect(await ada.call('POST', `${base}/magiclink`, { email })).toMatchObject({ status: 200 })
  expect(await planes.mailsTo(email)).toHaveLength(1)
  expect(await ada.call('POST', `${base}/recover`, { email })).toMatchObject({
    status: 429,
    body: { code: 'rate_limited' },
  })
  const other = newEmail()
  await create({ email: other })
  expect(await ada.call('POST', `${base}/recover`, { email: other })).toMatchObject({ status: 200 })
  expect(await planes.mailsTo(other)).toHaveLength(1)
})

test('deleting takes one, or many together', async () => {
  const { ada, base, create } = world
  const ids = await Promise.all([1, 2, 3].map(() => create({ email: newEmail() })))
  expect(await ada.call('DELETE', `${base}/users/${ids[0]}`)).toMatchObject({ status: 200 })
  expect((await ada.call('POST', `${base}/users/delete`, { ids })).body).toEqual({ deleted: 2 })
  for (const id of ids)
    expect(await ada.call('GET', `${base}/users/${id}`)).toMatchObject({ status: 404 })
})
