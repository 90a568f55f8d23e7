import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webhooks } from '#contract/integrations/webhooks'
import { webhookCalls } from '#contract/integrations/webhook-calls'
import { internalToken, type Person } from '../../testing/control-plane.ts'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
let hooks: string
let enable: string
let secrets: string
let calls: string
beforeAll(async () => {
  world = await startWorld('create table books (id int primary key)')
  const base = `/platform/database/${world.ref}`
  hooks = `${base}/hooks`
  enable = `${base}/hook-enable`
  secrets = `${base}/hook-secrets`
  calls = `/platform/pg-meta/${world.ref}/webhooks`
})
afterAll(() => world.end())

/** What calls about a database carry. */
async function marked(who: Person, method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) {
  const { body: project } = await world.ada.call('GET', `/platform/projects/${world.ref}`)
  return who.call(method, url, body, {
    'x-connection-encrypted': String(project['connectionString']),
  })
}

const enabledRefs = async (token = internalToken) => {
  const headers = { authorization: `Bearer ${token}` }
  return world.control.app.inject({ method: 'GET', url: '/internal/webhooks', headers })
}

test('members see whether they are enabled, developers enable them, strangers know nothing of it', async () => {
  const readOnly = world.as('Read-only')
  expect(await readOnly.call('GET', hooks)).toMatchObject({ status: 200, body: { enabled: false } })
  expect((await readOnly.call('POST', enable)).status).toBe(403)
  expect((await marked(readOnly, 'GET', calls)).body).toEqual({ current: false, hooks: [] })
  const hook = { table_id: 1, name: 'first' }
  for (const [method, path] of [
    ['POST', secrets],
    ['DELETE', secrets],
    ['PATCH', calls],
    ['POST', `${calls}/replay`],
    ['POST', `${calls}/test`],
  ] as const)
    expect((await readOnly.call(method, path, hook)).status, `${method} ${path}`).toBe(403)
  for (const [method, path] of [
    ['GET', hooks],
    ['POST', enable],
    ['GET', calls],
    ['GET', `${calls}/deliveries`],
  ] as const)
    expect((await world.stranger.call(method, path)).status, path).toBe(404)
  expect((await world.control.app.inject({ method: 'GET', url: hooks })).statusCode).toBe(401)
  expect((await enabledRefs('x')).statusCode).toBe(401)
})

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
    webhookCalls.deliveries.returns.parse(
      (await marked(world.as('Read-only'), 'GET', `${calls}/deliveries${query}`)).body,
    ).deliveries
  await expect
    .poll(async () => (await called()).map(({ state }) => state))
    .toEqual(['dead', 'dead'])
  const all = await called()
  expect(all[0]).toMatchObject({
    name: 'second',
    last: { status_code: null, timed_out: false, error_msg: '10.0.0.1 is not a public address' },
  })
  expect((await called('?name=first')).map(({ id }) => id)).toEqual([all[1]?.id])
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

test('what somebody dropped is made again by enabling', async () => {
  await world.sql('drop schema supabase_functions cascade; drop extension pg_net')
  expect((await marked(world.ada, 'GET', calls)).body).toMatchObject({ current: false })
  expect((await world.ada.call('POST', enable)).status).toBe(201)
  expect((await marked(world.ada, 'GET', calls)).body).toEqual({ current: true, hooks: [] })
})

