import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  githubOf,
  startGithub,
  type GithubAccount,
  type TestGithub,
} from '../../testing/auth/external-github.ts'
import { carried, newBrowser } from '../../testing/auth/oidc.ts'
import {
  newEmail,
  startAuthServer,
  type TestServer,
  type TestTenant,
} from '../../testing/auth/server.ts'

const site = 'http://localhost:3000'
let server: TestServer
let github: TestGithub
let tenant: TestTenant

beforeAll(async () => {
  server = await startAuthServer()
  github = await startGithub()
  tenant = await server.tenant('hub', { external: [githubOf(github)] })
})
afterAll(async () => {
  await server.close()
  await github.close()
})

let counter = 100
function account(emails: GithubAccount['emails'], login = 'ada') {
  counter += 1
  github.account = { id: counter, login, name: 'Ada L', emails }
  return github.account
}
const address = (verified: boolean, primary = true) => ({ email: newEmail(), primary, verified })
const start = () => `${tenant.externalUrl}/authorize?provider=github`
const signIn = async () => carried(await newBrowser().follow(start(), site))
const userOf = async (values: URLSearchParams) =>
  (await tenant.client().auth.getUser(values.get('access_token') ?? '')).data.user

test('a newcomer from GitHub gets an account by the verified address', async () => {
  const [spare, first] = [address(true, false), address(true)]
  const { id } = account([spare, first])
  const values = await signIn()
  expect(github.asked.get('scope')).toContain('user:email')
  expect(values.get('provider_token')).toMatch(/^gho_/)
  expect(await userOf(values)).toMatchObject({
    email: first.email,
    app_metadata: { provider: 'github' },
    user_metadata: { user_name: 'ada', full_name: 'Ada L', provider_id: String(id) },
  })
})

test('the account stays with the number, not with the name', async () => {
  const mine = address(true)
  const first = account([mine], 'first-name')
  const before = await userOf(await signIn())
  github.account = { ...first, login: 'renamed', emails: [address(true)] }
  expect((await userOf(await signIn()))?.id).toBe(before?.id)
  account([address(true)], 'first-name')
  expect((await userOf(await signIn()))?.id).not.toBe(before?.id)
})

test.each([
  ['an address that is not verified', () => [address(false)]],
  ['no address', () => []],
])('%s is refused with the text that the sign-in page knows', async (_, emails) => {
  account(emails())
  const values = await signIn()
  expect(values.get('error_description')).toBe('Error sending confirmation mail')
  expect(values.get('error_code')).toBe('provider_email_needs_verification')
})

test('a made-up code and a code of another sign-in are refused', async () => {
  account([address(true)])
  const browser = newBrowser()
  const [one, two] = [
    await browser.follow(start(), `${tenant.externalUrl}/callback`),
    await browser.follow(start(), `${tenant.externalUrl}/callback`),
  ]
  one.searchParams.set('code', two.searchParams.get('code') ?? '')
  expect(carried(await browser.follow(one.href, site)).get('error_code')).toBe('bad_oauth_callback')
  two.searchParams.set('code', 'x')
  expect(carried(await browser.follow(two.href, site)).get('error_code')).toBe('bad_oauth_callback')
})
