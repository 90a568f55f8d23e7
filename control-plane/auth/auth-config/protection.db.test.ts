import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { roleNames, type RoleName } from '#contract/permissions'
import { silentLog } from '#kit/log'
import { person, startControlPlane } from '../../testing/control-plane.ts'
import type { Person, TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { insertProject } from '../../testing/victim.ts'

let plane: TestControlPlane
let ada: Person
const members = new Map<RoleName, Person>()
const ref = 'abcdefghijklmnopqrst'
const freeRef = 'f'.repeat(20)

beforeAll(async () => {
  plane = await startControlPlane(silentLog)
  ada = await newcomer(plane, 'ada')
  const { id: acme } = await organizationOf(ada, 'Acme')
  const small = await organizationOf(ada, 'Small', 'tier_free')
  await insertProject(plane, acme, ref)
  await insertProject(plane, small.id, freeRef)
  for (const role of roleNames) {
    const member = await newcomer(plane, role.toLowerCase())
    await sql`insert into platform.members (organization_id, user_id, role)
      values (${acme}, ${member.userId}, ${role})`.execute(plane.db)
    members.set(role, member)
  }
})
afterAll(() => plane.end())

const set = (changes: object, who = ada) =>
  who.call('PATCH', `/platform/auth/${ref}/config`, changes)

test.each([
  ['a hook without an address', { HOOK_SEND_SMS_ENABLED: true }, 'HOOK_SEND_SMS_URI: is needed'],
  [
    'an unsigned hook',
    { HOOK_SEND_SMS_ENABLED: true, HOOK_SEND_SMS_URI: 'https://a.example.com' },
    'HOOK_SEND_SMS_SECRETS: is needed',
  ],
  ['a hook in plain http', { HOOK_SEND_SMS_URI: 'http://a.example.com' }, 'HOOK_SEND_SMS_URI'],
  [
    'a hook in another database',
    { HOOK_SEND_SMS_URI: 'pg-functions://other/public/f' },
    'HOOK_SEND_SMS_URI',
  ],
  [
    'a function that is no name',
    { HOOK_SEND_SMS_URI: 'pg-functions://postgres/public/f;g' },
    'HOOK_SEND_SMS_URI',
  ],
  ['a secret of another form', { HOOK_SEND_SMS_SECRETS: 'whsec_abc' }, 'HOOK_SEND_SMS_SECRETS'],
  [
    'two secrets of which one is none',
    { HOOK_SEND_SMS_SECRETS: `v1,whsec_${'A'.repeat(32)}|x` },
    'HOOK_SEND_SMS_SECRETS',
  ],
  [
    'a captcha without its secret',
    { SECURITY_CAPTCHA_ENABLED: true },
    'SECURITY_CAPTCHA_SECRET: is',
  ],
  ['a time box of a part of an hour', { SESSIONS_TIMEBOX: 1.5 }, 'SESSIONS_TIMEBOX'],
  ['a time box before the sign-in', { SESSIONS_TIMEBOX: -1 }, 'SESSIONS_TIMEBOX'],
  [
    'telephones that could be added and not shown',
    { MFA_PHONE_ENROLL_ENABLED: true },
    'MFA_PHONE_VERIFY_ENABLED: must',
  ],
])('%s is refused, by name', async (_, changes, said) => {
  const answer = await set(changes)
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  expect(answer.body['message']).toContain(said)
})

const gate = {
  HOOK_BEFORE_USER_CREATED_ENABLED: true,
  HOOK_BEFORE_USER_CREATED_URI: 'pg-functions://postgres/public/gate',
}
const attempts = {
  HOOK_PASSWORD_VERIFICATION_ATTEMPT_ENABLED: true,
  HOOK_PASSWORD_VERIFICATION_ATTEMPT_URI: 'pg-functions://postgres/public/attempt',
}

test('hooks are changed by themselves, and only those that the plan has', async () => {
  const setHooks = (changes: object, who = ada, of = ref) =>
    who.call('PATCH', `/platform/auth/${of}/config/hooks`, changes)
  expect(await setHooks({ DISABLE_SIGNUP: true })).toMatchObject({ status: 400 })
  const beyond = await setHooks(attempts, ada, freeRef)
  expect(beyond).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
  expect(beyond.body['message']).toContain('comes with the Team plan')
  const stranger = person(plane, 'no-member@example.com')
  await stranger.call('POST', '/platform/profile')
  expect((await setHooks(gate, stranger)).status).toBe(404)
  for (const [role, status] of [
    ['Owner', 200],
    ['Administrator', 200],
    ['Developer', 200],
    ['Read-only', 403],
  ] as const) {
    const member = members.get(role) ?? ada
    expect((await setHooks(gate, member)).status).toBe(status)
    expect((await set(gate, member)).status).toBe(status)
  }
  const secret = `v1,whsec_${'A'.repeat(44)}`
  const signed = { HOOK_SEND_EMAIL_URI: 'https://a.example.com', HOOK_SEND_EMAIL_SECRETS: secret }
  const { body } = await setHooks({ ...attempts, ...signed, HOOK_SEND_EMAIL_ENABLED: true })
  expect(body).toMatchObject({ ...gate, ...attempts, HOOK_SEND_EMAIL_ENABLED: true })
  const { rows } = await sql`select c::text, a::text from platform.auth_configs c,
    platform.audit_entries a`.execute(plane.db)
  expect(JSON.stringify([body, rows])).not.toContain(secret)
  expect((await set(body)).status).toBe(200)
})
