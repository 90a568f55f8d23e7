import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { authAnswerRest } from '#contract/auth/auth-config-absent'
import { authKeys } from '#contract/auth/auth-config-keys'
import { roleNames, type RoleName } from '#contract/permissions'
import { createLog } from '#kit/log'
import { createSecrets } from '#kit/secrets'
import { newProjectSecrets, projectIdentity } from '../../projects/projects/keys.ts'
import { internalToken, startControlPlane } from '../../testing/control-plane.ts'
import type { Person, TestControlPlane } from '../../testing/control-plane.ts'
import { settlePhones } from './phone-add-on-store.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { insertProject } from '../../testing/victim.ts'

let plane: TestControlPlane
let ada: Person
const lines: string[] = []
const members = new Map<RoleName, Person>()
const ref = 'abcdefghijklmnopqrst'
const freeRef = 'f'.repeat(20)
const url = `/platform/auth/${ref}/config`
const v1 = `/v1/projects/${ref}/config/auth`

beforeAll(async () => {
  const log = createLog('test', 'debug', { write: (line) => void lines.push(line) })
  const secrets = createSecrets(randomBytes(32))
  plane = await startControlPlane(log, undefined, { secrets })
  ada = await newcomer(plane, 'ada')
  const { id: acme } = await organizationOf(ada, 'Acme')
  const small = await organizationOf(ada, 'Small', 'tier_free')
  await insertProject(plane, acme, ref)
  // What the data plane would be told, though nothing listens at the address.
  const own = JSON.stringify(await newProjectSecrets(ref, 'password', new Date()))
  await plane.db
    .updateTable('platform.projects')
    .set({
      sealed_secrets: secrets.seal(own, projectIdentity(ref)),
      db_address: JSON.stringify({ host: '/nonexistent', port: 5432 }),
    })
    .where('ref', '=', ref)
    .execute()
  await insertProject(plane, small.id, freeRef)
  for (const role of roleNames) {
    const member = await newcomer(plane, role.toLowerCase())
    await sql`insert into platform.members (organization_id, user_id, role)
      values (${acme}, ${member.userId}, ${role})`.execute(plane.db)
    members.set(role, member)
  }
})
afterAll(() => plane.end())
beforeEach(async () => {
  await sql`delete from platform.auth_configs`.execute(plane.db)
})

const set = (changes: object, who = ada) => who.call('PATCH', url, changes)
const stored = async () =>
  (
    await sql<{ row: string }>`select c::text as row from platform.auth_configs c`.execute(plane.db)
  ).rows
    .map(({ row }) => row)
    .join()
const audited = async () => {
  const entries = await plane.db
    .selectFrom('platform.audit_entries')
    .select(['change', 'actor_email'])
    .where('action', '=', 'authConfig.update')
    .orderBy('id')
    .execute()
  return entries
}
const sent = async () => {
  const headers = { authorization: `Bearer ${internalToken}` }
  const answer = await plane.app.inject({ url: `/internal/projects/${ref}`, headers })
  return answer.json<{ settings: { auth: Record<string, unknown> } }>().settings.auth
}

const google = { EXTERNAL_GOOGLE_ENABLED: true }
const server = { SMTP_HOST: 'mail.example.com', SMTP_PORT: '587' }
const sender = { SMTP_ADMIN_EMAIL: 'shop@example.com', SMTP_SENDER_NAME: 'Shop' }

