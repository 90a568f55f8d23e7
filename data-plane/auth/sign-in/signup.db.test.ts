import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  follow,
  lastMail,
  newEmail,
  password,
  startAuthServer,
  type TestServer,
  type TestTenant,
} from '../../testing/auth/server.ts'

let server: TestServer
/** Addresses count as confirmed at once. */
let open: TestTenant
/** Addresses must be confirmed by mail. */
let strict: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  open = await server.tenant('open', { mailerAutoconfirm: true })
  strict = await server.tenant('strict')
})
afterAll(() => server.close())

const refusals: [string, object, number, string][] = [
  ['no password', { email: 'a@example.com' }, 400, 'validation_failed'],
  ['an empty password', { email: 'a@example.com', password: '' }, 400, 'validation_failed'],
  ['a short password', { email: 'a@example.com', password: '12345' }, 422, 'weak_password'],
  ['73 bytes', { email: 'a@example.com', password: 'é'.repeat(37) }, 422, 'validation_failed'],
  ['no address', { email: 'nobody', password }, 400, 'validation_failed'],
  ['two addresses', { email: 'a@example.com,b@example.com', password }, 400, 'validation_failed'],
  ['a line break', { email: 'a@example.com\r\nBcc: b@c.de', password }, 400, 'validation_failed'],
  [
    'a long address',
    { email: `${'a'.repeat(250)}@example.com`, password },
    400,
    'validation_failed',
  ],
  ['a phone number', { phone: '+4915112345678', password }, 400, 'phone_provider_disabled'],
  ['nothing at all', {}, 422, 'anonymous_provider_disabled'],
  ['data that is a list', { email: 'a@example.com', password, data: [] }, 400, 'validation_failed'],
  [
    'a challenge without method',
    { email: 'a@example.com', password, code_challenge: 'a'.repeat(43) },
    400,
    'validation_failed',
  ],
]
test.each(refusals)('signup is refused for %s', async (_, body, status, code) => {
  const response = await open.call('POST', '/signup', body)
  expect(response.status).toBe(status)
  expect(response.headers.get('x-sb-error-code')).toBe(code)
  expect(await response.json()).toMatchObject({ code: status, error_code: code })
  expect(await open.sql(`select 1 from auth.users where email = 'a@example.com'`)).toEqual([])
})

test('a weak password says why', async () => {
  const tenant = await server.tenant('picky', {
    mailerAutoconfirm: true,
    passwordMinLength: 8,
    passwordRequiredCharacters: ['abcdefghijklmnopqrstuvwxyz', '0123456789'],
  })
  const body = { email: newEmail(), password: 'abcdefg' }
  const response = await tenant.call('POST', '/signup', body)
  expect(await response.json()).toMatchObject({
    error_code: 'weak_password',
    weak_password: { reasons: ['length', 'characters'] },
  })
  const { error } = await tenant.client().auth.signUp(body)
  expect(error).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length', 'characters'] })
})

test('signup is refused when it is switched off', async () => {
  const closed = await server.tenant('closed', { disableSignup: true, anonymousEnabled: true })
  const body = { email: newEmail(), password }
  const { error } = await closed.client().auth.signUp(body)
  expect(error).toMatchObject({ status: 422, code: 'signup_disabled' })
  expect((await closed.client().auth.signInAnonymously()).error?.code).toBe('signup_disabled')
  expect(await closed.sql('select 1 from auth.users')).toEqual([])
})

test('without confirmation a sign-up is a session', async () => {
  const email = newEmail()
  const client = open.client()
  const { data, error } = await client.auth.signUp({
    email: email.toUpperCase(),
    password,
    options: { data: { name: 'Ada', __proto__x: 1 } },
  })
  expect(error).toBeNull()
  expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
  expect(data.user).toMatchObject({
    email,
    aud: 'authenticated',
    role: 'authenticated',
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { name: 'Ada' },
    identities: [{ provider: 'email', email, identity_data: { email, email_verified: false } }],
    is_anonymous: false,
  })
  const claims = await client.auth.getClaims(data.session?.access_token)
  expect(claims.data?.claims).toMatchObject({
    iss: open.externalUrl,
    sub: data.user?.id,
    aud: 'authenticated',
    role: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: expect.any(Number) }],
    session_id: expect.any(String),
    is_anonymous: false,
  })
  expect(claims.data?.header).toMatchObject({ alg: 'HS256', typ: 'JWT', kid: expect.any(String) })
  const [entry] = await open.sql(
    `select payload ->> 'action' as action from auth.audit_log_entries where payload ->> 'actor_id' = $1`,
    [data.user?.id],
  )
  expect(entry).toEqual({ action: 'user_signedup' })
})

