import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  bearer,
  code,
  json,
  sessionOf,
  signIn,
  victim,
  type Session,
} from '../testing/auth/attack.ts'
import {
  follow,
  lastMail,
  newEmail,
  noLimits,
  password,
  startAuthServer,
} from '../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../testing/auth/server.ts'

/** What attackers try, each story named by them. The same things done rightly are tested beside their features. */
let server: TestServer
/** Sign-ups are sessions at once. */
let open: TestTenant
/** Sign-ups wait for a mail. */
let strict: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  open = await server.tenant('open', { mailerAutoconfirm: true })
  strict = await server.tenant('strict')
})
afterAll(() => server.close())

test('session fixation: a session that was there before is not the one that a sign-in gives', async () => {
  const planted = await victim(open)
  const { user } = await victim(open)
  const answer = await open.call(
    'POST',
    '/token?grant_type=password',
    {
      email: user.email,
      password,
      session_id: sessionOf(planted.access_token),
      refresh_token: planted.refresh_token,
    },
    { ...bearer(planted.access_token), cookie: `sb-access-token=${planted.access_token}` },
  )
  const own = await json<Session>(answer)
  expect(sessionOf(own.access_token)).not.toBe(sessionOf(planted.access_token))
  expect(own.refresh_token).not.toBe(planted.refresh_token)
  // What the attacker planted still is the attacker's, and only that.
  const after = await open.call('GET', '/user', undefined, bearer(planted.access_token))
  expect(await after.json()).toMatchObject({ id: planted.user.id })
})

test('session fixation: a cookie or a query parameter signs nobody in', async () => {
  const { access_token } = await victim(open)
  const cookie = { cookie: `sb-access-token=${access_token}; access_token=${access_token}` }
  const path = `/user?access_token=${access_token}`
  expect(await code(await open.call('GET', path, undefined, cookie))).toEqual([
    401,
    'no_authorization',
  ])
})

/** How many passwords were hashed for an answer; a clock would tell less, and differently each time. */
async function workOf(call: () => Promise<Response>): Promise<{ status: number; hashes: number }> {
  const before = server.auth.hashCount()
  const { status } = await call()
  return { status, hashes: server.auth.hashCount() - before }
}

test('user enumeration: an answer costs the same hashes whoever exists', async () => {
  const known = await victim(open)
  const confirmed = (await victim(strict)).user.email
  const seeded = newEmail()
  await open.sql('insert into auth.users (email, email_confirmed_at) values ($1, now())', [seeded])
  const attempt = (email: string) =>
    workOf(() => open.call('POST', '/token?grant_type=password', { email, password: 'wrong' }))
  for (const email of [known.user.email, newEmail(), seeded, 'no address']) {
    expect(await attempt(email), email).toEqual({ status: 400, hashes: 1 })
  }
  const register = (email: string) =>
    workOf(() => strict.call('POST', '/signup', { email, password }))
  for (const email of [confirmed, newEmail()]) {
    expect(await register(email), email).toEqual({ status: 200, hashes: 1 })
  }
})

test('user enumeration: what is mailed to somebody unknown looks like what is mailed', async () => {
  const known = (await victim(strict)).user.email
  const shapes = [
    ['/recover', {}],
    ['/otp', {}],
    ['/resend', { type: 'signup' }],
    ['/resend', { type: 'email_change' }],
  ] as const
  for (const [path, more] of shapes) {
    const [first, second] = [known, newEmail()].map((email) =>
      strict.call('POST', path, { ...more, email }),
    )
    const [a, b] = [await first, await second]
    expect([a?.status, await a?.text()], path).toEqual([200, '{}'])
    expect([b?.status, await b?.text()], path).toEqual([200, '{}'])
  }
})

