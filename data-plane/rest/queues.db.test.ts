import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startDataPlane, testRef, type TestDataPlane } from '../testing/data-plane.ts'

const ada = '11111111-1111-4111-8111-111111111111'
const bob = '22222222-2222-4222-8222-222222222222'
let plane: TestDataPlane
let clients: Record<'anon' | 'authenticated' | 'service_role', SupabaseClient>
let other: SupabaseClient

beforeAll(async () => {
  plane = await startDataPlane('create extension pgmq', {
    exposedSchemas: ['public', 'pgmq_public'],
  })
  const { project, token } = plane
  const make = (key: string, sub?: string) =>
    createClient(plane.url, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      // The types of ws and of the DOM differ in parts that are not used here.
      realtime: { transport: WebSocket as never },
      ...(sub && {
        accessToken: () => Promise.resolve(token({ role: 'authenticated', sub })),
      }),
    })
  clients = {
    anon: make(project.anonKey),
    authenticated: make(project.anonKey, ada),
    service_role: make(project.serviceKey),
  }
  other = make(project.anonKey, bob)
})
afterAll(() => plane.close())

/** As the switch of the dashboard does. */
async function expose(functions: boolean): Promise<number> {
  const response = await plane.app.inject({
    method: 'PUT',
    url: `/internal/pg-meta/${testRef}/queues/functions`,
    headers: {
      authorization: 'Bearer a token that only our own programs know',
      'x-plinth-login': 'postgres',
    },
    body: { functions },
  })
  return response.statusCode
}
const rpc = (client: SupabaseClient, name: string, args: object) =>
  client.schema('pgmq_public').rpc(name, args)

let made = 0
let queue = ''
beforeEach(async () => {
  queue = `jobs_${made++}`
  await plane.sql(`select pgmq.create('${queue}');
    alter table pgmq.q_${queue} enable row level security; alter table pgmq.a_${queue} enable row level security`)
})
const send = (client: SupabaseClient, message: object, more: object = {}) =>
  rpc(client, 'send', { queue_name: queue, message, ...more })

test('without the functions there is nothing to call', async () => {
  expect((await send(clients.service_role, {})).status).toBe(404)
})

