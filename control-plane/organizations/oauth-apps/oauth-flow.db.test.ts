import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { callWith, client, newVerifier, publish, type App } from '../../testing/oauth-apps.ts'

let plane: TestControlPlane
let ada: Person
let bob: Person
let dev: Person
let app: App
let other: App
let publicApp: App
let clock = Date.now()

beforeAll(async () => {
  plane = await startControlPlane(undefined, undefined, { now: () => new Date(clock) })
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  dev = await newcomer(plane, 'dev')
  await organizationOf(ada, 'Acme', 'tier_pro')
  await organizationOf(ada, 'Beta', 'tier_pro')
  await organizationOf(bob, 'Publisher', 'tier_pro')
  app = await publish(bob, 'publisher')
  other = await publish(bob, 'publisher', { name: 'Other' })
  publicApp = await publish(bob, 'publisher', { name: 'Phone', public: true })
  const { id } = await plane.db
    .selectFrom('platform.organizations')
    .select('id')
    .where('slug', '=', 'acme')
    .executeTakeFirstOrThrow()
  await plane.db
    .insertInto('platform.members')
    .values({ organization_id: id, user_id: dev.userId, role: 'Developer' })
    .execute()
})
afterAll(() => plane.end())

test.each([
  ['of another host', 'https://evil.example/callback'],
  ['with more path', 'https://ledger.example/callback/more'],
  ['with a trailing slash', 'https://ledger.example/callback/'],
  ['with a query', 'https://ledger.example/callback?next=https://evil.example'],
  ['with dots', 'https://ledger.example/x/../callback'],
  ['in other letters', 'https://LEDGER.example/callback'],
  ['with a fragment', 'https://ledger.example/callback#x'],
  ['with a user', 'https://ledger.example@evil.example/callback'],
  ['that is missing', ''],
])('a redirect URI %s gets nothing, and the browser is not sent there', async (_, uri) => {
  const { start, query } = client(plane, app)
  const answer = await start({ ...query({ state: 'x' }), redirect_uri: uri })
  expect(answer).toMatchObject({ status: 400, location: '' })
})

test('an unknown app is refused without a redirect; in a browser by a page of ours', async () => {
  const { start, query } = client(plane, app)
  for (const id of ['11111111-1111-4111-8111-111111111111', "x' or 1=1", '']) {
    expect(await start({ ...query(), client_id: id })).toMatchObject({ status: 401, location: '' })
  }
  const inBrowser = await plane.app.inject({
    url: `/v1/oauth/authorize?client_id=x&redirect_uri=https://evil.example`,
    headers: { accept: 'text/html' },
  })
  expect(inBrowser.headers['location']).toBe('http://localhost:8000/authorize?error=invalid_client')
})

test.each([
  ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
  ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['no challenge method', { code_challenge_method: '' }, 'invalid_request'],
  ['a challenge of wrong length', { code_challenge: 'abc' }, 'invalid_request'],
  ['a scope the app does not have', { scope: 'projects:read projects:write' }, 'invalid_scope'],
])('%s goes back to the app as an error, with its state', async (_, change, error) => {
  const { start, query } = client(plane, app)
  const { location } = await start({
    ...query({ state: 'my state', verifier: newVerifier() }),
    ...change,
  })
  const url = new URL(location)
  expect(url.origin + url.pathname).toBe(app.redirectUri)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({ error, state: 'my state' })
})

test('a parameter that comes twice is refused, whatever it holds', async () => {
  const { query } = client(plane, app)
  const good = new URLSearchParams(query({ state: 'a' })).toString()
  for (const more of ['state=a', 'state=b', `client_id=${other.clientId}`]) {
    const answer = await plane.app.inject({ url: `/v1/oauth/authorize?${good}&${more}` })
    expect(answer.statusCode).toBe(400)
  }
  expect((await plane.app.inject({ url: `/v1/oauth/authorize?${good}` })).statusCode).toBe(303)
})

test('an app without a secret needs PKCE', async () => {
  const { start, query } = client(plane, publicApp)
  const { location } = await start(query())
  expect(new URL(location).searchParams.get('error')).toBe('invalid_request')
})

