import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changeDelivery } from '#contract/ddl/webhook-settings'
import { usualHookSettings, webhookCalls as api } from '#contract/integrations/webhook-calls'
import { root } from '#kit/root'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

/** How webhooks do, and what they have called, as the dashboard asks for it. Nobody sends anything here. */
let meta: Meta
let table: number
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql('create table orders (id int primary key, "a b" text)')
  table = Number((await meta.sql(`select 'orders'::regclass::oid::int as id`))[0]?.['id'])
})
afterAll(() => meta.close())

const get = async (path: string) => (await meta.call('GET', path)).body
const hooks = async () => api.hooks.returns.parse(await get('webhooks'))
const deliveries = async (query = '') =>
  api.deliveries.returns.parse(await get(`webhooks/deliveries?${query}`)).deliveries
const hook = (name: string, args: string) =>
  meta.sql(`create or replace trigger ${name} after insert on orders for each row
    execute function supabase_functions.http_request(${args})`)

test('a database without them, or with those of an earlier version, is told from one that is up to date', async () => {
  expect(await hooks()).toEqual({ current: false, hooks: [] })
  expect(await deliveries()).toEqual([])
  const before = await readFile(join(root, 'kit/testing/webhooks-before.sql'), 'utf8')
  await meta.sql(before)
  expect((await hooks()).current).toBe(false)
  expect((await meta.call('POST', 'webhooks/replay', { id: '1' })).status).toBe(409)
  expect((await meta.call('GET', 'webhooks/deliveries/1')).status).toBe(409)
  await meta.sql(await readFile(join(root, 'data-plane/webhooks/schema.sql'), 'utf8'))
  expect(await hooks()).toEqual({ current: true, hooks: [] })
})

