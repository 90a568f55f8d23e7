import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ProjectConnection } from '#contract/internal'
import { silentLog } from '#kit/log'
import { withClient } from '#kit/postgres/client'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { fixedDirectory, type FixedDirectory } from '../testing/fixed-directory.ts'
import { createProjects, ProjectUnavailableError, type Projects } from './projects.ts'

const ref = 'abcdefghijklmnopqrst'
let database: TestDatabase
let directory: FixedDirectory
let projects: Projects
let project: ProjectConnection

beforeAll(async () => {
  database = await createTestDatabase()
  project = ProjectConnection.parse({
    ref,
    status: 'ACTIVE_HEALTHY',
    database: {
      host: database.host,
      port: database.port,
      name: database.name,
      servicePassword: database.configFor('authenticator').password,
    },
    jwtSecret: 'x'.repeat(40),
    sealingKey: '0'.repeat(64),
    anonKey: 'a',
    serviceKey: 's',
    url: 'http://x',
    settings: {},
  })
})
afterAll(() => database.drop())
beforeEach(() => {
  directory = fixedDirectory([project])
})
afterEach(() => projects.close())

const start = (options: Omit<Parameters<typeof createProjects>[0], 'directory' | 'log'> = {}) => {
  projects = createProjects({ directory, log: silentLog, ...options })
}
const sql = (text: string) => ({ statements: [{ text, values: [] }] })
const opened = async () => {
  const found = await projects.open(ref)
  if (!found) throw new Error('The project is unknown')
  return found
}
const run = async (text: string, role = 'anon') => (await (await opened()).run(role, sql(text)))[0]
/** Sessions of our services in the test's database, as the server sees them. */
const sessions = () =>
  withClient(database.adminConfig, async (client) => {
    const result = await client.query<{ usename: string }>(
      "select usename from pg_stat_activity where datname = current_database() and application_name = 'plinth' order by 1",
    )
    return result.rows.map((row) => row.usename)
  })
const eventually = { timeout: 60_000 }

test('an unknown project is undefined, one that does not run says so', async () => {
  start()
  expect(await projects.open('zzzzzzzzzzzzzzzzzzzz')).toBeUndefined()
  for (const status of ['INACTIVE', 'COMING_UP', 'GOING_DOWN', 'RESTORING', 'UNKNOWN'] as const) {
    directory.put({ ...project, status })
    await expect(projects.open(ref)).rejects.toThrow(ProjectUnavailableError)
  }
})

test('every request role has a login of its own; others go through authenticator', async () => {
  start()
  const login = 'select session_user, current_user'
  expect(await run(login)).toEqual([['authenticator_anon', 'anon']])
  expect(await run(login, 'authenticated')).toEqual([
    ['authenticator_authenticated', 'authenticated'],
  ])
  expect(await run(login, 'service_role')).toEqual([['authenticator_service_role', 'service_role']])
  for (const role of ['editor', 'constructor', '__proto__', 'authenticator']) {
    expect(await run(login, role)).toEqual([['authenticator', 'authenticator']])
  }
})

test('nothing is open before the first request, and one connection serves many', async () => {
  start()
  await opened()
  expect(await sessions()).toEqual([])
  for (let i = 0; i < 20; i++) await run('select 1')
  expect(await sessions()).toEqual(['authenticator_anon'])
})

test('connections are bounded; who waits too long is told', async () => {
  start({ limits: { connectionsPerLogin: 2, waitMs: 300 } })
  const slow = Array.from({ length: 2 }, () => run('select pg_sleep(1)'))
  const waiting = run('select 1')
  await expect(waiting).rejects.toMatchObject({ code: 'pool_timeout' })
  await Promise.all(slow)
  const many = await Promise.all(Array.from({ length: 50 }, () => run('select 1')))
  expect(many).toHaveLength(50)
  expect(await sessions()).toHaveLength(2)
})