test('a request is answered once, by who has seen it last, and not after ten minutes', async () => {
  const flow = client(plane, app)
  const id = await flow.authId()
  const path = `/platform/oauth/authorizations/${id}`
  const approve = `/platform/organizations/acme/oauth/authorizations/${id}`
  expect((await ada.call('POST', approve)).status).toBe(404)
  expect(await ada.call('GET', path)).toMatchObject({
    status: 200,
    body: {
      name: 'Ledger sync',
      publisher: 'Publisher',
      sends_to: 'https://ledger.example',
      scopes: ['projects:read', 'organizations:read'],
    },
  })
  expect((await bob.call('DELETE', path)).status).toBe(404)
  await bob.call('GET', path)
  expect((await ada.call('POST', approve)).status).toBe(404)
  await ada.call('GET', path)
  const both = await Promise.all([ada.call('POST', approve), ada.call('POST', approve)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
  expect((await ada.call('GET', path)).status).toBe(404)

  const late = await flow.authId()
  clock += 10 * 60_000 + 1
  expect((await ada.call('GET', `/platform/oauth/authorizations/${late}`)).status).toBe(404)
})

test('declining sends the browser back with access_denied; nothing was granted', async () => {
  const flow = client(plane, app)
  const id = await flow.authId({ state: 's' })
  await dev.call('GET', `/platform/oauth/authorizations/${id}`)
  const { body } = await dev.call('DELETE', `/platform/oauth/authorizations/${id}`)
  const url = new URL(String(body['url']))
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    error: 'access_denied',
    state: 's',
    iss: 'http://localhost:8000',
  })
  expect(url.searchParams.has('code')).toBe(false)
})

test('who may not let apps in cannot approve, nor for an organization they are not in', async () => {
  const flow = client(plane, app)
  const id = await flow.authId()
  await dev.call('GET', `/platform/oauth/authorizations/${id}`)
  const approve = (slug: string) =>
    dev.call('POST', `/platform/organizations/${slug}/oauth/authorizations/${id}`)
  expect(await approve('acme')).toMatchObject({ status: 403, body: { code: 'not_allowed' } })
  expect((await approve('beta')).status).toBe(404)
})

test('a page of another origin cannot approve, and neither can a token', async () => {
  const flow = client(plane, app)
  const { access } = await flow.tokens(ada, 'acme')
  const id = await flow.authId()
  const url = `/platform/organizations/acme/oauth/authorizations/${id}`
  await ada.call('GET', `/platform/oauth/authorizations/${id}`)
  const foreign = await plane.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${ada.token}`, origin: 'https://evil.example' },
  })
  expect(foreign.json()).toMatchObject({ code: 'bad_origin' })
  expect(await callWith(plane, access, 'POST', url)).toMatchObject({
    status: 403,
    body: { code: 'session_required' },
  })
})

test('the whole way: code with state and issuer, tokens that work for an hour', async () => {
  const flow = client(plane, app)
  const verifier = newVerifier()
  const back = await flow.approved(ada, 'acme', { state: 'a b&c', verifier })
  expect(back.origin + back.pathname).toBe(app.redirectUri)
  expect(back.searchParams.get('state')).toBe('a b&c')
  expect(back.searchParams.get('iss')).toBe('http://localhost:8000')
  const { status, body, headers } = await flow.exchange(
    back.searchParams.get('code') ?? '',
    verifier,
  )
  expect(status).toBe(200)
  expect(body).toMatchObject({
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'projects:read organizations:read',
  })
  expect(body['access_token']).toMatch(/^sbp_oauth_[0-9a-f]{40}$/)
  expect(headers['cache-control']).toBe('no-store')
  const access = String(body['access_token'])
  expect((await callWith(plane, access, 'GET', '/platform/organizations/acme')).status).toBe(200)
  clock += 3_600_000
  expect((await callWith(plane, access, 'GET', '/platform/organizations/acme')).status).toBe(401)
})

test('nothing that would open a door is kept as it is', async () => {
  const { access, refresh } = await client(plane, app).tokens(ada, 'acme')
  const rows = JSON.stringify([
    await plane.db.selectFrom('platform.oauth_tokens').selectAll().execute(),
    await plane.db.selectFrom('platform.oauth_apps').selectAll().execute(),
    await plane.db.selectFrom('platform.audit_entries').selectAll().execute(),
  ])
  for (const secret of [access, refresh, app.secret ?? '']) expect(rows).not.toContain(secret)
})

test('HTTP Basic proves an app too; two proofs, or none, do not', async () => {
  const flow = client(plane, app)
  const verifier = newVerifier()
  const code = (await flow.approved(ada, 'acme', { verifier })).searchParams.get('code') ?? ''
  const send = (authorization: string, more: Record<string, string> = {}) =>
    plane.app.inject({
      method: 'POST',
      url: '/v1/oauth/token',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: app.redirectUri,
        code_verifier: verifier,
        ...more,
      }).toString(),
    })
  const basic = (id: string, secret: string) =>
    `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
  const good = basic(app.clientId, app.secret ?? '')
  for (const bad of [
    basic(app.clientId, 'wrong'),
    basic(app.clientId, ''),
    'Basic %',
    'Bearer x',
  ]) {
    const answer = await send(bad)
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({ error: 'invalid_client' })
    expect(answer.headers['www-authenticate']).toContain('Basic')
  }
  expect((await send(good, { client_secret: app.secret ?? '' })).statusCode).toBe(401)
  expect((await send(good, { client_id: other.clientId })).statusCode).toBe(401)
  expect((await send(good)).statusCode).toBe(200)
})