test('brute force: guesses that come at the same moment are counted one by one', async () => {
  const few = { points: 3, seconds: 60 }
  const guarded = await server.tenant('guarded', {
    mailerAutoconfirm: true,
    rateLimits: { ...noLimits.rateLimits, passwordFailures: few, otpFailures: few },
  })
  const email = newEmail()
  await guarded.call('POST', '/signup', { email, password })
  const statuses = async (guess: (index: number) => Promise<Response>) =>
    (await Promise.all(Array.from({ length: 12 }, (_, index) => guess(index))))
      .map(({ status }) => status)
      .toSorted((a, b) => a - b)
  const passwords = await statuses((index) =>
    guarded.call('POST', '/token?grant_type=password', { email, password: `guess ${index}` }),
  )
  expect(passwords).toEqual([400, 400, 400, ...Array<number>(9).fill(429)])

  await guarded.call('POST', '/recover', { email })
  const { otp } = lastMail(guarded, email)
  const codes = await statuses((index) =>
    guarded.call('POST', '/verify', {
      type: 'recovery',
      email,
      token: String((Number(otp) + 1 + index) % 1_000_000).padStart(6, '0'),
    }),
  )
  expect(codes).toEqual([403, 403, 403, ...Array<number>(9).fill(429)])
  const right = { type: 'recovery', email, token: otp }
  expect((await guarded.call('POST', '/verify', right)).status).toBe(429)
})

test('an open session gives away neither the password nor the nonce that guards it', async () => {
  const aged = await server.tenant('aged', {
    mailerAutoconfirm: true,
    securePasswordChange: true,
    rateLimits: { ...noLimits.rateLimits, otpFailures: { points: 3, seconds: 60 } },
  })
  const email = newEmail()
  const { access_token } = await json<Session>(
    await aged.call('POST', '/signup', { email, password }),
  )
  await aged.sql(`update auth.sessions set created_at = now() - interval '2 days'`)
  const change = async (body: object) =>
    code(await aged.call('PUT', '/user', body, bearer(access_token)))
  // The right password, and a wrong one, are answered alike, and cost nothing that could be timed.
  const before = server.auth.hashCount()
  for (const guess of [password, 'another guess']) {
    expect(await change({ password: guess })).toEqual([400, 'reauthentication_needed'])
  }
  expect(server.auth.hashCount()).toBe(before)
  await aged.call('GET', '/reauthenticate', undefined, bearer(access_token))
  const { otp } = lastMail(aged, email)
  for (let guess = 1; guess <= 3; guess += 1) {
    const nonce = String((Number(otp) + guess) % 1_000_000).padStart(6, '0')
    expect(await change({ password: 'of the thief', nonce })).toEqual([
      422,
      'reauthentication_not_valid',
    ])
  }
  expect((await change({ password: 'of the thief', nonce: otp }))[0]).toBe(429)
})

test('the present password cannot be guessed where it is asked for', async () => {
  const careful = await server.tenant('careful', {
    mailerAutoconfirm: true,
    requireCurrentPassword: true,
    rateLimits: { ...noLimits.rateLimits, passwordFailures: { points: 2, seconds: 60 } },
  })
  const email = newEmail()
  const { access_token } = await json<Session>(
    await careful.call('POST', '/signup', { email, password }),
  )
  const change = async (current_password: string) => {
    const body = { password: 'of the thief', current_password }
    return (await careful.call('PUT', '/user', body, bearer(access_token))).status
  }
  expect([await change('a'), await change('b'), await change(password)]).toEqual([400, 400, 429])
})

test('mail link host poisoning: no header of a request gets into a mail', async () => {
  const email = newEmail()
  await open.call('POST', '/signup', { email, password })
  const answer = await server.app.inject({
    method: 'POST',
    url: '/open/auth/v1/recover',
    headers: {
      host: 'evil.example.com',
      'x-forwarded-host': 'evil.example.com',
      'x-original-host': 'evil.example.com',
      forwarded: 'host=evil.example.com;proto=https',
      origin: 'https://evil.example.com',
      referer: 'https://evil.example.com/',
    },
    payload: { email, redirect_to: 'https://evil.example.com' },
  })
  expect(answer.statusCode).toBe(200)
  const { mail, url } = lastMail(open, email)
  expect(`${mail.subject}${mail.html}${mail.text}`).not.toContain('evil')
  expect(url.href.startsWith(`${open.externalUrl}/verify?`)).toBe(true)
})

test.each([
  'https://evil.example.com/?http://localhost:3000',
  '//evil.example.com',
  'https://localhost:3000@evil.example.com/',
  'http://localhost:30001/',
  'http://localhost:3000\\@evil.example.com/',
  'javascript:alert(document.domain)//http://localhost:3000',
  'data:text/html,x',
])('open redirect: a link leads home and not to %s', async (target) => {
  const { user } = await victim(open)
  await open.call('POST', `/recover?redirect_to=${encodeURIComponent(target)}`, {
    email: user.email,
  })
  const { url } = lastMail(open, user.email)
  expect(new URL(url.searchParams.get('redirect_to') ?? '').origin).toBe('http://localhost:3000')
  // Nor when the link is changed on its way.
  url.searchParams.set('redirect_to', target)
  const { to, values } = await follow(url)
  expect(values.has('access_token')).toBe(true)
  expect(new URL(to).origin).toBe('http://localhost:3000')
})

