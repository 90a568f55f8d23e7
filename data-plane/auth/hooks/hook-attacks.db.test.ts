import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { json, signIn, victim } from '../../testing/auth/attack.ts'
import type { Session } from '../../testing/auth/attack.ts'
import {
  expectedSignature,
  hookSecret,
  startHookServer,
  type HookRequest,
  type HookServer,
} from '../../testing/auth/hook.ts'
import { newEmail, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

/** What somebody gains who controls a hook's address, its answers, or a request of it. */
let server: TestServer
let guarded: TestServer
let tenant: TestTenant
/** Of a service that reaches public addresses only. */
let strict: TestTenant
let ada: Session
let hooks: HookServer

beforeAll(async () => {
  server = await startAuthServer({ fetch: createSafeFetch({ allowLoopback: true }) })
  guarded = await startAuthServer()
  tenant = await server.tenant('main', { mailerAutoconfirm: true })
  strict = await guarded.tenant('strict', { mailerAutoconfirm: true })
  hooks = await startHookServer()
  ada = await victim(tenant)
})
afterAll(async () => {
  await server.close()
  await guarded.close()
  await hooks.close()
})
afterEach(() => {
  tenant.config.hooks = {}
  hooks.asked.length = 0
  server.logged.length = 0
})

const refusal = async (answer: Response) => {
  const { error_code: code, msg } = await json<{ error_code: string; msg: string }>(answer)
  return { status: answer.status, code, msg }
}

test.each([
  [() => hooks.url],
  [() => 'http://169.254.169.254/latest/meta-data/'],
  [() => 'https://10.0.0.1/'],
  [() => 'https://[::1]/'],
  [() => 'https://localhost/'],
  [() => 'http://example.com/'],
  [() => 'https://user:password@example.com/'],
])('a hook does not knock at the inner network: %#', async (address) => {
  const url = address()
  strict.config.hooks = { BEFORE_USER_CREATED: { kind: 'http', url, secrets: [hookSecret] } }
  const answer = await refusal(
    await strict.call('POST', '/signup', { email: newEmail(), password }),
  )
  // Not even why: that would tell what there is.
  expect(answer).toEqual({ status: 422, code: 'hook_failed', msg: 'The hook could not be called' })
  expect(hooks.asked).toEqual([])
})

test('a public address that leads to an inner one leads nowhere', async () => {
  tenant.config.hooks = { BEFORE_USER_CREATED: hooks.hook }
  hooks.answer = () => ({ status: 307, headers: { location: hooks.url } })
  const answer = await tenant.call('POST', '/signup', { email: newEmail(), password })
  expect(await refusal(answer)).toMatchObject({ status: 422, code: 'hook_failed' })
  expect(hooks.asked).toHaveLength(1)
})

const other = randomUUID()
test.each([
  ['sub', { sub: other }],
  ['aud', { aud: 'service' }],
  ['iss', { iss: 'https://evil.example' }],
  ['session_id', { session_id: other }],
  ['aal', { aal: 'aal2' }],
  ['iat', { iat: 1 }],
  ['exp', { exp: 4_000_000_000 }],
  ['exp', { exp: 1 }],
  ['role', { role: '' }],
  ['role', { role: null }],
  ['email', { email: undefined }],
  ['phone', { phone: 7 }],
  ['is_anonymous', { is_anonymous: 'no' }],
  ['amr', { amr: 'password' }],
  ['app_metadata', { app_metadata: [] }],
  ['claims', undefined],
])('a hook that answers another %s makes no token', async (name, changes) => {
  const { user } = ada
  tenant.config.hooks = { CUSTOM_ACCESS_TOKEN: hooks.hook }
  hooks.answer = ({ body }) => ({ body: changes ? { claims: { ...body.claims, ...changes } } : {} })
  const answer = await tenant.call('POST', '/token?grant_type=password', {
    email: user.email,
    password,
  })
  const { status, code, msg } = await refusal(answer)
  expect({ status, code }).toEqual({ status: 422, code: 'hook_failed' })
  expect(msg).toContain(name)
  const sessions = await tenant.sql('select 1 from auth.sessions where user_id = $1', [user.id])
  expect(sessions).toHaveLength(1)
})

test('what was signed for one request fits no other: not its time, its id nor its content', async () => {
  const { user } = ada
  tenant.config.hooks = { CUSTOM_ACCESS_TOKEN: hooks.hook }
  hooks.answer = ({ body }) => ({ body: { claims: body.claims } })
  await signIn(tenant, user.email)
  await signIn(tenant, user.email)
  const [first, second] = hooks.asked
  if (!first || !second) throw new Error('nobody asked')
  const signature = first.headers['webhook-signature']
  expect(expectedSignature(hookSecret, first)).toBe(signature)
  const withHeader = (name: string, value: string): HookRequest => ({
    ...first,
    headers: { ...first.headers, [name]: value },
  })
  expect(expectedSignature(hookSecret, withHeader('webhook-timestamp', '1'))).not.toBe(signature)
  expect(expectedSignature(hookSecret, withHeader('webhook-id', 'x'))).not.toBe(signature)
  expect(expectedSignature(hookSecret, first, first.text.replace(user.id, other))).not.toBe(
    signature,
  )
  expect(second.headers['webhook-id']).not.toBe(first.headers['webhook-id'])
})

test('neither the secret nor the address of a hook is in a log', async () => {
  const url = `${hooks.url}?key=very-private`
  tenant.config.hooks = { BEFORE_USER_CREATED: { kind: 'http', url, secrets: [hookSecret] } }
  hooks.answer = () => ({ status: 500 })
  await tenant.call('POST', '/signup', { email: newEmail(), password })
  expect(server.logged).toHaveLength(1)
  expect(server.logged.join()).not.toContain('very-private')
  expect(server.logged.join()).not.toContain(hookSecret)
})
