import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#control-plane/database/database'
import { migrate } from '#control-plane/database/store'
import { readConfig } from '#kit/config'
import { createApp } from '#kit/http'
import { silentLog } from '#kit/log'
import { createSecrets } from '#kit/secrets'
import { createEmptyDatabase, type TestDatabase } from '#kit/testing/postgres'
import { createPlatformAuth } from './platform-auth.ts'
import { authSchema } from './tenants.ts'

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
let app: ReturnType<typeof createApp>
let auth: ReturnType<typeof createPlatformAuth>

beforeAll(async () => {
  database = await createEmptyDatabase()
  opened = openDatabase(database.adminConfig, silentLog)
  await migrate(opened.pool, [{ name: 'auth', sql: authSchema() }])
  auth = createPlatformAuth({
    pool: opened.pool,
    config: readConfig({}),
    secrets: createSecrets(randomBytes(32)),
    log: silentLog,
    keepMail: async () => undefined,
  })
  app = createApp({
    routes: [],
    callerOf: async () => undefined,
    internalToken: 'x',
    log: silentLog,
    security: { allowedOrigins: ['http://localhost:8000'], connectTo: [], trustedProxies: [] },
    requestsPerMinute: 1000,
  })
  auth.mount(app)
})
afterAll(async () => {
  await app.close()
  await auth.close()
  await opened.db.destroy()
  await database.drop()
})

const signUp = (email: string, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/auth/v1/signup',
    headers,
    payload: { email, password: 'Str0ng-enough!' },
  })
const tokenOf = (answer: { json(): unknown }) =>
  // A session's shape is the auth service's contract.
  (answer.json() as { access_token: string }).access_token

test('a page of another origin can not sign anybody up', async () => {
  const answer = await signUp('eve@example.com', { origin: 'https://evil.example' })
  expect(answer.statusCode).toBe(403)
  expect((await signUp('ada@example.com', { origin: 'http://localhost:8000' })).statusCode).toBe(
    200,
  )
})

test('the token of a person is believed until their session ends', async () => {
  const token = tokenOf(await signUp('bob@example.com'))
  expect(await auth.verifyToken(token)).toMatchObject({ email: 'bob@example.com' })
  const headers = { authorization: `Bearer ${token}` }
  const out = await app.inject({ method: 'POST', url: '/auth/v1/logout', headers })
  expect(out.statusCode).toBe(204)
  expect(await auth.verifyToken(token)).toBeUndefined()
})

test.each(['', 'x', 'a.b.c', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.'])(
  '%j is no token',
  async (text) => {
    expect(await auth.verifyToken(text)).toBeUndefined()
  },
)
