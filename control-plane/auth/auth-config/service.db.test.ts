import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { authKeys } from '#contract/auth/auth-config-keys'
import { startBothPlanes, startMailServer, type BothPlanes } from '../../testing/auth-config.ts'

let planes: BothPlanes
beforeAll(async () => {
  planes = await startBothPlanes()
})
afterAll(() => planes.end())
/** Everything back to how a project begins. */
afterEach(() =>
  planes.set({
    ...Object.fromEntries(authKeys.map((key) => [key, null])),
    // So that something changes, which is waited for.
    JWT_EXP: 3000 + (tests += 1),
  }),
)
let tests = 0

const password = 'correct horse 1'
const newEmail = () => `${randomUUID()}@example.com`
const signUp = (email = newEmail(), chosen = password) =>
  planes.auth('/signup', { email, password: chosen })
const tokenOf = ({ json }: { json: Record<string, unknown> }) => String(json['access_token'])

test('with sign-ups off nobody signs up, and who was signed in stays so', async () => {
  const before = await signUp()
  expect(before.status).toBe(200)
  await planes.set({ DISABLE_SIGNUP: true })
  expect(await signUp()).toMatchObject({ status: 422, json: { error_code: 'signup_disabled' } })
  expect((await planes.auth('/settings')).json).toMatchObject({ disable_signup: true })
  expect((await planes.auth('/user', undefined, tokenOf(before))).status).toBe(200)
  const refresh = { refresh_token: before.json['refresh_token'] }
  expect((await planes.auth('/token?grant_type=refresh_token', refresh)).status).toBe(200)
})

test('passwords are as long and as mixed as is asked for', async () => {
  await planes.set({ PASSWORD_MIN_LENGTH: 20 })
  expect(await signUp()).toMatchObject({
    status: 422,
    json: { error_code: 'weak_password', weak_password: { reasons: ['length'] } },
  })
  const lettersAndDigits = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789'
  await planes.set({ PASSWORD_MIN_LENGTH: null, PASSWORD_REQUIRED_CHARACTERS: lettersAndDigits })
  const weak = await signUp(newEmail(), 'only letters')
  expect(weak.json).toMatchObject({ weak_password: { reasons: ['characters'] } })
  expect((await signUp()).status).toBe(200)
})

