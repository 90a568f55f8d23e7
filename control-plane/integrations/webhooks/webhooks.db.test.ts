import { afterAll, beforeAll, expect, test } from 'vitest'
import { internalToken } from '../../testing/control-plane.ts'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
let hooks: string
let enable: string
let logs: string
beforeAll(async () => {
  world = await startWorld('create table books (id int primary key)')
  const base = `/platform/database/${world.ref}`
  hooks = `${base}/hooks`
  enable = `${base}/hook-enable`
  logs = `${base}/hook-logs`
})
afterAll(() => world.end())

const enabledRefs = async (token = internalToken) => {
  const headers = { authorization: `Bearer ${token}` }
  return world.control.app.inject({ method: 'GET', url: '/internal/webhooks', headers })
}

test('members see whether they are enabled, developers enable them, strangers know nothing of it', async () => {
  const readOnly = world.as('Read-only')
  expect(await readOnly.call('GET', hooks)).toMatchObject({ status: 200, body: { enabled: false } })
  expect((await readOnly.call('POST', enable)).status).toBe(403)
  expect(await readOnly.call('GET', logs)).toMatchObject({ status: 200, body: { calls: [] } })
  for (const [method, path] of [
    ['GET', hooks],
    ['POST', enable],
    ['GET', logs],
  ] as const)
    expect((await world.stranger.call(method, path)).status, path).toBe(404)
  expect((await world.control.app.inject({ method: 'GET', url: hooks })).statusCode).toBe(401)
  expect((await enabledRefs('x')).statusCode).toBe(401)
})

test.each(['limit=0', 'limit=101', 'before=x', 'hook_table_id=-1'])(
  '%s is refused',
  async (query) => {
    expect((await world.ada.call('GET', `${logs}?${query}`)).status).toBe(400)
  },
)

test('once they are enabled calls go out, and stand in the list with what became of them', async () => {
  expect((await enabledRefs()).json()).toEqual([])
  const developer = world.as('Developer')
  for (let i = 0; i < 2; i++)
    expect(await developer.call('POST', enable)).toMatchObject({
      status: 201,
      body: { enabled: true },
    })
  expect((await world.ada.call('GET', hooks)).body).toEqual({ enabled: true })
  expect((await enabledRefs()).json()).toEqual([world.ref])
  for (const name of ['first', 'second'])
    await world.sql(`create trigger ${name} after insert on books for each row
      execute function supabase_functions.http_request('https://10.0.0.1/${name}', 'POST', '{}', '{}', '1000')`)
  await world.sql('insert into books values (1)')
  const called = async (query = '') =>
    (await world.as('Read-only').call('GET', `${logs}${query}`)).body['calls'] as Record<
      string,
      unknown
    >[]
  await expect
    .poll(async () => (await called()).map(({ pending }) => pending))
    .toEqual([false, false])
  const all = await called()
  expect(all[0]).toMatchObject({
    hook_name: 'second',
    status_code: null,
    timed_out: false,
    error_msg: '10.0.0.1 is not a public address',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string,
  })
  expect((await called('?hook_name=first')).map(({ id }) => id)).toEqual([all[1]?.['id']])
  expect(await called(`?before=${String(all[0]?.['id'])}&limit=1`)).toEqual([all[1]])
  expect(await called(`?hook_table_id=${String(all[0]?.['hook_table_id'])}`)).toHaveLength(2)
  expect(await called('?hook_table_id=1')).toEqual([])
  const entries = await world.control.db
    .selectFrom('platform.audit_entries')
    .select('change')
    .where('action', '=', 'webhooks.enable')
    .execute()
  expect(entries).toEqual([{ change: { after: { enabled: true } } }])
})

test('enabling again keeps the calls that wait; those that came with a copy of another project go', async () => {
  // One that a data plane has taken and not ended yet, and one that waited when its database was copied.
  await world.sql(`insert into net.http_request_queue (method, url, headers, timeout_milliseconds, taken_at)
    values ('GET', 'https://10.0.0.1/waits', '{}', 1000, now())`)
  expect((await world.ada.call('POST', enable)).status).toBe(201)
  const waiting = () => world.sql('select url from net.http_request_queue')
  expect(await waiting()).toEqual([{ url: 'https://10.0.0.1/waits' }])
  await world.sql(`insert into net.http_request_queue (method, url, headers, timeout_milliseconds, taken_at, created_at)
    values ('GET', 'https://10.0.0.1/copied', '{}', 1000, now(), now() - interval '1 day')`)
  const copyOf = (sealing_ref: string | null) =>
    world.control.db
      .updateTable('platform.projects')
      .set({ sealing_ref })
      .where('ref', '=', world.ref)
      .execute()
  expect((await world.ada.call('POST', enable)).status).toBe(201)
  expect(await waiting()).toHaveLength(2)
  await copyOf('abcdefghijklmnopqrst')
  expect((await world.ada.call('POST', enable)).status).toBe(201)
  expect(await waiting()).toEqual([{ url: 'https://10.0.0.1/waits' }])
  await copyOf(null)
})

test('what somebody dropped is made again by enabling; until then the list says that the query failed', async () => {
  await world.sql('drop schema supabase_functions cascade; drop schema net cascade')
  expect((await world.ada.call('GET', logs)).status).toBe(400)
  expect((await world.ada.call('POST', enable)).status).toBe(201)
  expect((await world.ada.call('GET', logs)).body).toEqual({ calls: [] })
})

test('a project that is paused tells why, and comes back with its webhooks', async () => {
  await world.ada.call('POST', `/platform/projects/${world.ref}/pause`)
  const status = async () =>
    (await world.ada.call('GET', `/platform/projects/${world.ref}/status`)).body['status']
  await expect.poll(status, { timeout: 20_000 }).toBe('INACTIVE')
  expect((await enabledRefs()).json()).toEqual([])
  for (const path of [enable, logs]) {
    const answer = await world.ada.call(path === enable ? 'POST' : 'GET', path)
    expect(answer).toMatchObject({ status: 503, body: { code: 'project_unreachable' } })
  }
  await world.ada.call('POST', `/platform/projects/${world.ref}/restore`)
  await expect.poll(status, { timeout: 20_000 }).toBe('ACTIVE_HEALTHY')
  await world.sql("select net.http_get('https://10.0.0.2/')")
  const answers = () => world.sql('select error_msg from net._http_response')
  await expect
    .poll(answers, { timeout: 20_000 })
    .toEqual([{ error_msg: '10.0.0.2 is not a public address' }])
})