describe('signing secrets', () => {
  const keys = async () =>
    (
      await world.control.app.inject({
        method: 'GET',
        url: `/internal/webhook-keys/${world.ref}`,
        headers: { authorization: `Bearer ${internalToken}` },
      })
    ).json<Record<string, string[]>>()
  let hook: { table_id: number; name: string }
  beforeAll(async () => {
    await world.sql(`create trigger signed after insert on books for each row
      execute function supabase_functions.http_request('https://10.0.0.1/', 'POST', '{}', '{}', '1000')`)
    const [row] = await world.sql(`select 'books'::regclass::oid::int as id`)
    hook = { table_id: Number(row?.['id']), name: 'signed' }
  })
  const renew = async (of: object = hook) => world.as('Developer').call('POST', secrets, of)

  test('refused: of what is no webhook, and to whoever is none of ours', async () => {
    expect((await renew({ ...hook, name: 'other' })).status).toBe(404)
    expect((await renew({ ...hook, table_id: 1 })).status).toBe(404)
    expect((await renew({ ...hook, name: '' })).status).toBe(400)
    expect((await world.stranger.call('POST', secrets, hook)).status).toBe(404)
    const url = `/internal/webhook-keys/${world.ref}`
    for (const headers of [{}, { authorization: 'Bearer x' }])
      expect((await world.control.app.inject({ method: 'GET', url, headers })).statusCode).toBe(401)
    expect(await keys()).toEqual({})
  })

  test('one is shown once; rotated both sign for a day; nothing in a database has it', async () => {
    const first = webhooks.newSecret.returns.parse((await renew()).body)
    expect(first).toEqual({
      secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) as string,
      rotated: false,
    })
    const [id = ''] = Object.keys(await keys())
    expect(await keys()).toEqual({ [id]: [first.secret] })
    expect(
      await world.sql('select secret_id, hook_name from supabase_functions.hook_settings'),
    ).toEqual([{ secret_id: id, hook_name: 'signed' }])
    const second = webhooks.newSecret.returns.parse((await renew()).body)
    expect(second.rotated).toBe(true)
    expect(await keys()).toEqual({ [id]: [second.secret, first.secret] })
    await world.control.db
      .updateTable('platform.webhook_secrets')
      .set({ previous_until: new Date(Date.now() - 1000) })
      .execute()
    expect(await keys()).toEqual({ [id]: [second.secret] })
    const rows = await world.control.db.selectFrom('platform.webhook_secrets').selectAll().execute()
    const audit = await world.control.db.selectFrom('platform.audit_entries').selectAll().execute()
    for (const secret of [first.secret, second.secret])
      expect(JSON.stringify([rows, audit])).not.toContain(secret)
    const { hooks: listed } = webhookCalls.hooks.returns.parse(
      (await marked(world.ada, 'GET', calls)).body,
    )
    expect(listed.map(({ name, signed }) => [name, signed])).toEqual([['signed', true]])
  })

  test('removed it signs no more, and again it is another', async () => {
    const remove = () => world.ada.call('DELETE', secrets, hook)
    expect((await remove()).body).toEqual({ removed: true })
    expect((await remove()).body).toEqual({ removed: false })
    expect(await keys()).toEqual({})
    expect((await renew()).body).toMatchObject({ rotated: false })
  })
})

test('who creates pg_net in SQL has its calls sent, also without webhooks', async () => {
  const net = async () => {
    const headers = { authorization: `Bearer ${internalToken}` }
    return (await world.control.app.inject({ method: 'GET', url: '/internal/net', headers })).json<
      string[]
    >()
  }
  const query = (sql: string) =>
    marked(world.ada, 'POST', `/platform/pg-meta/${world.ref}/query`, { query: sql })
  expect((await query('drop extension pg_net')).status).toBe(200)
  await expect.poll(net).toEqual([])
  await query('create extension pg_net')
  await expect.poll(net).toEqual([world.ref])
  expect(
    (await world.ada.call('POST', '/internal/net', { ref: world.ref, used: false })).status,
  ).toBe(401)
  await world.control.db.deleteFrom('platform.webhook_projects').execute()
  expect((await enabledRefs()).json()).toEqual([world.ref])
  await world.ada.call('POST', enable)
})

test('a project that is paused tells why, and comes back with its webhooks', async () => {
  await world.ada.call('POST', `/platform/projects/${world.ref}/pause`)
  const status = async () =>
    (await world.ada.call('GET', `/platform/projects/${world.ref}/status`)).body['status']
  await expect.poll(status).toBe('INACTIVE')
  expect((await enabledRefs()).json()).toEqual([])
  for (const path of [enable, calls]) {
    const answer = await marked(world.ada, path === enable ? 'POST' : 'GET', path)
    expect(answer).toMatchObject({ status: 503, body: { code: 'project_unreachable' } })
  }
  await world.ada.call('POST', `/platform/projects/${world.ref}/restore`)
  await expect.poll(status).toBe('ACTIVE_HEALTHY')
  await world.sql("select net.http_get('https://10.0.0.2/')")
  const answers = () => world.sql('select error_msg from net._http_response')
  await expect.poll(answers).toEqual([{ error_msg: '10.0.0.2 is not a public address' }])
})
