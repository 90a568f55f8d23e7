import { afterAll, beforeAll, expect, test } from 'vitest'
import { follow, newEmail, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
let tenant: TestTenant
const existing = newEmail()

beforeAll(async () => {
  server = await startAuthServer()
  tenant = await server.tenant('main', { uriAllowList: ['https://app.example.com'] })
  await newUser(existing)
})
afterAll(() => server.close())

const admin = () => tenant.client(tenant.serviceKey).auth.admin
async function newUser(email = newEmail()): Promise<string> {
  await admin().createUser({ email, password, email_confirm: true })
  return email
}

test.each([
  ['an unknown type', { type: 'sesame', email: existing }, 400, 'validation_failed'],
  ['no address', { type: 'recovery' }, 400, 'validation_failed'],
  ['an unknown user', { type: 'recovery', email: 'nobody@example.com' }, 404, 'user_not_found'],
  ['no password', { type: 'signup', email: 'new@example.com' }, 400, 'validation_failed'],
  ['no new address', { type: 'email_change_new', email: existing }, 400, 'validation_failed'],
])('generate_link is refused for %s', async (_, body, status, code) => {
  const response = await tenant.call('POST', '/admin/generate_link', body, {
    apikey: tenant.serviceKey,
  })
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error_code: code })
})

test('generated links work and no mail leaves', async () => {
  const email = await newUser()
  const redirectTo = 'https://app.example.com'
  const recovery = await admin().generateLink({ type: 'recovery', email, options: { redirectTo } })
  expect(recovery.data.properties).toMatchObject({ verification_type: 'recovery' })
  const landed = await follow(new URL(recovery.data.properties?.action_link ?? ''))
  expect(landed.to).toBe(`${redirectTo}/`)
  expect(landed.values.get('type')).toBe('recovery')

  const fresh = newEmail()
  const signup = await admin().generateLink({ type: 'signup', email: fresh, password })
  expect(signup.data.user).toMatchObject({ email: fresh })
  const { hashed_token = '' } = signup.data.properties ?? {}
  const client = tenant.client()
  const verified = await client.auth.verifyOtp({ token_hash: hashed_token, type: 'signup' })
  expect(verified.data.user?.email).toBe(fresh)
  const taken = await admin().generateLink({ type: 'signup', email: fresh, password })
  expect(taken.error).toMatchObject({ status: 422, code: 'email_exists' })

  const magic = await admin().generateLink({ type: 'magiclink', email: newEmail() })
  const token = magic.data.properties?.email_otp ?? ''
  const signedIn = await client.auth.verifyOtp({
    email: magic.data.user?.email ?? '',
    token,
    type: 'email',
  })
  expect(signedIn.error).toBeNull()
  expect(tenant.mails).toEqual([])
})

test('both halves of an e-mail change can be generated', async () => {
  const email = await newUser()
  const target = newEmail()
  for (const type of ['email_change_current', 'email_change_new'] as const) {
    const { data } = await admin().generateLink({ type, email, newEmail: target })
    expect(data.user?.new_email).toBe(target)
    if (type === 'email_change_current') continue
    const half = await follow(new URL(data.properties?.action_link ?? ''))
    expect(half.values.get('message')).toBeTruthy()
  }
})

test('an invitation is mailed, accepted by link, and refused for members', async () => {
  const guests = await server.tenant('guests')
  const invite = (email: string) =>
    guests.client(guests.serviceKey).auth.admin.inviteUserByEmail(email, { data: { team: 1 } })
  const email = newEmail()
  const { data } = await invite(email)
  expect(data.user).toMatchObject({ email, user_metadata: { team: 1 } })
  expect(data.user?.invited_at).toBeDefined()
  const [mail] = guests.mails
  const link = /http\S+verify\S+/.exec(mail?.text ?? '')?.[0] ?? ''
  const { values } = await follow(new URL(link))
  expect(values.get('type')).toBe('invite')
  expect((await invite(email)).error).toMatchObject({ status: 422, code: 'email_exists' })
})
