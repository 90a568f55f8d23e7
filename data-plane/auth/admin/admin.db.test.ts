import { hash } from '@node-rs/bcrypt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newEmail, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
let tenant: TestTenant
let headers: Record<string, string>

beforeAll(async () => {
  server = await startAuthServer()
  tenant = await server.tenant('main', { uriAllowList: ['https://app.example.com'] })
  headers = { authorization: `Bearer ${tenant.serviceKey}` }
})
afterAll(() => server.close())

const admin = () => tenant.client(tenant.serviceKey).auth.admin
async function newUser(attributes: object = {}): Promise<{ id: string; email: string }> {
  const email = newEmail()
  const { data, error } = await admin().createUser({
    email,
    password,
    email_confirm: true,
    ...attributes,
  })
  if (error) throw error
  return { id: data.user.id, email }
}
const signIn = (email: string, given = password) =>
  tenant.client().auth.signInWithPassword({ email, password: given })

const endpoints: [string, string][] = [
  ['GET', '/admin/users'],
  ['POST', '/admin/users'],
  ['GET', '/admin/users/00000000-0000-4000-8000-000000000000'],
  ['PUT', '/admin/users/00000000-0000-4000-8000-000000000000'],
  ['DELETE', '/admin/users/00000000-0000-4000-8000-000000000000'],
  ['POST', '/admin/generate_link'],
  ['POST', '/invite'],
]
test.each(endpoints)('%s %s is only for the service key', async (method, path) => {
  const { email } = await newUser()
  const { data } = await signIn(email)
  const body = method === 'GET' ? undefined : {}
  const status = async (authorization?: string) => {
    const given: Record<string, string> = authorization ? { authorization } : {}
    const response = await tenant.call(method, path, body, given)
    return [response.status, response.headers.get('x-sb-error-code')]
  }
  expect(await status()).toEqual([401, 'no_authorization'])
  expect(await status('Bearer x.y.z')).toEqual([403, 'bad_jwt'])
  expect(await status(`Bearer ${tenant.anonKey}`)).toEqual([403, 'not_admin'])
  expect(await status(`Bearer ${data.session?.access_token}`)).toEqual([403, 'not_admin'])
})

test('the service key is also taken from the apikey header', async () => {
  const response = await tenant.call('GET', '/admin/users', undefined, {
    apikey: tenant.serviceKey,
  })
  expect(response.status).toBe(200)
})

test.each(['1', 'not-a-uuid', '00000000-0000-4000-8000-000000000000', '%00', "'"])(
  'user %s is not found',
  async (id) => {
    for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE', {}]] as const) {
      const response = await tenant.call(method, `/admin/users/${id}`, body, headers)
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ error_code: 'user_not_found' })
    }
  },
)

const existing = newEmail()
test.each([
  ['neither address nor phone', {}, 400, 'validation_failed'],
  ['a bad address', { email: 'x' }, 400, 'validation_failed'],
  ['a bad phone number', { phone: 'abc' }, 400, 'validation_failed'],
  ['a taken address', { email: existing }, 422, 'email_exists'],
  ['a taken phone number', { phone: '4915199999999' }, 422, 'phone_exists'],
  ['a weak password', { email: 'n@example.com', password: '1' }, 422, 'weak_password'],
  ['a foreign hash', { email: 'n@example.com', password_hash: '$1$x' }, 400, 'validation_failed'],
  [
    'a hash of cost 31',
    { email: 'n@example.com', password_hash: `$2b$31$${'a'.repeat(53)}` },
    400,
    'validation_failed',
  ],
  ['a bad id', { id: '1', email: 'n@example.com' }, 400, 'validation_failed'],
  ['a bad ban', { email: 'n@example.com', ban_duration: 'soon' }, 400, 'validation_failed'],
])('creating a user is refused for %s', async (_, body, status, code) => {
  await tenant.sql(
    `insert into auth.users (id, email, phone) values (gen_random_uuid(), $1, '4915199999999') on conflict do nothing`,
    [existing],
  )
  const response = await tenant.call('POST', '/admin/users', body, headers)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error_code: code })
})

test('a user is created with everything that was given', async () => {
  const id = crypto.randomUUID()
  const email = newEmail()
  const { data } = await admin().createUser({
    id,
    email: email.toUpperCase(),
    phone: '+49 151 2345678',
    password_hash: await hash(password, 5),
    email_confirm: true,
    user_metadata: { name: 'Ada' },
    app_metadata: { plan: 'pro' },
    role: 'editor',
  })
  expect(data.user).toMatchObject({
    id,
    email,
    phone: '491512345678',
    role: 'editor',
    user_metadata: { name: 'Ada' },
    app_metadata: { provider: 'email', providers: ['email', 'phone'], plan: 'pro' },
  })
  const identities = data.user?.identities?.map(({ provider }) => provider).toSorted()
  expect(identities).toEqual(['email', 'phone'])
  const session = await signIn(email)
  expect(session.data.user?.role).toBe('editor')
  const twice = await tenant.call('POST', '/admin/users', { id, email: newEmail() }, headers)
  expect(twice.status).toBe(409)
})