describe('a project is closed', () => {
  test.each(['PAUSING', 'GOING_DOWN', 'RESTARTING'] as const)('when it is %s', async (status) => {
    start()
    await run('select 1')
    await run('select 1', 'service_role')
    await (await opened()).pool('supabase_auth_admin').query('select 1')
    const listening = await (await opened()).dedicated('authenticator')
    await listening.query('listen pgrst')
    expect(await sessions()).toHaveLength(4)
    directory.put({ ...project, status })
    await expect.poll(sessions, eventually).toEqual([])
    await expect(projects.open(ref)).rejects.toThrow(ProjectUnavailableError)
    directory.put(project)
    expect(await run('select 1')).toEqual([['1']])
  })

  test('when it is removed, and when its database has another address', async () => {
    start()
    await run('select 1')
    directory.remove(ref)
    await expect.poll(sessions, eventually).toEqual([])
    expect(await projects.open(ref)).toBeUndefined()
    directory.put(project)
    await run('select 1')
    directory.put({ ...project, database: { ...project.database, port: 1 } })
    await expect.poll(sessions, eventually).toEqual([])
    await expect(run('select 1')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('but not for a change of health', async () => {
    start()
    const before = await opened()
    directory.put({ ...project, status: 'ACTIVE_UNHEALTHY' })
    expect(await opened()).toBe(before)
    expect(before.closed).toBe(false)
  })

  test('after its running requests, but not for ever', async () => {
    start({ limits: { drainMs: 400 } })
    const short = run('select pg_sleep(0.2)')
    const long = run('select pg_sleep(60)', 'service_role')
    const isEnded = expect(long).rejects.toThrow(/terminated/)
    await expect.poll(sessions, eventually).toHaveLength(2)
    let closed = false
    const project0 = await opened()
    project0.onClose(() => (closed = true))
    directory.put({ ...project, status: 'PAUSING' })
    expect(await short).toEqual([['']])
    await isEnded
    expect(closed).toBe(true)
    await expect(project0.run('anon', sql('select 1'))).rejects.toMatchObject({
      code: 'pool_closed',
    })
    await expect.poll(sessions, eventually).toEqual([])
  })

  test('when nobody asks any more, not while it is busy', async () => {
    start({ idleMs: 300 })
    const long = run('select pg_sleep(1)')
    await long
    expect(projects.openCount).toBe(1)
    await expect.poll(() => projects.openCount, eventually).toBe(0)
    await expect.poll(sessions, eventually).toEqual([])
    expect(await run('select 1')).toEqual([['1']])
  })

  test('together with this process', async () => {
    start()
    await run('select 1')
    await projects.close()
    await expect.poll(sessions, eventually).toEqual([])
  })
})

test('other settings of the auth service are there at once, and every connection stays', async () => {
  start()
  const before = await opened()
  await run('select 1')
  const settings = { ...project.settings, auth: { DISABLE_SIGNUP: true } }
  directory.put({ ...project, settings })
  const after = await opened()
  expect(after).toBe(before)
  expect(after.closed).toBe(false)
  expect(after.connection.settings.auth).toEqual({ DISABLE_SIGNUP: true })
  expect(await sessions()).toHaveLength(1)
})

test('connections that break while idle are replaced, and nothing else happens', async () => {
  start()
  await run('select 1')
  await withClient(database.adminConfig, (client) =>
    client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'plinth'",
    ),
  )
  await expect.poll(sessions, eventually).toEqual([])
  expect(await run('select 1')).toEqual([['1']])
})

test('a database that does not answer fails every waiting request with the reason', async () => {
  directory.put({ ...project, database: { ...project.database, host: '/nonexistent' } })
  start()
  const answers = await Promise.allSettled(Array.from({ length: 30 }, () => run('select 1')))
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'ENOENT' } })
  }
})

test('every process that serves a project hears once of a restart of a service, and nothing else is closed', async () => {
  start()
  const other = createProjects({ directory, log: silentLog })
  const heard: string[] = []
  for (const [name, each] of [
    ['one', projects],
    ['other', other],
  ] as const)
    for (const service of ['auth', 'realtime'] as const)
      each.onRestart(service, (of) => heard.push(`${name} ${service} ${of.connection.ref === ref}`))
  await run('select 1')
  await (await other.open(ref))?.run('anon', sql('select 1'))
  const before = await sessions()
  const restarts = { auth: '2026-01-01T00:00:00.000001Z' }
  directory.put({ ...project, restarts })
  await expect
    .poll(() => heard.toSorted(), eventually)
    .toEqual(['one auth true', 'other auth true'])
  directory.put({ ...project, restarts, legacyKeysDisabledAt: '2026-01-01' })
  await run('select 1')
  expect(heard).toHaveLength(2)
  expect(await sessions()).toEqual(before)
  // Who opens it afterwards has nothing from before.
  await other.close()
  const late = createProjects({ directory, log: silentLog })
  late.onRestart('auth', () => heard.push('late'))
  await (await late.open(ref))?.run('anon', sql('select 1'))
  expect(heard).toHaveLength(2)
  await late.close()
})
