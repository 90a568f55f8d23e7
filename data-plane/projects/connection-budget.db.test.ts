import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ProjectConnection } from '#contract/internal'
import { silentLog } from '#kit/log'
import { withClient } from '#kit/postgres/client'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { createConnections } from '../pg-meta/connections.ts'
import { fixedDirectory } from '../testing/fixed-directory.ts'
import type { OpenProject } from './open-project.ts'
import { serverOf } from './open-project.ts'
import { createBudgets, createProjects, type Projects } from './projects.ts'

const ref = 'abcdefghijklmnopqrst'
const places = 4
let database: TestDatabase
let projects: Projects
const budgets = createBudgets()

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
afterEach(() => projects.close())

async function opened(waitMs = 10_000): Promise<OpenProject> {
  const connection = ProjectConnection.parse({
    ref,
    status: 'ACTIVE_HEALTHY',
    database: {
      host: database.host,
      port: database.port,
      name: database.name,
      servicePassword: database.configFor('authenticator').password,
      connections: places,
    },
    jwtSecret: 'x'.repeat(40),
    sealingKey: '0'.repeat(64),
    anonKey: 'a',
    serviceKey: 's',
    url: 'http://x',
    settings: {},
  })
  const directory = fixedDirectory([connection])
  projects = createProjects({ directory, log: silentLog, limits: { waitMs }, budgets })
  const project = await projects.open(ref)
  if (!project) throw new Error('The project is unknown')
  return project
}

const sql = (text: string) => ({ statements: [{ text, values: [] }] })
const requests = ['anon', 'authenticated', 'service_role', 'editor'] as const
/** Sessions of the services, as the server counts them. */
const sessions = () =>
  withClient(database.adminConfig, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      "select count(*)::int from pg_stat_activity where datname = current_database() and usename <> 'supabase_admin'",
    )
    return rows[0]?.count
  })

test('all services together have no more connections than the server has places for them', async () => {
  const project = await opened()
  let max = 0
  const watch = async (running: Promise<unknown>[]) => {
    let done = false
    const all = Promise.all(running).finally(() => (done = true))
    while (!done) max = Math.max(max, (await sessions()) ?? 0)
    await all
  }
  await watch([
    ...requests.flatMap((role) =>
      Array.from({ length: 20 }, () => project.run(role, sql('select pg_sleep(0.02)'))),
    ),
    ...(['supabase_auth_admin', 'plinth_storage'] as const).flatMap((login) =>
      Array.from({ length: 20 }, () => project.pool(login).query('select pg_sleep(0.02)')),
    ),
  ])
  expect(max).toBe(places)
})

test('who has an idle connection ends it for the one who waits', async () => {
  const project = await opened()
  // One login after the other takes all it may.
  for (const role of requests)
    await Promise.all(
      Array.from({ length: places }, () => project.run(role, sql('select pg_sleep(0.01)'))),
    )
  const pool = project.pool('supabase_auth_admin')
  await Promise.all(Array.from({ length: places }, () => pool.query('select pg_sleep(0.01)')))
  const listening = await project.dedicated('authenticator')
  expect(await project.run('anon', sql('select 1'))).toEqual([[['1']]])
  await listening.end()
  expect(await sessions()).toBeLessThanOrEqual(places)
})

test('a login that is asked without an end does not keep out another one', async () => {
  const project = await opened()
  const goesOn = new AbortController()
  const flood = Array.from({ length: 30 }, async () => {
    while (!goesOn.signal.aborted) await project.run('anon', sql('select pg_sleep(0.05)'))
  })
  expect(await project.run('service_role', sql('select 1'))).toEqual([[['1']]])
  expect((await project.pool('plinth_storage').query('select 1')).rowCount).toBe(1)
  goesOn.abort()
  await Promise.all(flood)
})

test('who waits too long is told, and takes nothing with it', async () => {
  const project = await opened(200)
  const held = await Promise.all(
    Array.from({ length: places }, () => project.dedicated('authenticator')),
  )
  await expect(project.run('anon', sql('select 1'))).rejects.toMatchObject({ code: 'pool_timeout' })
  await expect(project.pool('supabase_auth_admin').query('select 1')).rejects.toMatchObject({
    code: 'pool_timeout',
  })
  await expect(project.dedicated('authenticator')).rejects.toMatchObject({ code: 'pool_timeout' })
  await Promise.all(held.map((client) => client.end()))
  await Promise.all(requests.map((role) => project.run(role, sql('select 1'))))
})

test('what runs is seen and cancelled while every place is taken', async () => {
  const project = await opened()
  const connectionOf = () =>
    Promise.resolve({
      ...serverOf(project.connection.database),
      user: 'plinth_sql',
      password: project.connection.database.servicePassword,
    })
  const connections = createConnections(connectionOf, budgets, silentLog)
  const who = { ref, login: 'postgres', application: 'test', by: null } as const
  const slow = Array.from({ length: places }, () =>
    connections.use(who, (client) => client.query('select pg_sleep(60)')),
  )
  const ended = Promise.allSettled(slow)
  await expect.poll(sessions).toBe(places)
  const cancelled = await connections.useAtOnce(who, (client) =>
    client.query(
      "select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and query = 'select pg_sleep(60)'",
    ),
  )
  expect(cancelled.rowCount).toBe(places)
  expect((await ended).map(({ status }) => status)).toEqual(slow.map(() => 'rejected'))
  await connections.close()
})
