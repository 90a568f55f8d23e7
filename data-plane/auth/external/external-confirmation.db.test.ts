import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  carried,
  newBrowser,
  oidcOf,
  startOidcProvider,
  type TestProvider,
} from '../../testing/auth/oidc.ts'
import {
  follow,
  lastMail,
  newEmail,
  password,
  startAuthServer,
  type TestServer,
  type TestTenant,
} from '../../testing/auth/server.ts'

/** Sign-in at a provider that does not call the address of its user verified. */
const site = 'http://localhost:3000'
let server: TestServer
let provider: TestProvider
const tenants: Record<string, TestTenant> = {}

beforeAll(async () => {
  server = await startAuthServer()
  const names = ['usual', 'auto', 'open']
  provider = await startOidcProvider(
    names.map((name) => `${server.origin}/${name}/auth/v1/callback`),
  )
  const external = [oidcOf(provider)]
  tenants['usual'] = await server.tenant('usual', { external })
  tenants['auto'] = await server.tenant('auto', { external, mailerAutoconfirm: true })
  tenants['open'] = await server.tenant('open', { external, allowUnverifiedEmail: true })
})
afterAll(async () => {
  await server?.close()
  await provider?.close()
})
const at = (name: string): TestTenant => {
  const found = tenants[name]
  if (!found) throw new Error(`There is no tenant ${name}`)
  return found
}

let counter = 0
/** Somebody at the provider; from now on they are who signs in there. */
function person(email: string, verified = false) {
  counter += 1
  const account = { sub: `person-${counter}`, email, email_verified: verified, name: 'Ada' }
  const come = () => {
    provider.account = account
  }
  come()
  return { ...account, come }
}
const signIn = async (tenant = at('usual'), more = '') =>
  carried(
    await newBrowser().follow(`${tenant.externalUrl}/authorize?provider=example${more}`, site),
  )
const userOf = async (values: URLSearchParams, tenant = at('usual')) =>
  (await tenant.client().auth.getUser(values.get('access_token') ?? '')).data.user
const rowsOf = (email: string, tenant = at('usual')) =>
  tenant.sql(
    `select u.email_confirmed_at is not null as confirmed,
        (select array_agg(i.provider order by i.provider) from auth.identities i where i.user_id = u.id) as identities
      from auth.users u where u.email = $1`,
    [email],
  )
const refused = (values: URLSearchParams) => [
  values.get('error'),
  values.get('error_code'),
  values.get('access_token'),
]
const needsVerification = ['access_denied', 'provider_email_needs_verification', null]

test('a newcomer gets an account that waits for its mail, and is signed in by it', async () => {
  const { email, sub } = person(newEmail())
  const values = await signIn()
  expect(refused(values)).toEqual(needsVerification)
  expect(values.get('error_description')).toBe(
    'Unverified email with example. A confirmation email has been sent to your example email',
  )
  expect(await rowsOf(email)).toEqual([{ confirmed: false, identities: ['example'] }])
  const { mail, url } = lastMail(at('usual'), email)
  expect(mail.kind).toBe('confirmation')
  const landing = await follow(url)
  expect(landing.to).toContain(site)
  expect(await userOf(landing.values)).toMatchObject({ email, user_metadata: { sub } })
  const again = await userOf(await signIn())
  expect(again?.email_confirmed_at).toBeTruthy()
  expect(again?.app_metadata).toMatchObject({ provider: 'example' })
})

test('whoever comes again before is asked again, and only the last mail counts', async () => {
  const { email } = person(newEmail())
  await signIn()
  const first = lastMail(at('usual'), email).url
  expect(refused(await signIn())).toEqual(needsVerification)
  expect((await follow(first)).values.get('error_code')).toBe('otp_expired')
  const { values } = await follow(lastMail(at('usual'), email).url)
  expect((await userOf(values))?.email).toBe(email)
  expect(await rowsOf(email)).toHaveLength(1)
})

test('once the provider calls it verified, no mail is needed', async () => {
  const { email, sub } = person(newEmail())
  await signIn()
  provider.account = { sub, email, email_verified: true, name: 'Ada' }
  expect((await userOf(await signIn()))?.email_confirmed_at).toBeTruthy()
})

test('a client that uses PKCE gets a code by the mail, which only it can exchange', async () => {
  const { email } = person(newEmail())
  const client = at('usual').client(undefined, 'pkce')
  const { data } = await client.auth.signInWithOAuth({
    provider: 'example' as 'github', // any name of the tenant's own is sent as it is
    options: { redirectTo: `${site}/welcome`, skipBrowserRedirect: true },
  })
  const landing = await newBrowser().follow(data.url ?? '', site)
  expect(landing.searchParams.get('error_code')).toBe('provider_email_needs_verification')
  const answer = await fetch(lastMail(at('usual'), email).url, { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '')
  const exchanged = await client.auth.exchangeCodeForSession(back.searchParams.get('code') ?? '')
  expect(exchanged.data.user?.email).toBe(email)
})

test.each<[string, (email: string) => Promise<unknown>]>([
  ['signs up', (email) => at('usual').client().auth.signUp({ email, password })],
  ['asks for a link', (email) => at('usual').client().auth.signInWithOtp({ email })],
  [
    'is invited',
    (email) => at('usual').client(at('usual').serviceKey).auth.admin.inviteUserByEmail(email),
  ],
])('a stranger’s sign-in does not come along when the owner of the address %s', async (_, act) => {
  const stranger = person(newEmail())
  await signIn()
  await act(stranger.email)
  const { values } = await follow(lastMail(at('usual'), stranger.email).url)
  const owner = await userOf(values)
  expect(owner).toMatchObject({ email: stranger.email, app_metadata: { providers: ['email'] } })
  expect(await rowsOf(stranger.email)).toEqual([{ confirmed: true, identities: ['email'] }])
  stranger.come()
  expect(refused(await signIn())).toEqual(needsVerification)
  expect(await rowsOf(stranger.email)).toEqual([{ confirmed: true, identities: ['email'] }])
})

test('where no mail is asked for the account is there at once, and joined by nobody else', async () => {
  const { email } = person(newEmail())
  const auto = at('auto')
  expect((await userOf(await signIn(auto), auto))?.email).toBe(email)
  expect(auto.mails).toEqual([])
  person(email, true)
  expect((await signIn(auto)).get('error_code')).toBe('user_already_exists')
})

test('where unverified addresses may sign in the mail is sent all the same', async () => {
  const { email } = person(newEmail())
  const open = at('open')
  expect((await userOf(await signIn(open), open))?.email).toBe(email)
  expect(lastMail(open, email).mail.kind).toBe('confirmation')
})
