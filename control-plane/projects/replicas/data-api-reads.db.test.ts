import { createHmac } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Replicas } from '#contract/projects/replicas'
import type { ReadReplicas } from '#compute/provider'
import { withClient } from '#kit/postgres/client'
import { processesOf, signal } from '#kit/postgres/processes'
import { startWorld, type World } from '../../testing/world.ts'

/** The data API sends reads to a replica where its caller asks for that, and never an error that the primary would not give. */
let world: World
let identifier: string
let adminPassword: string
let address: { host: string; port: number }
const ada = '11111111-1111-4111-8111-111111111111'
const eve = '22222222-2222-4222-8222-222222222222'
beforeAll(async () => {
  world = await startWorld(
    `create table notes (owner uuid, what text);
     alter table notes enable row level security;
     create policy own on notes to authenticated using (owner = auth.uid());
     grant select, insert, delete on notes to authenticated, service_role;
     insert into notes values ('${ada}', 'tea'), ('${eve}', 'gin');
     create table closed (n int);
     create function here() returns text language sql stable as
       $$ select case when pg_is_in_recovery() then 'replica' else 'primary' end $$;
     create function here_maybe() returns text language sql volatile as
       $$ select case when pg_is_in_recovery() then 'replica' else 'primary' end $$;
     create function refusing() returns text language plpgsql stable as
       $$ begin if pg_is_in_recovery() then raise exception 'not here' using errcode = '40001'; end if; return 'answered'; end $$;
     create function slow(seconds float8) returns text language plpgsql stable as
       $$ begin perform pg_sleep(seconds); return here(); end $$;
     grant usage on schema public to anon, authenticated, service_role;
     grant execute on all functions in schema public to anon, authenticated, service_role;`,
    {},
    { replicaLagMs: 1000 },
  )
  const { db } = world.control
  await db.updateTable('platform.organizations').set({ tier: 'tier_pro' }).execute()
  await db.updateTable('platform.projects').set({ compute_size: 'small' }).execute()
  const made = await world.ada.call('POST', at())
  identifier = String(made.body['identifier'])
  const { replicas } = world.control.compute
  if (!replicas) throw new Error('This provider has no read replicas')
  adminPassword = await adminPasswordSeen(replicas)
  await vi.waitFor(async () => {
    if ((await list())[0]?.state !== 'streaming') throw new Error('It does not stream yet')
  }, within)
  const row = await db
    .selectFrom('platform.read_replicas')
    .select('db_address')
    .executeTakeFirstOrThrow()
  if (!row.db_address) throw new Error('It has no address')
  address = row.db_address
})
afterAll(() => world.end())

const within = { timeout: 60_000, interval: 50 }
const at = () => `/platform/projects/${world.ref}/read-replicas`
const list = async () => Replicas.parse((await world.ada.call('GET', at())).body).replicas
/** With which the control plane asks for them. */
async function adminPasswordSeen(replicas: ReadReplicas): Promise<string> {
  const { list: ask } = replicas
  let seen = ''
  replicas.list = (ref, password) => ask(ref, (seen = password))
  await list()
  replicas.list = ask
  return seen
}
const onReplica = (query: string) =>
  withClient(
    { ...address, user: 'supabase_admin', password: adminPassword, database: 'postgres' },
    async (client) => (await client.query<Record<string, unknown>>(query)).rows,
  )

async function tokenOf(sub: string): Promise<string> {
  const { body } = await world.ada.call('GET', `/platform/projects/${world.ref}/settings`)
  const secret = String(body['jwt_secret'])
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 3600
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ role: 'authenticated', sub, exp })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