test('without autoconfirm people wait for a mail, which says what the project wants it to', async () => {
  await planes.set({
    MAILER_AUTOCONFIRM: false,
    MAILER_OTP_LENGTH: 8,
    MAILER_SUBJECTS_CONFIRMATION: 'Ahoi {{ .Email }}',
    MAILER_TEMPLATES_CONFIRMATION_CONTENT: '<p>Dein Code: <b>{{ .Token }}</b></p>',
    SITE_URL: 'https://shop.example.com',
    URI_ALLOW_LIST: 'https://*.example.org/**, shop-app://**',
  })
  const email = newEmail()
  const answer = await signUp(email)
  expect(answer.json['access_token']).toBeUndefined()
  const [mail] = await planes.mailsTo(email)
  expect(mail).toMatchObject({ subject: `Ahoi ${email}` })
  const token = /^Dein Code: (\d{8})$/.exec(mail?.text ?? '')?.[1]
  const verified = await planes.auth('/verify', { type: 'signup', email, token })
  expect(verified.json).toMatchObject({ user: { email } })

  for (const [asked, led] of [
    ['https://a.example.org/next', 'https://a.example.org/next'],
    ['shop-app://done', 'shop-app://done'],
    ['https://evil.example.net/', 'https://shop.example.com'],
  ]) {
    const query = new URLSearchParams({ token: 'x', type: 'signup', redirect_to: asked ?? '' })
    const { headers } = await planes.visit(`/verify?${query}`)
    expect(headers.get('location')?.split(/[?#]/)[0]?.replace(/\/$/, '')).toBe(led)
  }
})

test('mails leave by the mail server of the project, and no longer once it is taken away', async () => {
  const server = await startMailServer()
  await planes.set({
    MAILER_AUTOCONFIRM: false,
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: server.port,
    SMTP_USER: 'shop',
    SMTP_PASS: 'let me send',
    SMTP_ADMIN_EMAIL: 'hello@shop.example.com',
    SMTP_SENDER_NAME: 'The Shop',
    SMTP_MAX_FREQUENCY: 0,
  })
  const [email, other] = [newEmail(), newEmail()]
  await signUp(email)
  await expect.poll(() => server.received).toHaveLength(1)
  const [mail] = server.received
  expect(mail).toMatchObject({ from: 'hello@shop.example.com', to: [email], user: 'shop' })
  expect(mail?.content).toContain('From: The Shop <hello@shop.example.com>')
  expect(await planes.mailsTo(email)).toEqual([])
  const gone = { SMTP_HOST: '', SMTP_PORT: '', SMTP_USER: '', SMTP_PASS: '' }
  await planes.set({ ...gone, SMTP_ADMIN_EMAIL: '', SMTP_SENDER_NAME: null })
  await signUp(other)
  expect(await planes.mailsTo(other)).toHaveLength(1)
  expect(server.received).toHaveLength(1)
  await server.close()
})

test('a telephone signs in with its test code, until test codes end', async () => {
  const phone = '15550001111'
  const off = await planes.auth('/otp', { phone })
  expect(off.json).toMatchObject({ error_code: 'phone_provider_disabled' })
  await planes.set({
    EXTERNAL_PHONE_ENABLED: true,
    SMS_TEST_OTP: `${phone}=123456`,
    SMS_MAX_FREQUENCY: 0,
    SMS_TEMPLATE: 'Shop: {{ .Code }}',
  })
  expect((await planes.auth('/otp', { phone })).status).toBe(200)
  const proof = { phone, token: '123456', type: 'sms' }
  expect((await planes.auth('/verify', proof)).json).toMatchObject({ user: { phone } })
  await planes.auth('/otp', { phone: '15550002222' })
  expect((await planes.mailsTo('+15550002222'))[0]?.text).toMatch(/^Shop: \d{6}$/)

  await planes.set({ SMS_TEST_OTP_VALID_UNTIL: '2020-01-01T00:00:00Z' })
  await planes.auth('/otp', { phone })
  expect((await planes.auth('/verify', proof)).json).toMatchObject({ error_code: 'otp_expired' })
})

test('a rate that is lowered holds at once', async () => {
  await planes.set({ EXTERNAL_ANONYMOUS_USERS_ENABLED: true, RATE_LIMIT_ANONYMOUS_USERS: 2 })
  const statuses = []
  for (let i = 0; i < 3; i += 1) statuses.push((await planes.auth('/signup', {})).status)
  expect(statuses).toEqual([200, 200, 429])
  await planes.set({ RATE_LIMIT_ANONYMOUS_USERS: 3 })
  expect((await planes.auth('/signup', {})).status).toBe(200)
})

test('access tokens live as long as is set', async () => {
  await planes.set({ JWT_EXP: 120 })
  const { json } = await signUp()
  const { exp = 0, iat = 0 } = decodeJwt(String(json['access_token']))
  expect(exp - iat).toBe(120)
  expect(json['expires_in']).toBe(120)
})

test('factors are added only where that is on, and shown also where it is not', async () => {
  const token = tokenOf(await signUp())
  const enroll = () => planes.auth('/factors', { factor_type: 'totp' }, token)
  const { json } = await enroll()
  await planes.set({ MFA_TOTP_ENROLL_ENABLED: false })
  expect((await enroll()).json).toMatchObject({ error_code: 'mfa_totp_enroll_not_enabled' })
  const factor = `/factors/${String(json['id'])}`
  const { json: challenge } = await planes.auth(`${factor}/challenge`, {}, token)
  const answer = { challenge_id: challenge['id'], code: '000000' }
  const wrong = await planes.auth(`${factor}/verify`, answer, token)
  expect(wrong.json).toMatchObject({ error_code: 'mfa_verification_failed' })
  await planes.set({ MFA_TOTP_VERIFY_ENABLED: false })
  const off = await planes.auth(`${factor}/verify`, answer, token)
  expect(off.json).toMatchObject({ error_code: 'mfa_totp_verify_not_enabled' })
})

test('a provider that is on is led to, with the account of the project', async () => {
  const go = () => planes.visit('/authorize?provider=github')
  expect((await go()).status).toBe(400)
  await planes.set({
    EXTERNAL_GITHUB_ENABLED: true,
    EXTERNAL_GITHUB_CLIENT_ID: 'shop at github',
    EXTERNAL_GITHUB_SECRET: 'its secret',
  })
  const { headers, status } = await go()
  expect(status).toBe(302)
  const target = new URL(headers.get('location') ?? '')
  expect(target.origin + target.pathname).toBe('https://github.com/login/oauth/authorize')
  expect(target.searchParams.get('client_id')).toBe('shop at github')
  expect((await planes.auth('/settings')).json).toMatchObject({ external: { github: true } })
})

test('with SAML on its addresses are open to browsers, which bring no key', async () => {
  expect((await planes.visit('/sso/saml/metadata')).status).not.toBe(200)
  await planes.set({ SAML_ENABLED: true })
  const metadata = await planes.visit('/sso/saml/metadata')
  expect(metadata.status).toBe(200)
  expect(await metadata.text()).toContain('EntityDescriptor')
  const body = new URLSearchParams({ SAMLResponse: 'x', RelayState: 'y' })
  const answer = await planes.visit('/sso/saml/acs', { method: 'POST', body })
  expect(answer.headers.get('location')).toContain('error_code=saml_relay_state_not_found')
})

test('a function becomes a hook only when the service could ask it', async () => {
  const uri = 'pg-functions://postgres/public/claims'
  const hook = { HOOK_CUSTOM_ACCESS_TOKEN_URI: uri, HOOK_CUSTOM_ACCESS_TOKEN_ENABLED: true }
  const url = `/platform/auth/${planes.ref}/config`
  const save = (path = url, changes: object = hook) => planes.ada.call('PATCH', path, changes)
  const missing = 'There is no function public.claims with one argument of type json or jsonb'
  const refusedWith = (message: string) => ({
    status: 400,
    body: { code: 'invalid_input', message },
  })
  const name = 'HOOK_CUSTOM_ACCESS_TOKEN_URI'
  expect(await save()).toMatchObject(refusedWith(`${name}: ${missing}`))
  const small = { hook_custom_access_token_uri: uri }
  const v1 = `/v1/projects/${planes.ref}/config/auth`
  expect(await save(v1, small)).toMatchObject(refusedWith(`${name.toLowerCase()}: ${missing}`))
  await planes.sql(
    'create function claims(event int) returns jsonb language sql as $$select null::jsonb$$',
  )
  expect(await save()).toMatchObject(refusedWith(`${name}: ${missing}`))
  await planes.sql(`create function claims(event jsonb) returns jsonb language sql as $$select event$$;
    revoke execute on function claims(jsonb) from public, supabase_auth_admin`)
  const notAllowed = 'supabase_auth_admin may not call public.claims'
  expect(await save()).toMatchObject(refusedWith(`${name}: ${notAllowed}`))
  expect((await planes.ada.call('GET', url)).body).toMatchObject({ [name]: '' })
  await planes.sql('grant execute on function claims(jsonb) to supabase_auth_admin')
  await planes.set(hook)
  expect((await signUp()).status).toBe(200)
  // What is a hook already stays one, whatever becomes of it: other settings can be saved.
  await planes.sql('drop function claims(jsonb)')
  await planes.set({ JWT_EXP: 4000 })
})

test('a hook is asked at its address, and no longer once it is off', async () => {
  const { startHookServer, hookSecret } = await import('#data-plane/testing/auth/hook')
  const hooks = await startHookServer()
  hooks.answer = () => ({ body: { error: { http_code: 403, message: 'Members only' } } })
  await planes.set({
    HOOK_BEFORE_USER_CREATED_ENABLED: true,
    HOOK_BEFORE_USER_CREATED_URI: hooks.url,
    HOOK_BEFORE_USER_CREATED_SECRETS: `v1,whsec_${hookSecret}`,
  })
  const email = newEmail()
  const refused = await signUp(email)
  expect(refused).toMatchObject({ status: 403, json: { msg: 'Members only' } })
  expect(hooks.asked[0]?.body.user).toMatchObject({ email })
  await planes.set({ HOOK_BEFORE_USER_CREATED_ENABLED: false })
  expect((await signUp(email)).status).toBe(200)
  await hooks.close()
})

test('sessions last as long as is set, and end with the next sign-in where that is wanted', async () => {
  await planes.set({ SESSIONS_SINGLE_PER_USER: true, REFRESH_TOKEN_ROTATION_ENABLED: false })
  const email = newEmail()
  const { json: older } = await signUp(email)
  const { json: newer } = await planes.auth('/token?grant_type=password', { email, password })
  const renew = (token: unknown) =>
    planes.auth('/token?grant_type=refresh_token', { refresh_token: token })
  expect((await renew(older['refresh_token'])).json).toMatchObject({
    error_code: 'session_expired',
  })
  expect((await renew(newer['refresh_token'])).json).toMatchObject({
    refresh_token: newer['refresh_token'],
  })
})