test('without confirmation a taken address is refused and nothing changes', async () => {
  const body = { email: newEmail(), password }
  await open.client().auth.signUp(body)
  const { error } = await open.client().auth.signUp({ ...body, password: 'another one' })
  expect(error).toMatchObject({ status: 422, code: 'user_already_exists' })
  expect((await open.client().auth.signInWithPassword(body)).error).toBeNull()
})

test('an invitation cannot be taken over by signing up without a mail', async () => {
  const email = newEmail()
  await open.client(open.serviceKey).auth.admin.inviteUserByEmail(email)
  const { error } = await open.client().auth.signUp({ email, password })
  expect(error?.code).toBe('user_already_exists')
})

test('with confirmation a sign-up waits for the mail', async () => {
  const email = newEmail()
  const { data } = await strict
    .client()
    .auth.signUp({ email, password, options: { data: { a: 1 } } })
  expect(data.session).toBeNull()
  expect(data.user?.confirmation_sent_at).toBeDefined()
  expect(data.user?.identities).toHaveLength(1)
  expect(data.user?.email_confirmed_at).toBeUndefined()
  const early = await strict.client().auth.signInWithPassword({ email, password })
  expect(early.error).toMatchObject({ status: 400, code: 'email_not_confirmed' })

  const { url, mail } = lastMail(strict, email)
  expect(mail.kind).toBe('confirmation')
  expect(url.href.startsWith(`${strict.externalUrl}/verify?`)).toBe(true)
  const { to, values } = await follow(url)
  expect(to).toBe('http://localhost:3000/')
  expect(values.get('type')).toBe('signup')
  const client = strict.client()
  const session = await client.auth.setSession({
    access_token: values.get('access_token') ?? '',
    refresh_token: values.get('refresh_token') ?? '',
  })
  expect(session.error).toBeNull()
  expect(session.data.user?.email_confirmed_at).toBeDefined()
  expect((await strict.client().auth.signInWithPassword({ email, password })).error).toBeNull()
})

test('with confirmation nobody learns that an address is taken', async () => {
  const email = newEmail()
  await strict.client().auth.signUp({ email, password })
  await follow(lastMail(strict, email).url)
  const sent = strict.mails.length
  const again = await strict.client().auth.signUp({ email, password: 'another one' })
  const fresh = await strict.client().auth.signUp({ email: newEmail(), password })
  expect(again.error).toBeNull()
  expect(again.data.user?.identities).toEqual([])
  const names = (user: object | null) => Object.keys(user ?? {}).toSorted()
  expect(names(again.data.user)).toEqual(names(fresh.data.user))
  expect(strict.mails.slice(sent).filter((mail) => mail.to === email)).toEqual([])
  expect((await strict.client().auth.signInWithPassword({ email, password })).error).toBeNull()
})

test('of two sign-ups that nobody confirmed the last one counts', async () => {
  const email = newEmail()
  await strict.client().auth.signUp({ email, password: 'the first one' })
  const first = lastMail(strict, email).url
  await strict.client().auth.signUp({ email, password })
  expect((await follow(first)).values.get('error_code')).toBe('otp_expired')
  await follow(lastMail(strict, email).url)
  expect((await strict.client().auth.signInWithPassword({ email, password })).error).toBeNull()
  const old = await strict.client().auth.signInWithPassword({ email, password: 'the first one' })
  expect(old.error?.code).toBe('invalid_credentials')
})

test.each(['open', 'strict'] as const)('parallel sign-ups in %s make one account', async (name) => {
  const tenant = name === 'open' ? open : strict
  const email = newEmail()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => tenant.call('POST', '/signup', { email, password })),
  )
  const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b)
  const others = name === 'open' ? 422 : 200
  expect(statuses).toEqual([200, ...Array<number>(7).fill(others)])
  const rows = await tenant.sql('select id from auth.users where email = $1', [email])
  expect(rows).toHaveLength(1)
})

test('an anonymous user gets a session, and an account by confirming an address', async () => {
  const tenant = await server.tenant('guests', { anonymousEnabled: true })
  const client = tenant.client()
  const { data } = await client.auth.signInAnonymously({ options: { data: { cart: [1] } } })
  expect(data.user).toMatchObject({ is_anonymous: true, user_metadata: { cart: [1] } })
  const early = await client.auth.updateUser({ password })
  expect(early.error).toMatchObject({ status: 422, code: 'validation_failed' })
  const email = newEmail()
  expect((await client.auth.updateUser({ email })).data.user).toMatchObject({ new_email: email })
  await follow(lastMail(tenant, email).url)
  const { data: now } = await client.auth.getUser()
  expect(now.user).toMatchObject({ id: data.user?.id, email, is_anonymous: false })
  expect(now.user?.app_metadata).toMatchObject({ provider: 'email', providers: ['email'] })
})