describe('with hooks', () => {
  beforeEach(async () => {
    await meta.sql(
      'truncate supabase_functions.deliveries cascade; truncate supabase_functions.hook_settings; truncate orders',
    )
    await hook(
      'tell',
      `'https://example.com/in?a=1', 'POST', '{"x-a":"1"}', '{"b c":"d&e"}', '1500'`,
    )
  })

  test('refused: what is not there, and what no hook can be', async () => {
    const of = { table_id: table, name: 'tell' }
    for (const [method, path, body, status] of [
      ['PATCH', 'webhooks', { ...of, name: 'other', paused: true }, 404],
      ['PATCH', 'webhooks', { ...of, table_id: 1, paused: true }, 404],
      ['PATCH', 'webhooks', { ...of, max_attempts: 0 }, 400],
      ['PATCH', 'webhooks', { ...of, max_attempts: 21 }, 400],
      ['PATCH', 'webhooks', { ...of, concurrency: 33 }, 400],
      ['PATCH', 'webhooks', { ...of, first_wait: 0 }, 400],
      ['PATCH', 'webhooks', { ...of, order_by: ['nowhere'] }, 400],
      ['PATCH', 'webhooks', { ...of, order_by: ['ctid'] }, 400],
      ['GET', 'webhooks/deliveries/999', undefined, 404],
      ['GET', 'webhooks/deliveries/9999999999999999999', undefined, 404],
      ['GET', 'webhooks/deliveries/x', undefined, 400],
      ['GET', 'webhooks/deliveries?state=lost', undefined, 400],
      ['POST', 'webhooks/replay', {}, 400],
      ['POST', 'webhooks/replay', { state: 'dead' }, 400],
      ['POST', 'webhooks/replay', { ...of, state: 'waiting' }, 400],
      ['POST', 'webhooks/test', { ...of, name: 'other' }, 404],
      ['POST', 'webhooks/test', of, 409],
      ['GET', 'webhooks/preview?table_id=1', undefined, 404],
      ['GET', 'webhooks/replayable', undefined, 400],
      ['GET', `webhooks/replayable?table_id=${table}&name=tell&from=yesterday`, undefined, 400],
      ['GET', `webhooks/replayable?table_id=${table}&name=tell&state=waiting`, undefined, 400],
    ] as const)
      expect(
        (await meta.call(method, path, body)).status,
        `${method} ${path} ${JSON.stringify(body)}`,
      ).toBe(status)
  })

  test('settings are kept one by one, and are those of the list', async () => {
    const set = (part: object) =>
      meta.call('PATCH', 'webhooks', { table_id: table, name: 'tell', ...part })
    expect((await hooks()).hooks).toMatchObject([
      {
        name: 'tell',
        settings: { max_attempts: 1, concurrency: 32, order_by: null, paused: false },
        last: null,
      },
    ])
    await set({ max_attempts: 8, order_by: ['a b', 'id'] })
    await set({ paused: true })
    const settings = {
      max_attempts: 8,
      first_wait: 5,
      concurrency: 32,
      order_by: ['a b', 'id'],
      paused: true,
    }
    expect((await hooks()).hooks[0]?.settings).toEqual(settings)
    expect((await set({ paused: false, order_by: null })).body).toEqual({
      ...settings,
      paused: false,
      order_by: null,
    })
  })

  test('what it would send is made of a row that is there, and a test call is what the trigger would make', async () => {
    expect(await get(`webhooks/preview?table_id=${table}`)).toEqual({ body: null })
    await meta.sql(`insert into orders values (1, 'x')`)
    const [real] = await deliveries()
    const { body } = api.preview.returns.parse(
      await get(`webhooks/preview?table_id=${table}&event=UPDATE`),
    )
    const row = { id: 1, 'a b': 'x' }
    expect(JSON.parse(body ?? '')).toEqual({
      type: 'UPDATE',
      table: 'orders',
      schema: 'public',
      record: row,
      old_record: row,
    })
    const { id } = api.test.returns.parse(
      (await meta.call('POST', 'webhooks/test', { table_id: table, name: 'tell' })).body,
    )
    const details = async (of: string | undefined) =>
      api.delivery.returns.parse(await get(`webhooks/deliveries/${of}`))
    const [test, trigger] = [await details(id), await details(real?.id)]
    expect(test).toMatchObject({
      url: 'https://example.com/in?a=1&b%20c=d%26e',
      headers: { 'x-a': '1' },
      state: 'waiting',
      tries: [],
    })
    for (const same of ['url', 'method', 'headers', 'body', 'table_id', 'name'] as const)
      expect(test[same], same).toEqual(trigger[same])
    await hook('short', `'https://example.com'`)
    const short = { table_id: table, name: 'short' }
    expect((await meta.call('POST', 'webhooks/test', short)).status).toBe(200)
    await meta.sql('drop trigger short on orders')
  })

  /** Ten calls: 1 to 4 are delivered, 5 to 8 dead, 9 and 10 wait. */
  async function ten() {
    await meta.sql(`insert into orders select id from generate_series(1, 10) id`)
    await meta.sql(`with n as (select id, row_number() over (order by id) as n from supabase_functions.deliveries)
      update supabase_functions.deliveries d set attempts = case when n < 9 then 2 else 0 end,
        state = case when n < 5 then 'delivered' when n < 9 then 'dead' else 'waiting' end,
        ended_at = case when n < 9 then now() end, created_at = '2026-11-27T10:00:00Z'::timestamptz + n * interval '1 minute'
      from n where n.id = d.id;
      insert into supabase_functions.delivery_attempts
        select id, 1, now(), 12, 500, '{"server":"x"}'::jsonb, 'oops', false, null from supabase_functions.deliveries where attempts = 2
        union all select id, 2, now(), 12, case state when 'dead' then null else 200 end, null::jsonb, null, state = 'dead', null
        from supabase_functions.deliveries where attempts = 2`)
    return deliveries('limit=100')
  }

  test('calls are listed by state, hook and page, and counted', async () => {
    const all = await ten()
    expect(all.map(({ state }) => state)).toEqual([
      ...Array(2).fill('waiting'),
      ...Array(4).fill('dead'),
      ...Array(4).fill('delivered'),
    ])
    expect(await deliveries('state=dead')).toEqual(all.slice(2, 6))
    expect(await deliveries(`limit=3&before=${all[1]?.id}`)).toEqual(all.slice(2, 5))
    expect(await deliveries(`table_id=${table}&name=other`)).toEqual([])
    expect(all[2]).toMatchObject({
      attempts: 2,
      due_at: null,
      last: { status_code: null, timed_out: true },
    })
    expect((await hooks()).hooks).toMatchObject([
      { waiting: 2, dead: 4, ended: 8, failed: 4, last: {} },
    ])
    const details = api.delivery.returns.parse(await get(`webhooks/deliveries/${all[2]?.id}`))
    expect(details.tries.map(({ attempt, content }) => [attempt, content])).toEqual([
      [2, null],
      [1, 'oops'],
    ])
  })

  test('one is replayed, or those of a range; what waits stays as it is, and twice is once', async () => {
    const all = await ten()
    const replay = async (what: object) =>
      api.replay.returns.parse((await meta.call('POST', 'webhooks/replay', what)).body).replayed
    const of = { table_id: table, name: 'tell' }
    expect(await replay({ id: all[0]?.id })).toBe(0)
    expect(await replay({ id: all[2]?.id })).toBe(1)
    expect(await replay({ id: all[2]?.id })).toBe(0)
    const range = { ...of, state: 'dead', from: '2026-11-27T10:05:30Z', to: '2026-11-27T10:07:30Z' }
    const count = async (query: string) =>
      api.replayable.returns.parse(
        await get(`webhooks/replayable?table_id=${table}&name=tell&${query}`),
      ).count
    const between = `from=${range.from}&to=${range.to}`
    expect(await count('')).toBe(7)
    expect(await count('state=delivered')).toBe(4)
    expect(await count(`state=dead&${between}`)).toBe(2)
    expect(await replay(range)).toBe(2)
    expect(await count(`state=dead&${between}`)).toBe(0)
    expect(await replay(range)).toBe(0)
    expect(await replay({ ...of, name: 'other' })).toBe(0)
    const ids = new Map(all.map(({ id, webhook_id }) => [id, webhook_id]))
    for (const { id, webhook_id } of await deliveries('limit=100'))
      expect(webhook_id).toBe(ids.get(id))
    expect((await deliveries('state=dead')).length).toBe(1)
    expect(await replay(of)).toBe(5)
  })

  test('settings that were chosen on the page are a migration that can be undone', async () => {
    await meta.sql('create schema if not exists supabase_migrations')
    const of = { schema: 'public', table: 'orders', name: 'tell' }
    const wanted = { ...usualHookSettings, max_attempts: 7, order_by: ['a b'] }
    const { name, statements, inverse } = changeDelivery(of, wanted, usualHookSettings)
    const known = async () => (await hooks()).hooks[0]?.settings
    expect((await meta.call('POST', 'changes', { name, statements, inverse })).status).toBe(200)
    expect(await known()).toEqual(wanted)
    await meta.call('POST', 'changes', { name, statements: inverse ?? [] })
    expect(await known()).toEqual(usualHookSettings)
  })

  test('a member who may only read sees calls and changes none', async () => {
    await ten()
    const as = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
      meta.call(method, path, body, 'plinth_read_only')
    expect(
      api.deliveries.returns.parse((await as('GET', 'webhooks/deliveries')).body).deliveries,
    ).toHaveLength(10)
    expect(api.hooks.returns.parse((await as('GET', 'webhooks')).body).hooks).toHaveLength(1)
    const of = { table_id: table, name: 'tell' }
    for (const [method, path, body] of [
      ['POST', 'webhooks/replay', of],
      ['PATCH', 'webhooks', { ...of, paused: true }],
      ['POST', 'webhooks/test', of],
    ] as const)
      expect((await as(method, path, body)).status, path).toBeGreaterThanOrEqual(400)
  })
})