test.each([
  ['an unknown key', { SITE_ADDRESS: 'https://example.com' }, 'SITE_ADDRESS'],
  ['a key in lower case', { site_url: 'https://example.com' }, 'site_url'],
  ['a number for a switch', { DISABLE_SIGNUP: 1 }, 'DISABLE_SIGNUP'],
  ['a text for a number', { JWT_EXP: '3600' }, 'JWT_EXP'],
  ['a site that is no address', { SITE_URL: 'example.com' }, 'SITE_URL'],
  ['no site', { SITE_URL: '' }, 'SITE_URL'],
  ['a site that runs code', { SITE_URL: 'javascript://x/%0aalert(1)' }, 'SITE_URL'],
  [
    'a redirect target that is no address',
    { URI_ALLOW_LIST: 'https://a.example.com,b' },
    'b is no',
  ],
  [
    'too many redirect targets',
    { URI_ALLOW_LIST: Array.from({ length: 90 }, (_, i) => `https://${i}.example.com/**`).join() },
    'Too many redirect URLs, please remove some or try to use wildcards',
  ],
  ['a password of five characters', { PASSWORD_MIN_LENGTH: 5 }, 'PASSWORD_MIN_LENGTH'],
  ['passwords longer than can be checked', { PASSWORD_MIN_LENGTH: 73 }, 'PASSWORD_MIN_LENGTH'],
  ['characters of another choice', { PASSWORD_REQUIRED_CHARACTERS: 'abc' }, 'PASSWORD_REQUIRED'],
  ['a code of five digits', { MAILER_OTP_LENGTH: 5 }, 'MAILER_OTP_LENGTH'],
  ['a code of eleven digits', { SMS_OTP_LENGTH: 11 }, 'SMS_OTP_LENGTH'],
  ['a code that never expires', { MAILER_OTP_EXP: 86_401 }, 'MAILER_OTP_EXP'],
  ['a token for longer than a week', { JWT_EXP: 604_801 }, 'JWT_EXP'],
  ['a rate of nothing', { RATE_LIMIT_EMAIL_SENT: 0 }, 'RATE_LIMIT_EMAIL_SENT'],
  ['test numbers in another form', { SMS_TEST_OTP: '15550001111' }, 'SMS_TEST_OTP'],
  ['a moment in words', { SMS_TEST_OTP_VALID_UNTIL: 'tomorrow' }, 'SMS_TEST_OTP_VALID_UNTIL'],
  ['a message without its code', { SMS_TEMPLATE: 'Hello' }, 'SMS_TEMPLATE'],
  ['a service that nobody knows', { SMS_PROVIDER: 'pigeon' }, 'SMS_PROVIDER'],
  ['a provider without its account', google, 'EXTERNAL_GOOGLE_CLIENT_ID: is needed'],
  [
    'one without its secret',
    { ...google, EXTERNAL_GOOGLE_CLIENT_ID: 'x' },
    'EXTERNAL_GOOGLE_SECRET',
  ],
  ['an address in plain http', { EXTERNAL_KEYCLOAK_URL: 'http://x.example.com' }, 'https://'],
  [
    'phones with an account in part',
    { EXTERNAL_PHONE_ENABLED: true, SMS_PROVIDER: 'twilio', SMS_TWILIO_ACCOUNT_SID: 'x' },
    'SMS_TWILIO_AUTH_TOKEN: is needed',
  ],
  ['a mail server without a sender', server, 'SMTP_ADMIN_EMAIL: is needed'],
  [
    'a user of it without password',
    { ...server, ...sender, SMTP_USER: 'u' },
    'SMTP_PASS: is needed',
  ],
  ['a port that is none', { ...server, ...sender, SMTP_PORT: '70000' }, 'SMTP_PORT'],
  ['a sender with line breaks', { SMTP_SENDER_NAME: 'a\r\nBcc: b@c.de' }, 'SMTP_SENDER_NAME'],
  ['factors that could be added and not shown', { MFA_TOTP_VERIFY_ENABLED: false }, 'MFA_TOTP_VER'],
  ['a subject of two lines', { MAILER_SUBJECTS_INVITE: 'a\nb' }, 'MAILER_SUBJECTS_INVITE'],
])('%s is refused, by name', async (_, changes, said) => {
  const answer = await set(changes)
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  expect(answer.body['message']).toContain(said)
  expect(await stored()).toBe('')
})

test('what belongs to a switch that is not offered can be kept for later', async () => {
  const captcha = {
    SECURITY_CAPTCHA_PROVIDER: 'turnstile',
    SECURITY_CAPTCHA_SECRET: 'captcha secret',
  }
  expect(await set(captcha)).toMatchObject({
    status: 200,
    body: { SECURITY_CAPTCHA_PROVIDER: 'turnstile', SECURITY_CAPTCHA_ENABLED: false },
  })
})

