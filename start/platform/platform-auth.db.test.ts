import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { password, startPlatformAuth } from '../testing/platform-auth.ts'

let platform: Awaited<ReturnType<typeof startPlatformAuth>>
beforeAll(async () => {
  platform = await startPlatformAuth()
})
afterAll(() => platform.end())

test('a page of another origin cannot sign anybody up', async () => {
  const signUp = (email: string, origin: string) =>
    platform.call('POST', '/signup', { email, password }, { origin })
  expect((await signUp('eve@example.com', 'https://evil.example')).status).toBe(403)
  expect((await signUp('ada@example.com', 'http://localhost:8000')).status).toBe(200)
})

test('the token of a person is believed until their session ends', async () => {
  const bob = await platform.person('bob@example.com')
  expect(await platform.auth.verifyToken(bob.token)).toMatchObject({ email: 'bob@example.com' })
  expect((await bob.call('POST', '/logout')).status).toBe(204)
  expect(await platform.auth.verifyToken(bob.token)).toBeUndefined()
})

test.each(['', 'x', 'a.b.c', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.'])(
  '%j is no token',
  async (text) => {
    expect(await platform.auth.verifyToken(text)).toBeUndefined()
  },
)

test('a session that another one revokes is over at once, for the platform too', async () => {
  const here = await platform.person('carol@example.com')
  const there = await platform.person('carol@example.com', 'token?grant_type=password')
  const { body } = await here.call('GET', '/sessions')
  // The list's shape is what this test is about.
  const list = body['sessions'] as { id: string; current: boolean }[]
  expect(list.filter(({ current }) => current)).toHaveLength(1)
  expect(list).toHaveLength(2)
  const other = list.find(({ current }) => !current)
  expect((await here.call('DELETE', `/sessions/${other?.id}`)).status).toBe(204)
  expect(await platform.auth.verifyToken(there.token)).toBeUndefined()
  expect(await platform.auth.verifyToken(here.token)).toMatchObject({ userId: here.id })
})

test('the facts of people, their sessions and their end', async () => {
  const { facts, revokeSessions, remove } = platform.auth.people
  const [dan, fay] = [
    await platform.person('dan@example.com'),
    await platform.person('fay@example.com'),
  ]
  const stranger = '00000000-0000-4000-8000-000000000000'
  await platform.sql('update auth.users set is_sso_user = true where id = $1', [fay.id])
  const factor = await dan.call('POST', '/factors', { factor_type: 'totp', friendly_name: 'App' })
  expect(await facts([dan.id, fay.id, stranger])).toEqual(
    new Map([
      [dan.id, { mfaEnabled: false, isSsoUser: false }],
      [fay.id, { mfaEnabled: false, isSsoUser: true }],
    ]),
  )
  // What an enrolment answers is the auth service's contract.
  const { secret } = factor.body['totp'] as { secret: string }
  const path = `/factors/${String(factor.body['id'])}`
  const challenge = await dan.call('POST', `${path}/challenge`)
  const answer = { challenge_id: challenge.body['id'], code: generateSync({ secret }) }
  const raised = await dan.call('POST', `${path}/verify`, answer)
  expect(raised.status).toBe(200)
  expect(await facts([dan.id])).toEqual(new Map([[dan.id, { mfaEnabled: true, isSsoUser: false }]]))
  // The token from before the second factor is that of somebody who has not shown it.
  expect(await platform.auth.verifyToken(dan.token)).toMatchObject({
    aal: 'aal1',
    secondFactorMissing: true,
  })
  const strong = String(raised.body['access_token'])
  expect(await platform.auth.verifyToken(strong)).toMatchObject({ aal: 'aal2' })

  await revokeSessions(dan.id)
  expect(await platform.auth.verifyToken(strong)).toBeUndefined()
  await remove(fay.id)
  await remove(fay.id)
  expect(await platform.auth.verifyToken(fay.token)).toBeUndefined()
  expect(await facts([fay.id])).toEqual(new Map())
  expect((await platform.person('fay@example.com')).id).not.toBe(fay.id)
})

test('without a mail server a change of address still has to be confirmed, and the profile follows', async () => {
  const [old, fresh] = ['gus@example.com', 'gustav@example.com']
  const gus = await platform.person(old)
  await platform.sql(
    `insert into platform.profiles (user_id, auth0_id, username, primary_email) values ($1, $2, 'gus', $3)`,
    [gus.id, `email|${gus.id}`, old],
  )
  const primary = async () => {
    const query = 'select primary_email from platform.profiles where user_id = $1'
    return (await platform.sql(query, [gus.id]))[0]?.['primary_email']
  }
  const pending = await gus.call('PUT', '/user', { email: fresh })
  expect(pending.body).toMatchObject({ email: old, new_email: fresh })
  expect(pending.body['email_change_sent_at']).toEqual(expect.any(String))
  // Taken back, its links lead nowhere.
  const stale = platform.linkTo(fresh)
  const cancelled = await gus.call('DELETE', '/user/email_change')
  expect(cancelled.body).toMatchObject({ email: old })
  expect(cancelled.body).not.toHaveProperty('new_email')
  expect(cancelled.body).not.toHaveProperty('email_change_sent_at')
  await platform.call('GET', stale)
  expect((await gus.call('GET', '/user')).body).toMatchObject({ email: old })

  // The interval between two mails for one purpose is per address; another day it is over.
  const later = 'gustavus@example.com'
  await gus.call('PUT', '/user', { email: later })
  await platform.call('GET', platform.linkTo(later))
  expect((await gus.call('GET', '/user')).body).toMatchObject({ email: old, new_email: later })
  expect(await primary()).toBe(old)
  await platform.call('GET', platform.linkTo(old))
  expect((await gus.call('GET', '/user')).body).toMatchObject({ email: later })
  expect(await primary()).toBe(later)
  expect(await platform.auth.verifyToken(gus.token)).toMatchObject({ email: later })
})

test('a password change needs a session younger than a day, or a code from the mail', async () => {
  const ida = await platform.person('ida@example.com')
  await platform.sql(
    `update auth.sessions set created_at = now() - interval '25 hours' where user_id = $1`,
    [ida.id],
  )
  const change = (more: object) => ida.call('PUT', '/user', { password: 'An0ther-one!', ...more })
  expect((await change({})).body).toMatchObject({ error_code: 'reauthentication_needed' })
  expect((await change({ nonce: '000000' })).status).toBe(422)
  expect((await ida.call('GET', '/reauthenticate')).status).toBe(200)
  const mail = platform.mails.findLast(({ recipient }) => recipient === 'ida@example.com')
  const nonce = /^Code: (\d+)$/m.exec(mail?.text ?? '')?.[1]
  expect((await change({ nonce })).status).toBe(200)
})

test.each([
  [
    'dashboard_auth:sign_up',
    'POST',
    '/signup',
    { email: 'x@example.com', password },
    'signup_disabled',
  ],
  [
    'dashboard_auth:sign_in_with_email',
    'POST',
    '/token?grant_type=password',
    { email: 'x@example.com', password },
    'email_provider_disabled',
  ],
  [
    'dashboard_auth:sign_in_with_sso',
    'POST',
    '/sso',
    { domain: 'example.com' },
    'saml_provider_disabled',
  ],
  [
    'dashboard_auth:sign_in_with_github',
    'GET',
    '/authorize?provider=github',
    undefined,
    'validation_failed',
  ],
] as const)('%s off is refused by the server', async (feature, method, path, body, code) => {
  const github = { PLINTH_GITHUB_CLIENT_ID: 'a', PLINTH_GITHUB_CLIENT_SECRET: 'b' }
  const [open, closed] = [
    await startPlatformAuth(github),
    await startPlatformAuth({ ...github, PLINTH_DISABLED_FEATURES: feature }),
  ]
  try {
    expect((await open.call(method, path, body)).body['error_code']).not.toBe(code)
    expect(await closed.call(method, path, body)).toMatchObject({ body: { error_code: code } })
  } finally {
    await open.end()
    await closed.end()
  }
})

test('closed sign-up admits who is invited, while the invitation is open', async () => {
  const closed = await startPlatformAuth({ PLINTH_DISABLED_FEATURES: 'dashboard_auth:sign_up' })
  try {
    const signUp = (email: string) => closed.call('POST', '/signup', { email, password })
    const [organization] = await closed.sql(
      `insert into platform.organizations (slug, name, kind, tier) values ('acme', 'Acme', 'PERSONAL', 'tier_free') returning id`,
    )
    for (const [email, days, revoked] of [
      ['ada@example.com', 1, false],
      ['late@example.com', -1, false],
      ['gone@example.com', 1, true],
    ] as const)
      await closed.sql(
        `insert into platform.invitations
           (organization_id, email, role, token_hash, invited_by, invited_by_email, expires_at, closed_at)
         values ($1, $2, 'Developer', $2, gen_random_uuid(), 'owner@example.com',
           now() + $3 * interval '1 day', case when $4 then now() end)`,
        [organization?.['id'], email, days, revoked],
      )
    for (const email of ['late@example.com', 'gone@example.com', 'eve@example.com'])
      expect(await signUp(email)).toMatchObject({ body: { error_code: 'signup_disabled' } })
    expect((await signUp('Ada@example.com')).status).toBe(200)
  } finally {
    await closed.end()
  }
})
