import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Session } from '#contract/database/activity'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
const clients: Client[] = []
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(
    'create table counters (id int primary key, n int); insert into counters values (1, 0)',
  )
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  await meta.close()
})

async function open(role: string): Promise<Client> {
  const client = new Client({ ...meta.db.configFor(role), application_name: `test of ${role}` })
  client.on('error', () => undefined)
  await client.connect()
  clients.push(client)
  return client
}
async function sessions(login?: 'plinth_read_only'): Promise<Session[]> {
  const { status, body } = await meta.call('GET', 'activity', undefined, login)
  expect(status, JSON.stringify(body)).toBe(200)
  return (body as { sessions: Session[] }).sessions
}
async function sessionOf(role: string): Promise<Session> {
  const found = (await sessions()).find(({ application }) => application === `test of ${role}`)
  if (!found) throw new Error(`There is no session of ${role}`)
  return found
}
const signal = (deed: string, { pid, started }: Session, more: object = {}) =>
  meta.call('POST', `activity/${pid}/${deed}`, { started, ...more })
const running = (client: Client, text: string) =>
  client.query(text).then(
    () => 'done',
    (error: unknown) => (error instanceof Error ? error.message : 'failed'),
  )

test('a number that has gone to another session, or to none, is signalled to nobody', async () => {
  await open('postgres')
  const session = await sessionOf('postgres')
  const other = { ...session, started: '2020-01-01T00:00:00.000000Z' }
  expect((await signal('cancel', other)).status).toBe(404)
  expect((await signal('terminate', { ...session, pid: 2_147_483_646 })).status).toBe(404)
  expect((await signal('cancel', { ...session, pid: 0 })).status).toBe(400)
  const { pid, started } = session
  const reader = await meta.call('POST', `activity/${pid}/cancel`, { started }, 'plinth_read_only')
  expect(reader.status).toBe(404)
  expect((await sessionOf('postgres')).pid).toBe(pid)
})

test('who waits for whom is told, and cancelling the one that holds lets the other go on', async () => {
  const [holder, waiter] = [await open('postgres'), await open('authenticator')]
  await holder.query("set application_name = 'test of holder'; begin")
  await holder.query('update counters set n = 1')
  await waiter.query("set application_name = 'test of waiter'; set role service_role")
  const done = running(waiter, 'update counters set n = 2')
  const blocked = async () => (await sessionOf('waiter')).blocked_by
  const { pid } = await sessionOf('holder')
  await expect.poll(blocked).toEqual([pid])
  expect(await sessionOf('waiter')).toMatchObject({
    kind: 'api',
    role: 'authenticator',
    state: 'active',
    query: 'update counters set n = 2',
    wait: expect.stringMatching(/^Lock: /),
  })
  expect((await signal('terminate', await sessionOf('holder'))).status).toBe(200)
  expect(await done).toBe('done')
})

test('a cancelled query ends and its session stays', async () => {
  const client = await open('postgres')
  await client.query("set application_name = 'test of sleeper'")
  const slept = running(client, 'select pg_sleep(60)')
  await expect.poll(async () => (await sessionOf('sleeper')).state).toBe('active')
  expect((await signal('cancel', await sessionOf('sleeper'))).status).toBe(200)
  expect(await slept).toMatch(/canceling statement/)
  expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }])
})

test('a session of this dashboard that is ended in the midst of its work takes nothing else along', async () => {
  const asked = meta.call('POST', 'query', { query: 'select pg_sleep(60)' })
  const asleep = async () => (await sessions()).find(({ query }) => query?.includes('pg_sleep(60)'))
  await expect.poll(async () => (await asleep())?.state).toBe('active')
  const session = await asleep()
  expect(session?.kind).toBe('dashboard')
  if (session) expect((await signal('terminate', session)).status).toBe(200)
  expect(await asked).toMatchObject({ status: 400, body: { code: '57P01' } })
  expect((await meta.call('POST', 'query', { query: 'select 1 as n' })).body).toEqual([{ n: 1 }])
})

test('a session of a service of the platform is ended only on purpose', async () => {
  await open('supabase_auth_admin')
  const session = await sessionOf('supabase_auth_admin')
  expect(session.kind).toBe('platform')
  expect((await signal('terminate', session)).status).toBe(400)
  expect((await signal('terminate', session, { platform: true })).status).toBe(200)
})

test('who may only read sees that others work, and not what', async () => {
  const seen = await sessions('plinth_read_only')
  const other = seen.find(({ role }) => role === 'postgres')
  expect(other).toMatchObject({ query: null, started: null, state: null })
})
