import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isScramVerifier } from '#kit/postgres/scram'
import { silentLog } from '#kit/log'
import { internalToken, startControlPlane } from '../../testing/control-plane.ts'
import type { Person, TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

/** Stands where the data plane would, and keeps what it is asked to run. */
let server: Server
let asked: { url: string; login: unknown; token: unknown; query: string }[] = []
let answer = { status: 200, body: '[]' }
let plane: TestControlPlane
let ada: Person
let bob: Person
let ref: string

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      // Who makes a project waits until its port is open.
      if (request.url?.startsWith('/internal/database-ports')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end('[]')
        return
      }
      const { query } = JSON.parse(Buffer.concat(chunks).toString()) as { query: string }
      const { authorization: token, 'x-plinth-login': login } = request.headers
      asked.push({ url: request.url ?? '', login, token, query })
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  plane = await startControlPlane(silentLog, `http://127.0.0.1:${port}`)
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  const acme = await organizationOf(ada, 'Acme', 'tier_pro')
  await plane.db
    .insertInto('platform.members')
    .values({ organization_id: acme.id, user_id: bob.userId, role: 'Developer' })
    .execute()
  const made = await ada.call('POST', '/platform/projects', {
    name: 'Books',
    organization_slug: 'acme',
    db_pass: 'a long and winding password 42!',
    db_region: 'eu-central-1',
  })
  ref = String(made.body['ref'])
})
afterAll(async () => {
  await plane.end()
  server.close()
})
beforeEach(() => {
  asked = []
  answer = { status: 200, body: '[]' }
})

const set = (who: Person, password: unknown, of = ref) =>
  who.call('PATCH', `/platform/projects/${of}/db-password`, { password })
const sealed = async () =>
  (
    await plane.db
      .selectFrom('platform.projects')
      .select('sealed_secrets')
      .where('ref', '=', ref)
      .executeTakeFirstOrThrow()
  ).sealed_secrets
const audited = async () =>
  (
    await plane.db
      .selectFrom('platform.audit_entries')
      .selectAll()
      .where('action', '=', 'database-password.set')
      .execute()
  ).length

test.each([
  ['an empty one', ''],
  ['one that is too long', 'x'.repeat(100)],
  ['one with a NUL', 'a\0b'],
  ['none', undefined],
])('%s is refused', async (_, password) => {
  expect(await set(ada, password)).toMatchObject({ status: 400 })
  expect(asked).toEqual([])
})

test('who may not change the project may not change its password', async () => {
  expect(await set(bob, 'Granite-7 under water')).toMatchObject({ status: 403 })
  expect(await set(ada, 'Granite-7 under water', 'zzzzzzzzzzzzzzzzzzzz')).toMatchObject({
    status: 404,
  })
  expect(asked).toEqual([])
})

test('a database that does not answer keeps its password, and nothing is written down', async () => {
  const before = await sealed()
  answer = { status: 503, body: '{}' }
  expect(await set(ada, 'Granite-7 under water')).toMatchObject({
    body: { code: 'project_unreachable' },
  })
  answer = { status: 400, body: '{"code":"25006"}' }
  expect(await set(ada, 'Granite-7 under water')).toMatchObject({ status: 402 })
  expect(await sealed()).toBe(before)
  expect(await audited()).toBe(0)
})

test('the database gets a verifier, the platform keeps the password sealed, the audit log knows who', async () => {
  const before = await sealed()
  const told: string[] = []
  const listener = await plane.pool.connect()
  try {
    listener.on('notification', ({ payload }) => told.push(payload ?? ''))
    await listener.query('listen plinth_projects')
    expect(await set(ada, 'Granite-7 under water')).toMatchObject({ status: 200, body: { ref } })
    // What was told before this answer has come with it.
    await listener.query('select 1')
  } finally {
    listener.release(true)
  }
  // Functions have the new one in their environment.
  expect(told).toEqual([ref])
  const [call] = asked
  expect(call).toMatchObject({
    url: `/internal/pg-meta/${ref}/query`,
    login: 'postgres',
    token: `Bearer ${internalToken}`,
  })
  const verifier = /^alter role current_user password '(.*)'$/.exec(call?.query ?? '')?.[1] ?? ''
  expect(isScramVerifier(verifier)).toBe(true)
  expect(await sealed()).not.toBe(before)
  expect(await audited()).toBe(1)
})

test('two at once both succeed, one after the other', async () => {
  const answers = await Promise.all([
    set(ada, 'One of the two here'),
    set(ada, 'And the other one'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await audited()).toBe(3)
})