type Asked = { method?: string; token?: string; prefer?: string; body?: object }
async function ask(path: string, { method = 'GET', token, prefer, body }: Asked = {}) {
  const key = world.project.serviceKey
  const response = await fetch(`${world.project.url}/rest/v1${path}`, {
    method,
    headers: {
      apikey: key,
      authorization: `Bearer ${token ?? key}`,
      ...(prefer === undefined ? {} : { prefer }),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  return {
    status: response.status,
    json: text === '' ? undefined : (JSON.parse(text) as unknown),
    from: response.headers.get('x-plinth-read-from'),
    applied: response.headers.get('preference-applied'),
  }
}
const replica = { prefer: 'read=replica' }
/** Until it is up to date again, as far as anybody knows. */
const settled = () =>
  expect.poll(async () => (await ask('/rpc/here', replica)).json, within).toBe('replica')

test('without a preference the primary answers, and says nothing of it', async () => {
  expect(await ask('/rpc/here')).toEqual({
    status: 200,
    json: 'primary',
    from: null,
    applied: null,
  })
  expect((await ask('/notes', { prefer: 'count=exact' })).from).toBe(null)
})

test('reads of tables and of stable functions go to the replica, which is told', async () => {
  await settled()
  expect(await ask('/rpc/here', replica)).toEqual({
    status: 200,
    json: 'replica',
    from: identifier,
    applied: 'read=replica',
  })
  const counted = { prefer: 'count=exact, read=replica, handling=strict' }
  expect(await ask('/notes?select=what&order=what', counted)).toEqual({
    status: 200,
    json: [{ what: 'gin' }, { what: 'tea' }],
    from: identifier,
    applied: 'count=exact, handling=strict, read=replica',
  })
  expect(await ask('/notes', { ...replica, method: 'HEAD' })).toMatchObject({
    status: 200,
    from: identifier,
  })
})

test('what may write goes to the primary: other verbs, and functions that do not say that they only read', async () => {
  const body = { owner: ada, what: 'cake' }
  const made = await ask('/notes', { ...replica, method: 'POST', body })
  expect(made).toMatchObject({ status: 201, from: null, applied: null })
  expect(await ask('/notes?what=eq.cake', { ...replica, method: 'DELETE' })).toMatchObject({
    status: 204,
    from: null,
  })
  expect(await ask('/rpc/here_maybe', replica)).toMatchObject({ json: 'primary', from: null })
  expect(await ask('/rpc/here', { ...replica, method: 'POST', body: {} })).toMatchObject({
    json: 'primary',
    from: null,
  })
})

test('a value that nobody knows is ignored, and refused where that is asked for', async () => {
  expect(await ask('/rpc/here', { prefer: 'read=abcde' })).toMatchObject({ json: 'primary' })
  expect(await ask('/rpc/here', { prefer: 'read=abcde, handling=strict' })).toMatchObject({
    status: 400,
    json: { code: 'PGRST122' },
  })
})

test('policies, grants and claims are those of the caller there, too', async () => {
  await settled()
  for (const [sub, what] of [
    [ada, 'tea'],
    [eve, 'gin'],
  ] as const)
    expect(await ask('/notes?select=what', { ...replica, token: await tokenOf(sub) })).toEqual({
      status: 200,
      json: [{ what }],
      from: identifier,
      applied: 'read=replica',
    })
  const token = await tokenOf(ada)
  const [there, here] = await Promise.all([
    ask('/closed', { ...replica, token }),
    ask('/closed', { token }),
  ])
  expect(there).toEqual(here)
  expect(there).toMatchObject({ status: 403, json: { code: '42501' } })
  expect(await ask('/notes', { ...replica, token: 'none' })).toMatchObject({ status: 401 })
})

test('what only the replica refuses is answered by the primary, in the same request', async () => {
  await settled()
  expect(await ask('/rpc/refusing', replica)).toEqual({
    status: 200,
    json: 'answered',
    from: 'primary',
    applied: null,
  })
})

test('a replica that falls behind is passed by, and asked again when it has caught up', async () => {
  await settled()
  await onReplica('select pg_wal_replay_pause()')
  await world.sql(`create table later as select 1 as n; grant select on later to service_role;`)
  // A table that the replica does not have yet is no error, however old it may be.
  await expect.poll(async () => (await ask('/later', replica)).json, within).toEqual([{ n: 1 }])
  await expect.poll(async () => (await ask('/rpc/here', replica)).json, within).toBe('primary')
  expect(await ask('/later', replica)).toMatchObject({ from: 'primary', json: [{ n: 1 }] })
  await onReplica('select pg_wal_replay_resume()')
  await settled()
  await expect.poll(async () => (await ask('/later', replica)).from, within).toBe(identifier)
})

test('a replica that hangs while it answers costs a moment, and one that hangs is asked no more', async () => {
  await settled()
  const [row] = await onReplica("select current_setting('data_directory') as folder")
  const folder = await realpath(String(row?.['folder']))
  const answer = ask('/rpc/slow?seconds=3', replica)
  await expect
    .poll(
      () =>
        onReplica("select count(*)::int as n from pg_stat_activity where wait_event = 'PgSleep'"),
      within,
    )
    .toEqual([{ n: 1 }])
  const all = await processesOf(folder)
  for (const { pid } of all) signal(pid, 'SIGSTOP')
  try {
    expect(await answer).toMatchObject({ status: 200, json: 'primary', from: 'primary' })
    expect(await ask('/rpc/here', replica)).toMatchObject({ json: 'primary', from: 'primary' })
  } finally {
    for (const { pid } of all) signal(pid, 'SIGCONT')
  }
  await settled()
})

test('a query that takes long there is not cut off', async () => {
  await settled()
  expect(await ask('/rpc/slow?seconds=3', replica)).toMatchObject({
    json: 'replica',
    from: identifier,
  })
})

test('one whose server was killed, or that is dropped, is missed by nobody', async () => {
  await settled()
  const [row] = await onReplica("select current_setting('data_directory') as folder")
  const folder = await realpath(String(row?.['folder']))
  for (const { pid } of await processesOf(folder)) signal(pid, 'SIGKILL')
  for (let i = 0; i < 5; i++)
    expect(await ask('/rpc/here', replica)).toMatchObject({ status: 200, json: 'primary' })
  await world.ada.call('DELETE', `${at()}/${identifier}`)
  await expect.poll(list, within).toEqual([])
  expect(await ask('/rpc/here', replica)).toMatchObject({ json: 'primary', from: 'primary' })
})
