import { decodeJwt as decoded } from 'jose'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { bearer, json, refresh, sessionOf, signIn, victim } from '../../testing/auth/attack.ts'
import type { Session } from '../../testing/auth/attack.ts'
import {
  expectedSignature,
  hookSecret,
  otherSecret,
  startHookServer,
  type HookServer,
} from '../../testing/auth/hook.ts'
import { newEmail, password, startAuthServer } from '../../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../../testing/auth/server.ts'

let server: TestServer
let tenant: TestTenant
let hooks: HookServer

beforeAll(async () => {
  server = await startAuthServer({
    fetch: createSafeFetch({ allowLoopback: true }),
    hookTimeouts: { limitMs: 1_500, pauseMs: 100 },
  })
  tenant = await server.tenant('main', { mailerAutoconfirm: true, anonymousEnabled: true })
  hooks = await startHookServer()
})
afterAll(async () => {
  await server.close()
  await hooks.close()
})
afterEach(() => {
  tenant.config.hooks = {}
  hooks.answer = () => ({ body: {} })
  hooks.asked.length = 0
  server.logged.length = 0
})

const signup = (email = newEmail()) => tenant.call('POST', '/signup', { email, password })
const refusal = async (answer: Response) => {
  const { error_code: code, msg } = await json<{ error_code: string; msg: string }>(answer)
  return { status: answer.status, code, msg }
}
const usersWith = (email: string) =>
  tenant.sql('select id from auth.users where email = $1', [email])
const jsonType = { 'content-type': 'application/json' }

test.each([
  [
    'a refusal in its own words',
    { body: { error: { http_code: 403, message: 'No entry' } } },
    403,
    'hook_rejected',
    'No entry',
  ],
  [
    'a refusal by status with a reason',
    { status: 400, body: { error: { http_code: 400, message: 'Not you' } } },
    400,
    'hook_rejected',
    'Not you',
  ],
  [
    'a refusal without a status',
    { body: { error: { message: 'Just no' } } },
    422,
    'hook_rejected',
    'Just no',
  ],
  [
    'a refusal with a status that is none',
    { body: { error: { http_code: 200, message: 'Hm' } } },
    422,
    'hook_rejected',
    'Hm',
  ],
  [
    'a failure of its own',
    { status: 500, body: { oops: true } },
    422,
    'hook_failed',
    'Unexpected status code returned from hook: 500',
  ],
  [
    'a redirect',
    { status: 302, headers: { location: 'https://example.com' } },
    422,
    'hook_failed',
    'Unexpected status code returned from hook: 302',
  ],
  [
    'something that is not JSON',
    { text: '<p>', headers: { 'content-type': 'text/html' } },
    422,
    'hook_payload_invalid_content_type',
    'Invalid JSON response. Received content-type: text/html',
  ],
  [
    'JSON that cannot be read',
    { text: '{"a"', headers: jsonType },
    422,
    'hook_failed',
    'The hook did not answer with a JSON object',
  ],
  ['a list', { body: [] }, 422, 'hook_failed', 'The hook did not answer with a JSON object'],
  [
    'too much',
    { body: { x: 'x'.repeat(21_000) } },
    422,
    'hook_payload_over_size_limit',
    'Payload size exceeded size limit of 20480 bytes',
  ],
  [
    'no time, and nothing about when to come again',
    { status: 503 },
    422,
    'hook_failed',
    'Unexpected status code returned from hook: 503',
  ],
  [
    'come again in a minute',
    { status: 429, headers: { 'retry-after': '60' } },
    422,
    'hook_timeout_after_retry',
    'Failed to reach hook after maximum retries',
  ],
])('%s ends the sign-up, and nobody is left behind', async (_, answer, status, code, msg) => {
  tenant.config.hooks = { BEFORE_USER_CREATED: hooks.hook }
  hooks.answer = () => answer
  const email = newEmail()
  expect(await refusal(await signup(email))).toEqual({ status, code, msg })
  expect(await usersWith(email)).toEqual([])
  expect(hooks.asked).toHaveLength(1)
  expect(server.logged.join()).toContain('a hook refused')
})

test('a hook that does not answer is waited for so long, all attempts together', async () => {
  tenant.config.hooks = { BEFORE_USER_CREATED: hooks.hook }
  let times = 0
  hooks.answer = () => {
    times += 1
    return times === 1 ? { status: 503, headers: { 'retry-after': '0.5' } } : undefined
  }
  const began = performance.now()
  expect(await refusal(await signup())).toMatchObject({ status: 422, code: 'hook_timeout' })
  expect(performance.now() - began).toBeLessThan(6_000)
  expect(hooks.asked).toHaveLength(2)
})

