import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api'
import type { Endpoint } from '#contract/endpoint'
import {
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import {
  callWith,
  client,
  everything,
  newVerifier,
  publish,
  type App,
} from '../../testing/oauth-apps.ts'

let plane: TestControlPlane
let ada: Person
let bob: Person
let app: App
let other: App
let publicApp: App
let clock = Date.now()

const codeOf = (url: URL) => url.searchParams.get('code') ?? ''
const acme = '/platform/organizations/acme'
const works = async (token: string) => (await callWith(plane, token, 'GET', acme)).status
const refused = { status: 400, body: { error: 'invalid_grant' } }

beforeAll(async () => {
  plane = await startControlPlane(undefined, undefined, { now: () => new Date(clock) })
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  await organizationOf(ada, 'Acme', 'tier_pro')
  await organizationOf(ada, 'Beta', 'tier_pro')
  await organizationOf(bob, 'Publisher', 'tier_pro')
  app = await publish(bob, 'publisher')
  other = await publish(bob, 'publisher', { name: 'Other' })
  publicApp = await publish(bob, 'publisher', { name: 'Phone', public: true })
})
afterAll(() => plane.end())

test('a code that comes back is dead, and takes the tokens of the first exchange with it', async () => {
  const flow = client(plane, app)
  const verifier = newVerifier()
  const code = codeOf(await flow.approved(ada, 'acme', { verifier }))
  const first = await flow.exchange(code, verifier)
  expect(await works(String(first.body['access_token']))).toBe(200)
  expect(await flow.exchange(code, verifier)).toMatchObject(refused)
  expect(await works(String(first.body['access_token']))).toBe(401)
  expect(await flow.refresh(String(first.body['refresh_token']))).toMatchObject(refused)
})

test('of two who bring one code at once, at most one gets tokens, and they are ended', async () => {
  const flow = client(plane, app)
  const verifier = newVerifier()
  const code = codeOf(await flow.approved(ada, 'acme', { verifier }))
  const answers = await Promise.all([flow.exchange(code, verifier), flow.exchange(code, verifier)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  const token = answers.map(({ body }) => body['access_token']).find(Boolean)
  expect(await works(String(token))).toBe(401)
})

test('a code is worth nothing to another app, at another address, or after ten minutes', async () => {
  const flow = client(plane, app)
  const verifier = newVerifier()
  const fresh = async () => codeOf(await flow.approved(ada, 'acme', { verifier }))
  expect(
    await client(plane, other).exchange(await fresh(), verifier, { redirect_uri: app.redirectUri }),
  ).toMatchObject(refused)
  expect(
    await flow.exchange(await fresh(), verifier, { redirect_uri: 'https://evil.example/' }),
  ).toMatchObject(refused)
  const late = await fresh()
  clock += 10 * 60_000 + 1
  expect(await flow.exchange(late, verifier)).toMatchObject(refused)
})

test('PKCE: a wrong, missing or unexpected verifier is refused, and there is no second try', async () => {
  const flow = client(plane, app)
  const verifier = newVerifier()
  for (const wrong of [undefined, newVerifier(), 'short', verifier.slice(0, -1)]) {
    const code = codeOf(await flow.approved(ada, 'acme', { verifier }))
    expect(await flow.exchange(code, wrong)).toMatchObject(refused)
    expect(await flow.exchange(code, verifier)).toMatchObject(refused)
  }
  // The challenge was cut out of the request: the verifier that comes anyway shows it.
  const downgraded = codeOf(await flow.approved(ada, 'acme'))
  expect(await flow.exchange(downgraded, verifier)).toMatchObject(refused)
})

test('an app without a secret uses its verifier alone, and a secret does not help it', async () => {
  const flow = client(plane, publicApp)
  const { access } = await flow.tokens(ada, 'acme')
  expect(await works(access)).toBe(200)
  const verifier = newVerifier()
  const code = codeOf(await flow.approved(ada, 'acme', { verifier }))
  expect(await flow.exchange(code, verifier, { client_secret: 'x' })).toMatchObject({
    status: 401,
    body: { error: 'invalid_client' },
  })
})

test('a refresh token works once; coming back it ends the whole family', async () => {
  const flow = client(plane, app)
  const first = await flow.tokens(ada, 'acme')
  expect(await client(plane, other).refresh(first.refresh)).toMatchObject(refused)
  const second = await flow.refresh(first.refresh)
  expect(second.status).toBe(200)
  const access = String(second.body['access_token'])
  expect(await works(access)).toBe(200)
  expect(await flow.refresh(first.refresh)).toMatchObject(refused)
  expect(await works(access)).toBe(401)
  expect(await flow.refresh(String(second.body['refresh_token']))).toMatchObject(refused)
})

test('a refresh can give less than before, never more; an access token is no refresh token', async () => {
  const flow = client(plane, app)
  const first = await flow.tokens(ada, 'acme', { scope: 'projects:read organizations:read' })
  expect(await flow.refresh(first.access)).toMatchObject(refused)
  expect(await flow.refresh(first.refresh, { scope: 'projects:write' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_scope' },
  })
  const less = await flow.refresh(first.refresh, { scope: 'projects:read' })
  expect(less.body['scope']).toBe('projects:read')
  expect(await works(String(less.body['access_token']))).toBe(403)
  expect(
    await flow.refresh(String(less.body['refresh_token']), { scope: 'organizations:read' }),
  ).toMatchObject({ body: { error: 'invalid_scope' } })
  expect((await callWith(plane, first.refresh, 'GET', acme)).status).toBe(401)
})

test('a token is for its organization alone, though the person has others', async () => {
  const { access } = await client(plane, app).tokens(ada, 'acme')
  expect(await works(access)).toBe(200)
  expect(await callWith(plane, access, 'GET', '/platform/organizations/beta')).toMatchObject({
    status: 404,
    body: { code: 'organization_not_found' },
  })
  const listed = await callWith(plane, access, 'GET', '/platform/organizations')
  expect(listed.body).toMatchObject([{ slug: 'acme' }])
  expect(listed.body).toHaveLength(1)
  const v1 = await callWith(plane, access, 'GET', '/v1/organizations')
  expect(v1.body).toMatchObject([{ slug: 'acme' }])
  expect(v1.body).toHaveLength(1)
})

test('keys of a project are not among its settings without the scope for secrets', async () => {
  const { body } = await ada.call('POST', '/platform/projects', {
    name: 'Vault',
    organization_slug: 'acme',
    db_pass: 'a long and winding password 42!',
    db_region: 'eu-central-1',
    desired_instance_size: 'micro',
  })
  const ref = String(body['ref'])
  const both = await publish(bob, 'publisher', {
    name: 'Keys',
    scopes: ['projects:read', 'secrets:read'],
  })
  const settings = async (token: string) =>
    (await callWith(plane, token, 'GET', `/platform/projects/${ref}/settings`)).body
  const { access: few } = await client(plane, both).tokens(ada, 'acme', { scope: 'projects:read' })
  expect(await settings(few)).toMatchObject({ ref, service_api_keys: [] })
  expect(await settings(few)).not.toHaveProperty('jwt_secret')
  const keys = await callWith(plane, few, 'GET', `/v1/projects/${ref}/api-keys`)
  expect(JSON.stringify(keys.body)).not.toContain('eyJ')
  const { access: more } = await client(plane, both).tokens(ada, 'acme')
  expect(await settings(more)).toMatchObject({
    service_api_keys: [{ tags: 'anon' }, { tags: 'service_role' }],
    jwt_secret: expect.any(String),
  })
})

test('a scope that the consent did not name opens nothing', async () => {
  const { access } = await client(plane, app).tokens(ada, 'acme', { scope: 'projects:read' })
  expect(await callWith(plane, access, 'GET', acme)).toMatchObject({ status: 403 })
  expect(await callWith(plane, access, 'PATCH', acme, { name: 'Mine' })).toMatchObject({
    status: 403,
  })
  expect(await callWith(plane, access, 'GET', '/platform/organizations')).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope' },
  })
})

test('an app that gets more scopes later does not give them to tokens that were made before', async () => {
  const mine = await publish(bob, 'publisher', { name: 'Growing', scopes: ['projects:read'] })
  const { access } = await client(plane, mine).tokens(ada, 'acme')
  const put = (scopes: string[]) =>
    bob.call('PUT', `/platform/organizations/publisher/oauth/apps/${mine.id}`, {
      ...everything,
      scopes,
    })
  await put(['projects:read', 'organizations:read'])
  expect(await works(access)).toBe(403)
  expect((await callWith(plane, access, 'GET', `${acme}/projects`)).status).toBe(200)
  await put(['organizations:read'])
  expect((await callWith(plane, access, 'GET', `${acme}/projects`)).status).toBe(403)
})

const personal: Endpoint[] = Object.values(api)
  .flatMap((feature): Endpoint[] => Object.values(feature))
  .filter(({ needs, appScope }) => needs === 'signed-in' && appScope === undefined)

test('what belongs to the person as a whole is closed to apps: every such endpoint', async () => {
  const wide = await publish(bob, 'publisher', { name: 'Wide', scopes: ['projects:write'] })
  const { access } = await client(plane, wide).tokens(ada, 'acme')
  const opened: string[] = []
  for (const { name, method, path } of personal) {
    if (method === 'HEAD') continue
    const url = path.replace(/:\w+/g, '11111111-1111-4111-8111-111111111111')
    const { status } = await callWith(plane, access, method, url, method === 'GET' ? undefined : {})
    if (status !== 403) opened.push(`${name}: ${status}`)
  }
  expect(opened).toEqual([])
})

test('who leaves the organization, or loses a role, takes the tokens along', async () => {
  const flow = client(plane, app)
  const { access } = await flow.tokens(ada, 'acme')
  const { id } = await plane.db
    .selectFrom('platform.organizations')
    .select('id')
    .where('slug', '=', 'acme')
    .executeTakeFirstOrThrow()
  const carl = await newcomer(plane, 'carl')
  const member = { organization_id: id, user_id: carl.userId }
  await plane.db
    .insertInto('platform.members')
    .values({ ...member, role: 'Administrator' })
    .execute()
  const wide = await publish(bob, 'publisher', { name: 'Writer', scopes: ['projects:write'] })
  const tokens = await client(plane, wide).tokens(carl, 'acme')
  const create = () =>
    callWith(plane, tokens.access, 'POST', '/platform/projects', { organization_slug: 'acme' })
  // Let through to the form, which is empty: the permission was there.
  expect((await create()).status).toBe(400)
  const project = { name: 'Books', organization_slug: 'acme', db_pass: 'x', db_region: 'eu-west-1' }
  await plane.db
    .updateTable('platform.members')
    .set({ role: 'Read-only' })
    .where('user_id', '=', carl.userId)
    .execute()
  expect((await callWith(plane, tokens.access, 'POST', '/platform/projects', project)).status).toBe(
    403,
  )
  await plane.db.deleteFrom('platform.members').where('user_id', '=', carl.userId).execute()
  expect((await callWith(plane, tokens.access, 'POST', '/platform/projects', project)).status).toBe(
    401,
  )
  expect(await client(plane, wide).refresh(tokens.refresh)).toMatchObject(refused)
  expect(await works(access)).toBe(200)
})

test('revoking: by the app, by the organization, by the person', async () => {
  const flow = client(plane, app)
  const byApp = await flow.tokens(ada, 'acme')
  expect((await client(plane, other).revoke(byApp.access)).status).toBe(200)
  expect(await works(byApp.access)).toBe(200)
  expect((await flow.revoke(byApp.refresh)).status).toBe(200)
  expect((await flow.revoke('unknown')).status).toBe(200)
  expect(await works(byApp.access)).toBe(401)

  const byOrganization = await flow.tokens(ada, 'acme')
  expect((await bob.call('POST', `${acme}/oauth/apps/${app.id}/revoke`)).status).toBe(404)
  expect((await ada.call('POST', `${acme}/oauth/apps/${app.id}/revoke`)).status).toBe(200)
  expect(await works(byOrganization.access)).toBe(401)

  const byPerson = await flow.tokens(ada, 'acme')
  const own = await ada.call('GET', '/platform/profile/oauth-apps')
  const mine = (own.body as unknown as { id: string; app: { name: string } }[]).find(
    (one) => one.app.name === everything.name,
  )
  expect((await bob.call('DELETE', `/platform/profile/oauth-apps/${mine?.id}`)).status).toBe(404)
  expect((await ada.call('DELETE', `/platform/profile/oauth-apps/${mine?.id}`)).status).toBe(200)
  expect(await works(byPerson.access)).toBe(401)
})

test('a deleted app is unknown at once, and its tokens are dead', async () => {
  const doomed = await publish(bob, 'publisher', { name: 'Doomed' })
  const flow = client(plane, doomed)
  const { access, refresh } = await flow.tokens(ada, 'acme')
  await bob.call('DELETE', `/platform/organizations/publisher/oauth/apps/${doomed.id}`)
  expect(await works(access)).toBe(401)
  expect((await flow.refresh(refresh)).status).toBe(401)
})
