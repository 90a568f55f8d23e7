import { fastify } from 'fastify'
import { pino } from 'pino'
import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuth } from './auth.ts'
import { authRoutes } from './routes.ts'
import {
  follow,
  lastMail,
  newEmail,
  noLimits,
  password,
  startAuthServer,
} from '../testing/auth/server.ts'
import type { TestServer, TestTenant } from '../testing/auth/server.ts'

let server: TestServer
let tenant: TestTenant
/** An administrator and a user. */
let keys: Record<string, string>[]

beforeAll(async () => {
  server = await startAuthServer()
  tenant = await server.tenant('main', { mailerAutoconfirm: true, anonymousEnabled: true })
  const { data } = await tenant.client().auth.signUp({ email: newEmail(), password })
  keys = [tenant.serviceKey, data.session?.access_token ?? ''].map((key) => ({
    authorization: `Bearer ${key}`,
  }))
})
afterAll(() => server.close())

const noId = '00000000-0000-4000-8000-000000000000'
const withBody: [string, string][] = [
  ['POST', '/signup'],
  ['POST', '/token?grant_type=password'],
  ['POST', '/token?grant_type=refresh_token'],
  ['POST', '/token?grant_type=pkce'],
  ['POST', '/otp'],
  ['POST', '/magiclink'],
  ['POST', '/recover'],
  ['POST', '/resend'],
  ['POST', '/verify'],
  ['PUT', '/user'],
  ['POST', '/factors'],
  ['POST', `/factors/${noId}/verify`],
  ['PUT', `/admin/users/${noId}/factors/${noId}`],
  ['POST', '/admin/users'],
  ['POST', '/admin/generate_link'],
  ['POST', '/invite'],
]

