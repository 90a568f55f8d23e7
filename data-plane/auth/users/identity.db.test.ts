import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  carried,
  newBrowser,
  oidcOf,
  startOidcProvider,
  type TestProvider,
} from '../../testing/auth/oidc.ts'
import {
  newEmail,
  password,
  startAuthServer,
  type TestServer,
  type TestTenant,
} from '../../testing/auth/server.ts'

const site = 'http://localhost:3000'
let server: TestServer
let provider: TestProvider
let tenant: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  provider = await startOidcProvider([`${server.origin}/link/auth/v1/callback`])
  const external = [oidcOf(provider)]
  tenant = await server.tenant('link', { external, manualLinking: true })
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

let counter = 0
function account(email: string | undefined = newEmail(), verified = true) {
  counter += 1
  provider.account = { sub: `link-${counter}`, email, email_verified: verified }
  return provider.account
}
async function member(email = newEmail()) {
  const admin = tenant.client(tenant.serviceKey).auth.admin
  await admin.createUser({ email, password, email_confirm: true })
  const client = tenant.client()
  await client.auth.signInWithPassword({ email, password })
  return client
}
type Client = Awaited<ReturnType<typeof member>>
const credentials = { provider: 'example' as 'github', options: { skipBrowserRedirect: true } }
async function linkUrl(client: Client) {
  const { data, error } = await client.auth.linkIdentity(credentials)
  if (error) throw error
  return data.url
}
const link = async (client: Client) =>
  carried(await newBrowser().follow(await linkUrl(client), site))
const identitiesOf = async (client: Client) =>
  (await client.auth.getUserIdentities()).data?.identities ?? []

test('linking needs somebody who is signed in', async () => {
  const answer = await tenant.call('GET', '/user/identities/authorize?provider=example')
  expect(answer.status).toBe(401)
})

test('an identity that cannot be one is not there', async () => {
  const client = await member()
  const token = (await client.auth.getSession()).data.session?.access_token ?? ''
  for (const id of ['x', '-'.repeat(36), crypto.randomUUID()]) {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await tenant.call('DELETE', `/user/identities/${id}`, undefined, headers)
    expect(answer.status, id).toBeGreaterThanOrEqual(400)
    expect(await answer.json(), id).toMatchObject({ error_code: 'identity_not_found' })
  }
})

test('where linking is off, both are refused', async () => {
  const client = await member()
  const [identity] = await identitiesOf(client)
  tenant.config = { ...tenant.config, manualLinking: false }
  expect((await client.auth.linkIdentity(credentials)).error?.code).toBe('manual_linking_disabled')
  const gone = identity && (await client.auth.unlinkIdentity(identity))
  expect(gone?.error?.code).toBe('manual_linking_disabled')
  tenant.config = { ...tenant.config, manualLinking: true }
})

test('an identity is linked, whatever its address, and signs in from then on', async () => {
  const client = await member()
  const { sub } = account(newEmail(), false)
  expect((await link(client)).get('access_token')).toBeTruthy()
  expect((await identitiesOf(client)).map((row) => row.provider)).toEqual(['email', 'example'])
  const url = `${tenant.externalUrl}/authorize?provider=example`
  const values = carried(await newBrowser().follow(url, site))
  const mine = (await client.auth.getUser()).data.user
  const { data } = await tenant.client().auth.getUser(values.get('access_token') ?? '')
  expect(data.user?.id).toBe(mine?.id)
  expect(mine?.identities?.[1]).toMatchObject({ id: sub })
})

test('an identity belongs to one account', async () => {
  const first = await member()
  account()
  await link(first)
  expect((await link(first)).get('error_code')).toBe('identity_already_exists')
  const second = await member()
  const values = await link(second)
  expect(values.get('error_code')).toBe('identity_already_exists')
  expect(values.get('error_description')).toBe('Identity is already linked to another user')
  expect(await identitiesOf(second)).toHaveLength(1)
})

test('linking ends with the session that began it', async () => {
  const client = await member()
  account()
  const url = await linkUrl(client)
  await client.auth.signOut()
  expect(carried(await newBrowser().follow(url, site)).get('error_code')).toBe('bad_oauth_state')
})

test('nobody takes away the last identity, nor that of somebody else', async () => {
  const client = await member()
  const [identity] = await identitiesOf(client)
  if (!identity) throw new Error('A member has one identity')
  expect((await client.auth.unlinkIdentity(identity)).error?.code).toBe(
    'single_identity_not_deletable',
  )
  account()
  await link(client)
  const thief = await member()
  account()
  await link(thief)
  expect((await thief.auth.unlinkIdentity(identity)).error?.code).toBe('identity_not_found')
  expect(await identitiesOf(client)).toHaveLength(2)
  const odd = { ...identity, identity_id: 'x' }
  expect((await thief.auth.unlinkIdentity(odd)).error?.code).toBe('identity_not_found')
})

test('without the identity of the address there is no password any more, and the address follows', async () => {
  const email = newEmail()
  const client = await member(email)
  const other = newEmail()
  account(other)
  await link(client)
  const [own] = await identitiesOf(client)
  if (own) expect((await client.auth.unlinkIdentity(own)).error).toBeNull()
  const { data } = await client.auth.getUser()
  expect(data.user).toMatchObject({ email: other, app_metadata: { providers: ['example'] } })
  const again = await tenant.client().auth.signInWithPassword({ email: other, password })
  expect(again.error?.code).toBe('invalid_credentials')
})

test('the address does not become one that somebody else has', async () => {
  const client = await member()
  const taken = newEmail()
  await member(taken)
  account(taken)
  await link(client)
  const [own] = await identitiesOf(client)
  const gone = own && (await client.auth.unlinkIdentity(own))
  expect(gone?.error?.code).toBe('email_conflict_identity_not_deletable')
  expect(await identitiesOf(client)).toHaveLength(2)
})

test('with a second factor, only who showed it changes identities', async () => {
  const client = await member()
  const user = (await client.auth.getUser()).data.user
  await tenant.sql(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
     values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
    [user?.id],
  )
  expect((await client.auth.linkIdentity(credentials)).error?.code).toBe('insufficient_aal')
})
