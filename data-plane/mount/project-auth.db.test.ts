import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@supabase/supabase-js'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'

let plane: TestDataPlane
beforeAll(async () => {
  const setup = `create table vault (id int); insert into vault values (1);
    alter table vault enable row level security;
    create policy guarded on vault to authenticated using (auth.jwt() ->> 'aal' = 'aal2')`
  plane = await startDataPlane(setup, { auth: { MAILER_AUTOCONFIRM: true } })
})
afterAll(() => plane.close())

test('a policy can ask for the second factor of a project’s user', async () => {
  const client = createClient(plane.url, plane.project.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    // Node 20 has no WebSocket of its own; nothing here opens one.
    realtime: { transport: WebSocket as never },
  })
  const rows = async () => (await client.from('vault').select('id')).data
  expect(
    (await client.auth.signUp({ email: 'ada@example.com', password: 'correct horse 1' })).error,
  ).toBeNull()
  expect(await rows()).toEqual([])
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'App' })
  const { error } = await client.auth.mfa.challengeAndVerify({
    factorId: data?.id ?? '',
    code: generateSync({ secret: data?.totp.secret ?? '' }),
  })
  expect(error).toBeNull()
  expect(await rows()).toEqual([{ id: 1 }])
  // Sealed with the key of the connection, so that whoever reads the table has no codes.
  const [factor] = await plane.sql('select secret from auth.mfa_factors')
  expect(factor?.['secret']).toMatch(/^v1\./)
})

test('sessions are behind the gateway as the rest: without a key nobody passes', async () => {
  expect((await fetch(`${plane.url}/auth/v1/sessions`)).status).toBe(401)
  expect((await fetch(`${plane.url}/auth/v1/factors`, { method: 'POST' })).status).toBe(401)
  expect((await fetch(`${plane.url}/auth/v1/oauth/authorizations/x`)).status).toBe(401)
  // Apps of others have no key of the project: what they ask for comes through, and is not on.
  for (const path of ['authorize', 'token', 'clients/register']) {
    const method = path === 'authorize' ? 'GET' : 'POST'
    const body =
      path === 'token'
        ? new URLSearchParams()
        : '{"client_name":"x","redirect_uris":["https://a.example"]}'
    const answer = await fetch(`${plane.url}/auth/v1/oauth/${path}`, {
      method,
      ...(method === 'POST' && { body }),
    })
    expect(answer.status, path).toBe(404)
    expect(await answer.json()).toMatchObject({ error_code: 'feature_disabled' })
  }
})

test('neither the mail server nor the provider that a project names is looked for on this machine', async () => {
  let connections = 0
  const inner = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((done) => void inner.listen(0, '127.0.0.1', done))
  const address = inner.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const guarded = await startDataPlane('', {
    auth: {
      SMTP_HOST: 'localhost',
      SMTP_PORT: String(port),
      SMTP_ADMIN_EMAIL: 'shop@example.com',
      SMTP_SENDER_NAME: 'Shop',
      EXTERNAL_KEYCLOAK_ENABLED: true,
      EXTERNAL_KEYCLOAK_URL: `https://localhost:${port}/realms/shop`,
      EXTERNAL_KEYCLOAK_CLIENT_ID: 'id',
      EXTERNAL_KEYCLOAK_SECRET: 'secret',
    },
  })
  const authorize = `${guarded.url}/auth/v1/authorize?provider=keycloak`
  const led = await fetch(authorize, { redirect: 'manual' })
  expect(led.headers.get('location') ?? '').not.toContain('localhost:' + port)
  const signedUp = await fetch(`${guarded.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { apikey: guarded.project.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'eve@example.com', password: 'correct horse 1' }),
  })
  // The mail goes out behind the answer.
  expect(signedUp.status).toBe(200)
  await delay(300)
  expect(connections).toBe(0)
  await guarded.close()
  await new Promise<void>((done) => void inner.close(() => done()))
})

test('requests are given up after their time, and connections are as many as is set', async () => {
  const slow = `create function slow(event jsonb) returns jsonb language sql as
      'select event from pg_sleep(1.5)';
    grant execute on function slow(jsonb) to supabase_auth_admin`
  const hook = {
    HOOK_CUSTOM_ACCESS_TOKEN_ENABLED: true,
    HOOK_CUSTOM_ACCESS_TOKEN_URI: 'pg-functions://postgres/public/slow',
  }
  const auth = { MAILER_AUTOCONFIRM: true, DB_MAX_POOL_SIZE: 1 }
  const limitedPlane = await startDataPlane(slow, { auth })
  const { project, directory, url } = limitedPlane
  const set = (more: object) =>
    directory.put({ ...project, settings: { ...project.settings, auth: { ...auth, ...more } } })
  const signUp = (name: string) =>
    fetch(`${url}/auth/v1/signup`, {
      method: 'POST',
      headers: { apikey: project.anonKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: `${name}@example.com`, password: 'correct horse 1' }),
    })
  const together = async (group: string) => {
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((name) => signUp(`${name}-${group}`)))
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const [row] = await limitedPlane.sql(
      `select count(*)::int as n from pg_stat_activity
        where usename = 'supabase_auth_admin' and datname = current_database()`,
    )
    return Number(row?.['n'])
  }
  expect(await together('one')).toBe(1)
  // Each holds its connection long enough for the others to need their own.
  set({ ...hook, DB_MAX_POOL_SIZE: null })
  expect(await together('many')).toBeGreaterThan(1)

  set({ ...hook, API_MAX_REQUEST_DURATION: 1 })
  const answer = await signUp('late')
  expect(answer.status).toBe(504)
  expect(await answer.json()).toMatchObject({ error_code: 'request_timeout' })
  set({ ...hook, API_MAX_REQUEST_DURATION: null })
  expect((await signUp('patient')).status).toBe(200)
  await limitedPlane.close()
})