test('what the plan does not have is refused', async () => {
  const answer = await ada.call('PATCH', `/platform/auth/${freeRef}/config`, { SAML_ENABLED: true })
  expect(answer).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
  expect(answer.body['message']).toBe('SAML_ENABLED: comes with the Pro plan')
  expect((await set({ SAML_ENABLED: true })).status).toBe(200)
})

test('a plan that ends takes its settings away, from the page and the service, until it is back', async () => {
  const paid = { SESSIONS_TIMEBOX: 24, PASSWORD_HIBP_ENABLED: true, SAML_ENABLED: true }
  const none = { SESSIONS_TIMEBOX: 0, PASSWORD_HIBP_ENABLED: false, SAML_ENABLED: false }
  expect(await set({ ...paid, SITE_URL: 'https://books.example.com' })).toMatchObject({
    status: 200,
    body: paid,
  })
  const tier = (to: string) =>
    sql`update platform.organizations set tier = ${to} where slug = 'acme'`.execute(plane.db)
  expect(await sent()).toMatchObject(paid)
  await tier('tier_free')
  expect((await ada.call('GET', url)).body).toMatchObject(none)
  expect(await sent()).toMatchObject({ ...none, SITE_URL: 'https://books.example.com' })
  // Everything else can be saved, and what was chosen is not lost by that.
  expect((await set({ DISABLE_SIGNUP: true })).body).toMatchObject({
    ...none,
    DISABLE_SIGNUP: true,
  })
  expect((await set({ SESSIONS_TIMEBOX: 12 })).status).toBe(403)
  await tier('tier_team')
  expect((await ada.call('GET', url)).body).toMatchObject({ ...paid, DISABLE_SIGNUP: true })
  expect(await sent()).toMatchObject(paid)
})

test('nobody without a session, and nobody from elsewhere, sees or changes anything', async () => {
  const stranger = await newcomer(plane, 'stranger')
  for (const address of [url, v1]) {
    for (const method of ['GET', 'PATCH'] as const) {
      expect((await plane.app.inject({ method, url: address })).statusCode).toBe(401)
      const answer = await stranger.call(method, address, method === 'PATCH' ? {} : undefined)
      expect(answer).toMatchObject({ status: 404, body: { code: 'project_not_found' } })
    }
  }
})

test.each([
  ['Owner', 200, 200],
  ['Administrator', 200, 200],
  ['Developer', 403, 200],
  ['Read-only', 403, 403],
] as const)(
  '%s reads the settings; changing them is %i, the mail server %i',
  async (role, any, mail) => {
    const member = members.get(role) ?? ada
    expect((await member.call('GET', url)).status).toBe(200)
    expect((await member.call('GET', v1)).status).toBe(200)
    expect((await set({ DISABLE_SIGNUP: true }, member)).status).toBe(any)
    expect((await member.call('PATCH', v1, { disable_signup: true })).status).toBe(any)
    expect((await set({ ...server, ...sender }, member)).status).toBe(mail)
    expect((await set({ ...server, ...sender, DISABLE_SIGNUP: false }, member)).status).toBe(any)
  },
)

test('every key has an answer, and both ways show the same', async () => {
  const before = await ada.call('GET', url)
  expect(Object.keys(before.body).toSorted()).toEqual(authKeys.toSorted())
  expect(before.body).toMatchObject({ SITE_URL: 'http://localhost:3000', MAILER_AUTOCONFIRM: true })
  const changed = await ada.call('PATCH', v1, { site_url: 'https://a.example.com', jwt_exp: 60 })
  expect(changed).toMatchObject({ status: 200, body: { site_url: 'https://a.example.com' } })
  const after = await ada.call('GET', url)
  const lower = Object.entries(after.body).map(([key, value]) => [key.toLowerCase(), value])
  expect((await ada.call('GET', v1)).body).toEqual({
    // Programs of /v1 expect settings that the service does not have, and no text where there is no address and no provider.
    ...authAnswerRest,
    ...Object.fromEntries(lower),
    smtp_admin_email: null,
    sms_provider: null,
  })
  expect(after.body).toEqual({ ...before.body, SITE_URL: 'https://a.example.com', JWT_EXP: 60 })
  expect(await ada.call('PATCH', v1, { SITE_URL: 'https://b.example.com' })).toMatchObject({
    status: 400,
  })
})

