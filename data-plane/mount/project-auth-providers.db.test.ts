import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthConfig } from '../auth/config.ts'
import { clientId, clientSecret, startWorld } from '../testing/auth/external-oauth.ts'
import { carried } from '../testing/auth/oidc.ts'
import { startAuthServer, type TestServer, type TestTenant } from '../testing/auth/server.ts'
import { authConfigOf, authSettingsOf } from './project-auth-config.ts'
import { oauthRows } from '../testing/auth/project-oauth.ts'
import { oidcRows, type Row } from '../testing/auth/project-providers.ts'

const rows = { ...oidcRows, ...oauthRows }

const site = 'http://localhost:3000'
let server: TestServer
let tenant: TestTenant
let world: Awaited<ReturnType<typeof startWorld>>

function configured(): AuthConfig['external'] {
  const settings = Object.entries(rows).flatMap(([name, row]) => [
    [`EXTERNAL_${name.toUpperCase()}_ENABLED`, true],
    [`EXTERNAL_${name.toUpperCase()}_CLIENT_ID`, clientId],
    [`EXTERNAL_${name.toUpperCase()}_SECRET`, clientSecret],
    ...Object.entries(row.settings ?? {}),
  ])
  return authConfigOf(authSettingsOf(Object.fromEntries(settings))).external
}

beforeAll(async () => {
  world = await startWorld()
  server = await startAuthServer({ fetch: world.fetch })
  tenant = await server.tenant('world', { external: configured() })
})
afterAll(async () => {
  await server.close()
  await world.close()
})

/** From our address to the provider's and back, as a browser goes; where it ends. */
async function signIn(name: string, row: Row, more = ''): Promise<URL> {
  world.now = row
  const begun = await tenant.call('GET', `/authorize?provider=${name}${more}`)
  const away = begun.headers.get('location') ?? ''
  expect(away.split('?', 1)[0]).toBe(row.authorize)
  const there = await fetch(world.local(away), { redirect: 'manual' })
  const landed = row.openid?.posts === undefined ? await goBack(there) : await postBack(there)
  expect([302, 303]).toContain(landed.status)
  return new URL(landed.headers.get('location') ?? '')
}

const goBack = (there: Response) =>
  fetch(there.headers.get('location') ?? '', { redirect: 'manual' })

/** The page of the provider posts its answer from where it is. */
async function postBack(there: Response): Promise<Response> {
  const { to, fields } = (await there.json()) as { to: string; fields: Record<string, string> }
  return fetch(to, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
}

test('the settings name every provider, and each can be on', async () => {
  const { external } = (await (await tenant.call('GET', '/settings')).json()) as {
    external: Record<string, boolean>
  }
  const on = Object.keys(external).filter((name) => external[name])
  expect(on.toSorted()).toEqual([...Object.keys(rows), 'email'].toSorted())
  expect(external).toMatchObject({ github: false, phone: false, anonymous_users: false })
})

test.each(Object.entries(rows).filter(([, row]) => row.unverified))(
  'an address that %s does not call verified leads to an account that waits for its mail',
  async (name, row) => {
    const values = carried(await signIn(name, { ...row, ...row.unverified }))
    expect(values.get('error_code')).toBe('provider_email_needs_verification')
    expect(values.get('access_token')).toBeNull()
    // Taken away again: they all are about the same address.
    const made = 'delete from auth.users where email_confirmed_at is null returning email'
    expect(await tenant.sql(made)).toHaveLength(1)
  },
)

test.each(Object.entries(rows).filter(([name]) => name !== 'spotify'))(
  'somebody signs in with %s',
  async (name, row) => {
    const values = carried(await signIn(name, row))
    expect(values.get('error_description')).toBeNull()
    expect(Object.fromEntries(world.asked)).toMatchObject({ ...row.asks, client_id: clientId })
    expect(values.get('provider_token')).toMatch(/^token-/)
    const { data } = await tenant.client().auth.getUser(values.get('access_token') ?? '')
    const own = data.user?.identities?.find(({ provider }) => provider === name)
    expect(own?.identity_data).toMatchObject({ ...row.person, email_verified: true })
    expect(own?.id).toBe(row.person.sub)
  },
)

test('who wrote an address into a profile that nobody checks can still be linked by its owner', async () => {
  const row = rows['spotify']
  if (!row) throw new Error('no row')
  tenant.config = { ...tenant.config, manualLinking: true, mailerAutoconfirm: true }
  const client = tenant.client()
  await client.auth.signUp({ email: 'own@example.com', password: 'correct horse 1' })
  world.now = row
  const { data } = await client.auth.linkIdentity({ provider: 'spotify' })
  const there = await fetch(world.local(data.url ?? ''), { redirect: 'manual' })
  await goBack(there)
  // From now on it leads there, and nowhere else.
  const values = carried(await signIn('spotify', row))
  const signedIn = await tenant.client().auth.getUser(values.get('access_token') ?? '')
  expect(signedIn.data.user?.email).toBe('own@example.com')
})

test('parameters go on to the provider, but none that belongs to the protocol', async () => {
  const row = rows['workos']
  if (!row) throw new Error('no row')
  const evil =
    '&state=x&redirect_uri=https://evil.example&client_id=y&response_type=token&request=z'
  const asked = `&workos_provider=GoogleOAuth&connection=conn_1&organization=org_1&login_hint=a${evil}`
  await signIn('workos', row, asked)
  const sent = Object.fromEntries(world.asked)
  expect(sent).toMatchObject({
    provider: 'GoogleOAuth',
    connection: 'conn_1',
    organization: 'org_1',
    login_hint: 'a',
    client_id: clientId,
    response_type: 'code',
    redirect_uri: `${tenant.externalUrl}/callback`,
  })
  expect(sent['state']).not.toBe('x')
  expect(sent).not.toHaveProperty('request')
})

test('an answer that is not the one to this sign-in, or comes twice, leads nowhere', async () => {
  const row = rows['discord']
  if (!row) throw new Error('no row')
  world.now = row
  const begin = async () => {
    const begun = await tenant.call('GET', '/authorize?provider=discord')
    const there = await fetch(world.local(begun.headers.get('location') ?? ''), {
      redirect: 'manual',
    })
    return new URL(there.headers.get('location') ?? '')
  }
  const code = async (url: URL) => {
    const landed = await fetch(url, { redirect: 'manual' })
    return carried(new URL(landed.headers.get('location') ?? site)).get('error_code')
  }
  const first = await begin()
  const foreign = new URL(first)
  foreign.searchParams.set('state', 'of somebody else')
  expect(await code(foreign)).toBe('bad_oauth_state')
  const refused = new URL(await begin())
  refused.searchParams.delete('code')
  refused.searchParams.set('error', 'access_denied')
  expect(await code(refused)).toBe('bad_oauth_callback')
  expect(await code(first)).toBeNull()
  expect(await code(first)).toBe('bad_oauth_state')
})