const greedy = {
  id: '11111111-1111-4111-8111-111111111111',
  role: 'service_role',
  aud: 'admin',
  is_super_admin: true,
  is_sso_user: true,
  is_anonymous: true,
  app_metadata: { role: 'admin' },
  raw_app_meta_data: { role: 'admin' },
  email_confirm: true,
  email_confirmed_at: '2020-01-01T00:00:00Z',
  confirmed_at: '2020-01-01T00:00:00Z',
  banned_until: '2099-01-01T00:00:00Z',
  encrypted_password: 'x',
  created_at: '2000-01-01T00:00:00Z',
  factors: [{ status: 'verified' }],
  identities: [{ provider: 'github', id: '1' }],
}

test('mass assignment: what a sign-up or an update adds on its own account is ignored', async () => {
  const email = newEmail()
  await strict.call('POST', '/signup', { ...greedy, email, password, data: { name: 'Eve' } })
  const rows = () =>
    strict.sql(
      `select id::text, role, aud, is_super_admin, is_sso_user, is_anonymous, raw_app_meta_data, banned_until,
              email_confirmed_at is null as unconfirmed, raw_user_meta_data, created_at > now() - interval '1 hour' as fresh,
              (select count(*)::int from auth.mfa_factors f where f.user_id = u.id) as factors
         from auth.users u where email = $1`,
      [email],
    )
  const modest = {
    role: 'authenticated',
    aud: 'authenticated',
    is_super_admin: null,
    is_sso_user: false,
    is_anonymous: false,
    raw_app_meta_data: { provider: 'email', providers: ['email'] },
    raw_user_meta_data: { name: 'Eve' },
    banned_until: null,
    fresh: true,
    factors: 0,
  }
  const [made] = await rows()
  expect(made).toMatchObject({ ...modest, unconfirmed: true })
  expect(made?.['id']).not.toBe(greedy.id)

  const { values } = await follow(lastMail(strict, email).url)
  const headers = bearer(values.get('access_token') ?? '')
  const update = await strict.call('PUT', '/user', { ...greedy, data: { name: 'Eve' } }, headers)
  expect(update.status).toBe(200)
  expect((await rows())[0]).toMatchObject({ ...modest, id: made?.['id'], unconfirmed: false })

  const other = newEmail()
  await strict.call('POST', '/otp', { ...greedy, email: other })
  const [byMail] = await strict.sql('select * from auth.users where email = $1', [other])
  expect(byMail).toMatchObject({ role: 'authenticated', is_super_admin: null, is_sso_user: false })
  expect(byMail?.['raw_app_meta_data']).toEqual(modest.raw_app_meta_data)
})

test('account pre-hijack: who signs up first with a foreign address keeps no way in', async () => {
  const email = newEmail()
  const thief = 'the word of the thief'
  await strict.call('POST', '/signup', { email, password: thief, data: { owner: 'thief' } })
  const planted = lastMail(strict, email)
  await strict.call('POST', '/signup', { email, password, data: { owner: 'victim' } })
  const { values } = await follow(lastMail(strict, email).url)
  expect(values.has('access_token')).toBe(true)
  const old = await strict.call('POST', '/token?grant_type=password', { email, password: thief })
  expect(await code(old)).toEqual([400, 'invalid_credentials'])
  expect((await follow(planted.url)).values.get('error_code')).toBe('otp_expired')
  const { user } = await signIn(strict, email)
  expect(user).toMatchObject({ user_metadata: { owner: 'victim' } })
})

test('account pre-hijack: a sign-up that waits does not survive the owner signing in by mail', async () => {
  const email = newEmail()
  await strict.call('POST', '/signup', { email, password: 'the word of the thief' })
  await strict.call('POST', '/otp', { email })
  const { values } = await follow(lastMail(strict, email).url)
  expect(values.has('access_token')).toBe(true)
  const body = { email, password: 'the word of the thief' }
  const old = await strict.call('POST', '/token?grant_type=password', body)
  expect(await code(old)).toEqual([400, 'invalid_credentials'])
})