describe('exposed', () => {
  test('switched on, twice, the functions are called by their names', async () => {
    expect([await expose(true), await expose(true)]).toEqual([200, 200])
    await expect
      .poll(
        async () => (await rpc(clients.service_role, 'pop', { queue_name: 'none' })).error?.code,
      )
      .toBe('42P01')
  })

  test.each(['anon', 'authenticated', 'service_role'] as const)(
    '%s is refused before it has rights on the queue, and works with it after',
    async (role) => {
      const client = clients[role]
      const one = { queue_name: queue, message_id: 1 }
      const calls = [
        ['send', { queue_name: queue, message: { n: 1 } }],
        ['send_batch', { queue_name: queue, messages: [{ n: 1 }] }],
        ['read', { queue_name: queue, sleep_seconds: 30, n: 1 }],
        ['pop', { queue_name: queue }],
        ['archive', one],
        ['delete', one],
      ] as const
      await plane.sql(`select pgmq.send('${queue}', '{"n": 0}')`)
      for (const [name, args] of calls)
        expect((await rpc(client, name, args)).error, name).toMatchObject({ code: '42501' })
      await plane.sql(`grant select, insert, update, delete on pgmq.q_${queue} to ${role};
        grant select, insert on pgmq.a_${queue} to ${role};
        create policy everything on pgmq.q_${queue} to ${role} using (true) with check (true);
        create policy everything on pgmq.a_${queue} to ${role} using (true) with check (true)`)
      expect((await send(client, { n: 1 })).data).toEqual([2])
      const batch = { queue_name: queue, messages: [{ n: 2 }, { n: 3 }], sleep_seconds: 3600 }
      expect((await rpc(client, 'send_batch', batch)).data).toEqual([3, 4])
      const { data } = await rpc(client, 'read', { queue_name: queue, sleep_seconds: 30, n: 5 })
      expect(data).toMatchObject([
        { msg_id: 1, read_ct: 1, message: { n: 0 } },
        { msg_id: 2, read_ct: 1, message: { n: 1 } },
      ])
      expect((await rpc(client, 'pop', { queue_name: queue })).data).toEqual([])
      expect((await rpc(client, 'archive', one)).data).toBe(true)
      expect((await rpc(client, 'delete', { ...one, message_id: 2 })).data).toBe(true)
      expect((await rpc(client, 'delete', { ...one, message_id: 2 })).data).toBe(false)
      expect(await plane.sql(`select msg_id::int from pgmq.q_${queue} order by 1`)).toEqual([
        { msg_id: 3 },
        { msg_id: 4 },
      ])
    },
  )

  test('policies decide which messages a user sends and reads', async () => {
    await plane.sql(`grant select, insert, update, delete on pgmq.q_${queue} to authenticated;
      create policy own on pgmq.q_${queue} to authenticated
        using (message->>'for' = auth.uid()::text) with check (message->>'for' = auth.uid()::text)`)
    expect((await send(clients.authenticated, { for: bob })).error).toMatchObject({ code: '42501' })
    expect((await send(clients.authenticated, { for: ada })).error).toBeNull()
    expect((await send(other, { for: bob })).error).toBeNull()
    const all = { queue_name: queue, sleep_seconds: 0, n: 10 }
    expect((await rpc(other, 'read', all)).data).toMatchObject([{ message: { for: bob } }])
    const [theirs] = await plane.sql(
      `select msg_id::int from pgmq.q_${queue} where message->>'for' = '${ada}'`,
    )
    const foreign = { queue_name: queue, message_id: theirs?.['msg_id'] }
    expect((await rpc(other, 'delete', foreign)).data).toBe(false)
    expect((await rpc(clients.authenticated, 'delete', foreign)).data).toBe(true)
    expect((await rpc(clients.anon, 'read', all)).error).toMatchObject({ code: '42501' })
  })

  test('SQL in the name of a queue is a name, and pgmq itself is not exposed', async () => {
    for (const name of [`${queue}; drop table pgmq.meta`, `${queue}" where false --`, "a'b", ''])
      expect((await rpc(clients.service_role, 'pop', { queue_name: name })).error?.code).toBe(
        '22023',
      )
    const quoted = await rpc(clients.service_role, 'pop', { queue_name: 'x" cascade' })
    expect(quoted.error?.code).toBe('42P01')
    const direct = await clients.service_role.schema('pgmq').rpc('create', { queue_name: 'mine' })
    expect(direct.error?.code).toBe('PGRST106')
    expect(await plane.sql(`select pgmq.list_queues()`)).not.toEqual([])
  })

  test('switched off the functions, the schema and the ways to it are gone, and what others put there stays', async () => {
    await plane.sql('create function pgmq_public.own() returns int language sql return 1')
    expect(await expose(false)).toBe(200)
    expect(
      await plane.sql(
        `select proname from pg_proc where pronamespace = 'pgmq_public'::regnamespace`,
      ),
    ).toEqual([{ proname: 'own' }])
    const usage = (schema: string) =>
      plane.sql(`select has_schema_privilege('service_role', '${schema}', 'usage') as usage`)
    expect(await usage('pgmq')).toEqual([{ usage: false }])
    expect(await usage('pgmq_public')).toEqual([{ usage: false }])
    await plane.sql('drop function pgmq_public.own()')
    expect([await expose(true), await expose(false), await expose(false)]).toEqual([200, 200, 200])
    expect(await plane.sql(`select from pg_namespace where nspname = 'pgmq_public'`)).toEqual([])
    await expect
      .poll(async () => (await send(clients.service_role, {})).status)
      .toBeGreaterThanOrEqual(404)
  })
})