test('only what is not the default is kept, and null takes the default back', async () => {
  await set({ JWT_EXP: 60, DISABLE_SIGNUP: false, SMTP_MAX_FREQUENCY: 60 })
  expect(await stored()).toContain('{""JWT_EXP"": 60}')
  expect(await sent()).toEqual({ JWT_EXP: 60, MAILER_AUTOCONFIRM: true })
  // What is the default here may not be it tomorrow, when there is a mail server.
  await set({ JWT_EXP: null, MAILER_AUTOCONFIRM: true })
  expect(await stored()).toContain('{""MAILER_AUTOCONFIRM"": true}')
  await set({ MAILER_AUTOCONFIRM: false })
  expect(await sent()).toEqual({ MAILER_AUTOCONFIRM: false })
})

test('a secret is in no answer, no row, no log and no audit entry, and the service has it', async () => {
  const secret = 'a secret that nobody sees'
  const account = { EXTERNAL_GITHUB_CLIENT_ID: 'id', EXTERNAL_GITHUB_SECRET: secret }
  const smtp = { ...server, ...sender, SMTP_USER: 'shop', SMTP_PASS: secret }
  const first = await set({ ...account, ...smtp })
  const answers = [first, await ada.call('GET', url), await ada.call('GET', v1)]
  await set({ SMTP_PORT: '25' })
  // One that is refused for another reason.
  answers.push(await set({ SMTP_PASS: secret, EXTERNAL_PHONE_ENABLED: 7 }))
  const seen = [...answers.map(({ body }) => body), await stored(), lines, await audited()]
  expect(JSON.stringify(seen)).not.toContain(secret)
  expect(await sent()).toMatchObject({ ...account, ...smtp, SMTP_PORT: '25' })
  const [entry] = (await audited()).slice(-2)
  expect(entry).toMatchObject({
    actor_email: 'ada@example.com',
    change: { before: { SMTP_PASS: 'none' }, after: { SMTP_PASS: 'set', SMTP_USER: 'shop' } },
  })
  // The same secret looks different elsewhere, and the same as long as it is the same.
  const { SMTP_PASS: shown, EXTERNAL_GITHUB_SECRET: other } = first.body
  expect(shown).toMatch(/^hidden:[0-9a-f]{32}$/)
  expect(other).not.toBe(shown)
  expect((await set({ SMTP_PASS: 'another' })).body['SMTP_PASS']).not.toBe(shown)
  expect((await set({ SMTP_PASS: secret })).body['SMTP_PASS']).toBe(shown)
})

test('what was read can be sent back, but what is shown of another secret is no secret', async () => {
  await set({ ...server, ...sender, SMTP_USER: 'shop', SMTP_PASS: 'the password' })
  const { body } = await ada.call('GET', url)
  const entries = (await audited()).length
  expect(await set(body)).toMatchObject({ status: 200, body })
  expect((await audited()).length).toBe(entries)
  expect((await sent())['SMTP_PASS']).toBe('the password')
  const copied = await set({ SMTP_PASS: `hidden:${'0'.repeat(32)}` })
  expect(copied).toMatchObject({ status: 400 })
  expect(copied.body['message']).toContain('SMTP_PASS: is not the secret')
  expect((await sent())['SMTP_PASS']).toBe('the password')
})