test('parallel creates of one address make one user', async () => {
  const email = newEmail()
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => tenant.call('POST', '/admin/users', { email }, headers)),
  )
  const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b)
  expect(statuses).toEqual([200, 422, 422, 422, 422, 422])
})

test('an update changes what is given, and merges metadata', async () => {
  const { id, email } = await newUser({
    user_metadata: { a: 1, b: 2 },
    app_metadata: { plan: 'x' },
  })
  const next = newEmail()
  const { data } = await admin().updateUserById(id, {
    email: next,
    user_metadata: { b: null, c: 3 },
    app_metadata: { plan: null, seats: 4 },
  })
  expect(data.user).toMatchObject({ email: next, user_metadata: { a: 1, c: 3 } })
  expect(data.user?.user_metadata).not.toHaveProperty('b')
  expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'], seats: 4 })
  expect((await signIn(email)).error?.code).toBe('invalid_credentials')
  expect((await signIn(next)).error).toBeNull()
  const other = await newUser()
  const taken = await admin().updateUserById(id, { email: other.email })
  expect(taken.error).toMatchObject({ status: 422, code: 'email_exists' })
})

test('a password set by an administrator ends all sessions', async () => {
  const { id, email } = await newUser()
  const client = tenant.client()
  await client.auth.signInWithPassword({ email, password })
  await admin().updateUserById(id, { password: 'set by the admin' })
  expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  expect((await signIn(email, 'set by the admin')).error).toBeNull()
})

test('a ban lasts as long as it says', async () => {
  const { id, email } = await newUser()
  const { data } = await admin().updateUserById(id, { ban_duration: '1h30m' })
  const until = Date.parse(data.user?.banned_until ?? '')
  expect(Math.round((until - Date.now()) / 60_000)).toBe(90)
  expect((await signIn(email)).error?.code).toBe('user_banned')
  const lifted = await admin().updateUserById(id, { ban_duration: 'none' })
  expect(lifted.data.user?.banned_until).toBeUndefined()
  expect((await signIn(email)).error).toBeNull()
})

test('delete removes the user, soft delete keeps a row without a name', async () => {
  const [hard, soft] = [await newUser(), await newUser({ user_metadata: { name: 'Ada' } })]
  expect((await admin().deleteUser(hard.id)).error).toBeNull()
  expect((await admin().getUserById(hard.id)).error).toMatchObject({ status: 404 })
  expect((await admin().deleteUser(hard.id)).error).toMatchObject({ code: 'user_not_found' })
  await signIn(soft.email)
  await admin().deleteUser(soft.id, true)
  const [row] = await tenant.sql('select to_jsonb(u) as json from auth.users u where id = $1', [
    soft.id,
  ])
  expect(JSON.stringify(row)).not.toContain(soft.email)
  expect(JSON.stringify(row)).not.toContain('Ada')
  const known = await tenant.sql('select 1 from auth.identities where user_id = $1', [soft.id])
  expect(known).toEqual([])
  expect((await admin().getUserById(soft.id)).data.user?.deleted_at).toBeDefined()
  expect((await signIn(soft.email)).error?.code).toBe('invalid_credentials')
  const again = await admin().createUser({ email: soft.email, password, email_confirm: true })
  expect(again.error).toBeNull()
})

test('the list is paged, counted, filtered and sorted', async () => {
  const paged = await server.tenant('paged')
  await paged.sql(
    `insert into auth.users (id, email, created_at, raw_user_meta_data)
     select gen_random_uuid(), 'u' || n || '@example.com', now() - n * interval '1 minute',
            jsonb_build_object('full_name', 'Number ' || n)
       from generate_series(1, 7) n`,
  )
  const list = paged.client(paged.serviceKey).auth.admin
  const { data } = await list.listUsers({ page: 2, perPage: 3 })
  expect(data).toMatchObject({ total: 7, nextPage: 3, lastPage: 3, aud: 'authenticated' })
  expect(data.users.map((user) => user.email)).toEqual([
    'u4@example.com',
    'u5@example.com',
    'u6@example.com',
  ])
  const get = (query: string) =>
    paged.call('GET', `/admin/users?${query}`, undefined, { apikey: paged.serviceKey })
  const emails = async (query: string) => {
    const body = (await (await get(query)).json()) as { users: { email: string }[] } // our own answer
    return body.users.map((user) => user.email)
  }
  expect(await emails('filter=Number%203')).toEqual(['u3@example.com'])
  expect(await emails('filter=%25')).toEqual([])
  expect((await emails('sort=email%20asc'))[0]).toBe('u1@example.com')
  expect(await emails('page=9')).toEqual([])
  for (const query of [
    'page=0',
    'page=x',
    'per_page=0',
    'per_page=100000',
    'sort=encrypted_password',
  ]) {
    expect((await get(query)).status).toBe(400)
  }
})