const deep = `${'{"data":'.repeat(5000)}1${'}'.repeat(5000)}`
const strange: [string, string][] = [
  ['broken JSON', '{"email":'],
  ['no JSON', 'email=a@example.com'],
  ['a text', '"text"'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a NUL character', '{"email":"a\\u0000@example.com","data":{"a":"\\u0000"},"token":"\\u0000"}'],
  [
    'a NUL character in a key',
    '{"email":"a@example.com","password":"123456789","data":{"\\u0000":1}}',
  ],
  [
    'half a surrogate pair',
    '{"email":"a@example.com","password":"123456789","data":{"a":"\\ud800"}}',
  ],
  [
    'wrong types',
    '{"email":{},"password":[],"data":1,"type":{},"token":1,"refresh_token":{},"auth_code":[]}',
  ],
  ['huge texts', JSON.stringify({ email: 'x'.repeat(500_000), password: 'y'.repeat(500_000) })],
  ['deep nesting', deep],
]
test.each(strange)('%s gives a clear 4xx everywhere', async (_, body) => {
  const before = await tenant.sql('select count(*) from auth.users')
  for (const [method, path] of withBody) {
    for (const headers of keys) {
      const response = await tenant.call(method, path, body, headers)
      const seen = `${method} ${path}: ${response.status} ${await response.clone().text()}`
      expect(response.status >= 400 && response.status < 500, seen).toBe(true)
      expect(await response.json()).toMatchObject({
        error_code: expect.any(String),
        msg: expect.any(String),
      })
    }
  }
  expect(await tenant.sql('select count(*) from auth.users')).toEqual(before)
})

test.each([
  ['GET', '/verify?token=%00&type=recovery'],
  ['GET', '/verify?token=a&type=recovery&redirect_to=%00'],
  ['GET', '/verify?token=%ff&type=%ff'],
  ['GET', '/admin/users?filter=%00'],
  ['GET', '/admin/users?page=1e999'],
  ['POST', '/logout?scope=%00'],
  ['DELETE', '/sessions/%00'],
  ['DELETE', '/factors/%00'],
  ['POST', '/factors/%00/challenge'],
  ['GET', '/admin/users/%00/factors'],
  ['POST', '/token?grant_type=%00'],
])('%s %s with strange parameters is no failure', async (method, path) => {
  const [headers] = keys
  const response = await tenant.call(method, path, method === 'POST' ? {} : undefined, headers)
  expect(response.status).toBeLessThan(500)
  expect(response.status).toBeGreaterThan(300)
  // Refused before the database sees it, which would refuse it too.
  if (/\?.*%00/.test(path)) expect(await response.text()).toContain('NUL')
})

test('a body above 1 MiB is refused', async () => {
  const body = JSON.stringify({ email: 'a@example.com', data: { x: 'x'.repeat(1024 * 1024) } })
  const response = await tenant.call('POST', '/signup', body)
  expect(response.status).toBe(413)
  expect(await response.json()).toMatchObject({ code: 413, error_code: 'request_entity_too_large' })
})

test('the content type does not matter, an empty body does', async () => {
  const body = JSON.stringify({ email: newEmail(), password })
  const response = await tenant.call('POST', '/signup', body, { 'content-type': 'text/plain' })
  expect(response.status).toBe(200)
  const empty = await tenant.call('POST', '/signup', '')
  expect(await empty.json()).toMatchObject({ code: 400, error_code: 'bad_json' })
})

test('errors come in both versions', async () => {
  const body = { email: newEmail(), password: 'wrong' }
  const shape = async (version?: string) => {
    const headers: Record<string, string> = version ? { 'x-supabase-api-version': version } : {}
    const response = await tenant.call('POST', '/token?grant_type=password', body, headers)
    expect(response.status).toBe(400)
    expect(response.headers.get('x-sb-error-code')).toBe('invalid_credentials')
    return { echoed: response.headers.get('x-supabase-api-version'), body: await response.json() }
  }
  const message = 'Invalid login credentials'
  const older = { code: 400, error_code: 'invalid_credentials', msg: message }
  const newer = { code: 'invalid_credentials', message }
  expect(await shape()).toEqual({ echoed: null, body: older })
  expect(await shape('2023-01-01')).toEqual({ echoed: null, body: older })
  expect(await shape('yesterday')).toEqual({ echoed: null, body: older })
  expect(await shape('2024-01-01')).toEqual({ echoed: '2024-01-01', body: newer })
  expect(await shape('2025-06-30')).toEqual({ echoed: '2024-01-01', body: newer })
})

test('unknown paths, methods and tenants are not found', async () => {
  expect((await tenant.call('GET', '/nothing')).status).toBe(404)
  expect((await tenant.call('DELETE', '/user')).status).toBe(404)
  const elsewhere = await fetch(`${server.origin}/nobody/auth/v1/health`)
  expect(elsewhere.status).toBe(404)
  expect(await elsewhere.json()).toMatchObject({ error_code: 'not_found' })
})

test('health, settings and keys are public', async () => {
  const health = await tenant.call('GET', '/health')
  expect(await health.json()).toEqual({
    version: expect.any(String),
    name: expect.any(String),
    description: expect.any(String),
  })
  const settings = (await (await tenant.call('GET', '/settings')).json()) as { external: object } // ours
  expect(settings).toMatchObject({
    external: { email: true, anonymous_users: true, phone: false, github: false },
    disable_signup: false,
    mailer_autoconfirm: true,
    phone_autoconfirm: false,
    saml_enabled: false,
  })
  expect(Object.keys(settings.external)).toHaveLength(27)
  const keys = await tenant.call('GET', '/.well-known/jwks.json')
  expect(await keys.json()).toEqual({ keys: [] })
})

test('browsers of other origins may call', async () => {
  const preflight = await tenant.call('OPTIONS', '/token', undefined, {
    origin: 'http://localhost:3000',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'apikey,authorization,content-type,x-supabase-api-version',
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
  expect(preflight.headers.get('access-control-allow-credentials')).toBe('true')
  const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase() ?? ''
  for (const name of ['authorization', 'content-type', 'apikey', 'x-client-info', 'x-jwt-aud']) {
    expect(allowed).toContain(name)
  }
  const refused = await tenant.call('GET', '/user', undefined, { origin: 'http://localhost:3000' })
  expect(refused.headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
  expect(refused.headers.get('access-control-expose-headers')).toContain('X-Total-Count')
})

test('links are built from the configured address, whatever the request says', async () => {
  const email = newEmail()
  await tenant.client().auth.signUp({ email, password })
  const headers = { 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'https' }
  await tenant.call('POST', '/recover', { email }, headers)
  const { url } = lastMail(tenant, email)
  expect(url.href.startsWith(`${tenant.externalUrl}/verify`)).toBe(true)
})

test('no log line holds a token, a code, an address or a password', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
  const app = fastify({ loggerInstance: log })
  await app.register(authRoutes, {
    prefix: '/main/auth/v1',
    auth: createAuth({ log }),
    tenantOf: async () => tenant,
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const call = (path: string, body?: unknown, headers = {}) =>
    fetch(`${origin}/main/auth/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const email = newEmail()
  const signedUp = await call('/signup', { email, password })
  const session = (await signedUp.json()) as Record<string, string> // ours
  await call('/user', undefined, { authorization: `Bearer ${session['access_token']}` })
  await call('/token?grant_type=refresh_token', { refresh_token: session['refresh_token'] })
  await call('/recover', { email })
  const { url, otp } = lastMail(tenant, email)
  const moved = new URL(`${origin}/main/auth/v1/verify${url.search}`)
  expect((await follow(moved)).values.get('type')).toBe('recovery')
  await call(`/verify?token=secret-token&type=recovery&redirect_to=http://localhost:3000`)
  await app.close()
  const text = lines.join('')
  expect(lines.length).toBeGreaterThan(6)
  for (const secret of [
    session['access_token'] ?? 'none',
    session['refresh_token'] ?? 'none',
    url.searchParams.get('token') ?? 'none',
    'secret-token',
    `"${otp}"`,
    email,
    password,
  ]) {
    expect(text.includes(secret), secret).toBe(false)
  }
})

test('a database that does not answer is a 503 with an id that is also in the log', async () => {
  const broken = await server.tenant('broken')
  const pool = new Pool({ host: '/nonexistent', user: 'nobody', max: 1 }).on(
    'error',
    () => undefined,
  )
  const healthy = broken.pool
  broken.pool = pool
  const response = await broken.call('POST', '/recover', { email: newEmail() })
  expect(response.status).toBe(503)
  const body = (await response.json()) as { error_id: string } // checked here
  expect(body).toMatchObject({ code: 503, error_code: 'unexpected_failure' })
  expect(server.logged.splice(0).join('')).toContain(body.error_id)
  broken.pool = healthy
  await pool.end()
})

test('a disk that is full is said to be full', async () => {
  const full = await server.tenant('full', { mailerAutoconfirm: true })
  await full.sql(`
    create function public.full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on auth.users for each row execute function public.full_disk()`)
  const response = await full.call('POST', '/signup', { email: newEmail(), password })
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({
    error_code: 'unexpected_failure',
    msg: 'There is not enough disk space for this',
  })
})

test('a rule of the project that refuses a user is logged without the row', async () => {
  const hooked = await server.tenant('hooked', { mailerAutoconfirm: true })
  await hooked.sql(`alter table auth.users add constraint nobody check (email = '')`)
  const email = newEmail()
  const response = await hooked.call('POST', '/signup', { email, password })
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ error_code: 'unexpected_failure' })
  const logged = server.logged.splice(0).join('')
  expect(logged).toContain('violates check constraint')
  expect(logged).not.toContain('$2b$')
  expect(logged).not.toContain(email)
})

test('a tenant is refused to an admin key of another secret, even with the same claims', async () => {
  const impostor = await server.tenant('impostor', noLimits)
  const headers = { authorization: `Bearer ${impostor.serviceKey}` }
  const response = await tenant.call('GET', '/admin/users', undefined, headers)
  expect(response.status).toBe(403)
})