test('a hook that asks to come again is asked again, with a new id', async () => {
  tenant.config.hooks = { BEFORE_USER_CREATED: hooks.hook }
  let times = 0
  hooks.answer = () => {
    times += 1
    return times < 3 ? { status: 429, headers: { 'retry-after': 'true' } } : { status: 204 }
  }
  expect((await signup()).status).toBe(200)
  expect(new Set(hooks.asked.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
  times = -10
  expect(await refusal(await signup())).toMatchObject({ code: 'hook_timeout_after_retry' })
})

test('an address where nobody listens is a refusal and not a failure', async () => {
  const gone = await startHookServer()
  await gone.close()
  tenant.config.hooks = { BEFORE_USER_CREATED: gone.hook }
  expect(await refusal(await signup())).toMatchObject({
    status: 422,
    code: 'hook_timeout_after_retry',
  })
})

test('requests are signed as Standard Webhooks say, by every secret', async () => {
  tenant.config.hooks = {
    BEFORE_USER_CREATED: { kind: 'http', url: hooks.url, secrets: [hookSecret, otherSecret] },
  }
  const email = newEmail()
  expect((await signup(email)).status).toBe(200)
  const [request] = hooks.asked
  if (!request) throw new Error('nobody asked')
  const signatures = request.headers['webhook-signature']?.split(' ')
  expect(signatures).toEqual([
    expectedSignature(hookSecret, request),
    expectedSignature(otherSecret, request),
  ])
  const age = Date.now() / 1000 - Number(request.headers['webhook-timestamp'])
  expect(Math.abs(age)).toBeLessThan(60)
  expect(request.body).toMatchObject({
    metadata: { name: 'before-user-created', ip_address: '127.0.0.1', uuid: expect.any(String) },
    user: {
      email,
      aud: 'authenticated',
      app_metadata: { provider: 'email', providers: ['email'] },
      identities: [],
      is_anonymous: false,
    },
  })
  const [made] = await usersWith(email)
  expect(request.body.user['id']).toBe(made?.['id'])
})

test('everybody who would become a user is asked about, and nobody who is one', async () => {
  tenant.config.hooks = { BEFORE_USER_CREATED: hooks.hook }
  hooks.answer = () => ({ body: { error: { http_code: 403, message: 'Closed' } } })
  tenant.config.phoneEnabled = true
  const admin = bearer(tenant.serviceKey)
  const answers = [
    await tenant.call('POST', '/signup', {}),
    await tenant.call('POST', '/signup', { phone: '15550003333', password }),
    await tenant.call('POST', '/otp', { email: newEmail() }),
    await tenant.call('POST', '/otp', { phone: '15550004444' }),
    await tenant.call('POST', '/invite', { email: newEmail() }, admin),
    await tenant.call(
      'POST',
      '/admin/generate_link',
      { type: 'magiclink', email: newEmail() },
      admin,
    ),
  ]
  expect(await Promise.all(answers.map(refusal))).toEqual(
    answers.map(() => ({ status: 403, code: 'hook_rejected', msg: 'Closed' })),
  )
  const asked = hooks.asked.length
  expect(asked).toBe(answers.length)
  // Whoever has the service key makes users without being asked back.
  const email = newEmail()
  const made = await tenant.call(
    'POST',
    '/admin/users',
    { email, password, email_confirm: true },
    admin,
  )
  expect(made.status).toBe(200)
  expect((await signIn(tenant, email)).access_token).toBeDefined()
  expect((await tenant.call('POST', '/otp', { email })).status).toBe(200)
  expect(hooks.asked).toHaveLength(asked)
})

test('a hook adds claims to access tokens, at sign-in and when they are renewed', async () => {
  const { user } = await victim(tenant)
  tenant.config.hooks = { CUSTOM_ACCESS_TOKEN: hooks.hook }
  hooks.answer = ({ body }) => ({
    body: {
      claims: {
        ...body.claims,
        plan: 'gold',
        role: 'member',
        exp: Number(body.claims['exp']) - 60,
      },
    },
  })
  const session = await signIn(tenant, user.email)
  const claims = decoded(session.access_token)
  expect(claims).toMatchObject({ plan: 'gold', role: 'member', sub: user.id })
  expect(session).toMatchObject({ expires_in: 3540, expires_at: claims['exp'] })
  expect((await tenant.call('GET', '/user', undefined, bearer(session.access_token))).status).toBe(
    200,
  )
  const next = await json<Session>(await refresh(tenant, session.refresh_token))
  expect(decoded(next.access_token)).toMatchObject({ plan: 'gold' })
  expect(hooks.asked.map(({ body }) => body)).toMatchObject([
    { user_id: user.id, authentication_method: 'password' },
    { user_id: user.id, authentication_method: 'token_refresh' },
  ])
})

test('a refresh that a hook refuses is not made: the token still works afterwards', async () => {
  const session = await victim(tenant)
  tenant.config.hooks = { CUSTOM_ACCESS_TOKEN: hooks.hook }
  hooks.answer = () => ({ body: { error: { http_code: 400, message: 'Not now' } } })
  server.advance(1)
  expect(await refusal(await refresh(tenant, session.refresh_token))).toMatchObject({ status: 400 })
  tenant.config.hooks = {}
  expect((await refresh(tenant, session.refresh_token)).status).toBe(200)
  expect(sessionOf(session.access_token)).toBeTruthy()
})