test('two at once lose nothing', async () => {
  const rates = authKeys.filter((key) => key.startsWith('RATE_LIMIT_'))
  const answers = await Promise.all(rates.map((key, index) => set({ [key]: 1000 + index })))
  expect(answers.map(({ status }) => status)).toEqual(rates.map(() => 200))
  const { body } = await ada.call('GET', url)
  expect(rates.map((key) => body[key])).toEqual(rates.map((_, index) => 1000 + index))
})

test('a long text is in the audit log by its beginning', async () => {
  await set({ MAILER_TEMPLATES_INVITE_CONTENT: 'x'.repeat(40_000) })
  const [entry] = (await audited()).slice(-1)
  expect(JSON.stringify(entry?.change).length).toBeLessThan(1000)
})

test('codes by text message are paid for while they are on and the plan has them', async () => {
  const uses = async () =>
    (
      await plane.db
        .selectFrom('platform.add_on_usage')
        .select(['project_ref', 'ended_at'])
        .where('variant', '=', 'auth_mfa_phone_default')
        .orderBy('id')
        .execute()
    ).map(({ project_ref, ended_at }) => [project_ref, ended_at === null ? 'on' : 'ended'])
  const phone = (on: boolean) => ({
    MFA_PHONE_VERIFY_ENABLED: on,
    MFA_PHONE_ENROLL_ENABLED: on,
    SMS_TEST_OTP: '15550001111=123456',
  })
  const refused = await ada.call('PATCH', `/platform/auth/${freeRef}/config`, phone(true))
  expect([refused.status, refused.body['code']]).toEqual([403, 'plan_limit'])
  expect(await uses()).toEqual([])
  expect((await set({ MFA_TOTP_ENROLL_ENABLED: false })).status).toBe(200)
  expect(await uses()).toEqual([])

  expect((await set(phone(true))).status).toBe(200)
  expect((await set({ ...phone(true), MFA_PHONE_OTP_LENGTH: 8 })).status).toBe(200)
  expect(await uses()).toEqual([[ref, 'on']])
  const addOns = await ada.call('GET', `/v1/projects/${ref}/billing/addons`)
  expect(JSON.stringify(addOns.body['selected_addons'])).toContain('auth_mfa_phone_default')
  const ordered = await ada.call('PATCH', `/v1/projects/${ref}/billing/addons`, {
    addon_type: 'auth_mfa_phone',
    addon_variant: 'auth_mfa_phone_default',
  })
  expect([ordered.status, ordered.body['message']]).toEqual([
    400,
    'This add-on is on while text message codes are, in the multi-factor settings of auth',
  ])

  // Users who have one can still show it: that alone is the add-on.
  expect((await set({ MFA_PHONE_ENROLL_ENABLED: false })).status).toBe(200)
  expect(await uses()).toEqual([[ref, 'on']])
  expect((await set(phone(false))).status).toBe(200)
  expect(await uses()).toEqual([[ref, 'ended']])

  await set(phone(true))
  const organization = plane.db.updateTable('platform.organizations').where('slug', '=', 'acme')
  await organization.set({ tier: 'tier_free' }).execute()
  const { id } = await plane.db
    .selectFrom('platform.organizations')
    .select('id')
    .where('slug', '=', 'acme')
    .executeTakeFirstOrThrow()
  await settlePhones(plane.db, new Date(), { organizationId: id })
  expect(await uses()).toEqual([
    [ref, 'ended'],
    [ref, 'ended'],
  ])
  const upgrade = await ada.call('PUT', '/platform/organizations/acme/billing/subscription', {
    tier: 'tier_pro',
  })
  expect(upgrade.status, JSON.stringify(upgrade.body)).toBe(200)
  expect((await uses()).at(-1)).toEqual([ref, 'on'])
})

test('with a project its settings are gone', async () => {
  await set({ ...server, ...sender, SMTP_USER: 'shop', SMTP_PASS: 'the password' })
  await sql`update platform.projects set status = 'REMOVED' where ref = ${ref}`.execute(plane.db)
  expect(await stored()).toBe('')
  expect((await ada.call('GET', url)).status).toBe(404)
  await sql`update platform.projects set status = 'INACTIVE' where ref = ${ref}`.execute(plane.db)
})
