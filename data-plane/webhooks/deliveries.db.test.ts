import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startHooks } from '../testing/webhooks/hooks-plane.ts'

/** Calls of webhooks from the row that changes to the end that they come to. */
let hooks: Awaited<ReturnType<typeof startHooks>>
beforeAll(async () => {
  hooks = await startHooks({ setup: 'create table orders (id int primary key, customer text)' })
})
afterAll(() => hooks.close())
afterEach(async () => {
  hooks.enable()
  await hooks.sql(`drop table orders cascade; create table orders (id int primary key, customer text);
    truncate supabase_functions.deliveries cascade; truncate supabase_functions.hook_settings`)
  hooks.receiver.forget()
})

const states = async (name: string) => (await hooks.deliveries(name)).map(({ state }) => state)
const insert = (...ids: number[]) =>
  hooks.sql(`insert into orders select id, 'c' || id from unnest('{${ids.join()}}'::int[]) id`)

describe('without settings', () => {
  test('a call is made once; one that fails is a dead letter, and nothing is lost', async () => {
    await hooks.hook('once', 'orders')
    hooks.receiver.answers((_, before) => ({ status: before === 0 ? 500 : 200, body: 'not now' }))
    await insert(1)
    await expect.poll(() => states('once')).toEqual(['dead'])
    expect(await hooks.attempts('once')).toEqual([
      { attempt: 1, status_code: 500, content: 'not now', timed_out: false, error_msg: null },
    ])
    expect(hooks.receiver.heard).toHaveLength(1)
  })

  test('what is rolled back is not called', async () => {
    await hooks.hook('rolled', 'orders')
    await hooks.sql('begin; insert into orders values (1); rollback')
    await insert(2)
    await expect.poll(() => states('rolled')).toEqual(['delivered'])
    expect(hooks.receiver.bodies()).toMatchObject([{ record: { id: 2 } }])
  })

  test('a call whose hook was dropped, with its table, arrives all the same', async () => {
    await hooks.stop()
    await hooks.hook('dropped', 'orders')
    await insert(1)
    await hooks.sql('drop table orders; create table orders (id int primary key, customer text)')
    hooks.enable()
    await expect.poll(() => states('dropped')).toEqual(['delivered'])
  })
})

test('a call that fails is tried again with the same id until it arrives', async () => {
  await hooks.hook('again', 'orders')
  await hooks.settings('again', 'orders', 'max_attempts, first_wait', '5, 600')
  hooks.receiver.answers((_, before) => ({ status: before < 2 ? 503 : 200 }))
  await insert(1)
  const waits = async () => (await hooks.deliveries('again'))[0]
  for (const attempts of [1, 2]) {
    await expect.poll(waits).toMatchObject({ state: 'waiting', attempts, later: true })
    await hooks.hurry()
  }
  await expect.poll(waits).toMatchObject({ state: 'delivered', attempts: 3 })
  expect((await hooks.attempts('again')).map(({ status_code }) => status_code)).toEqual([
    503, 503, 200,
  ])
  const ids = hooks.receiver.heard.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids)).toEqual(new Set([(await waits())?.['webhook_id']]))
})

test('a wait of a second is over by itself', async () => {
  await hooks.hook('soon', 'orders')
  await hooks.settings('soon', 'orders', 'max_attempts, first_wait', '2, 1')
  hooks.receiver.answers((_, before) => ({ status: before === 0 ? 503 : 200 }))
  await insert(1)
  await expect.poll(() => states('soon')).toEqual(['delivered'])
})

test('after the last attempt it is dead; replayed it is tried as often as at first, under the same id', async () => {
  await hooks.hook('dead', 'orders')
  await hooks.settings('dead', 'orders', 'max_attempts, first_wait', '2, 600')
  hooks.receiver.answers(() => ({ status: 500 }))
  await insert(1)
  const found = async () => (await hooks.deliveries('dead'))[0]
  await expect.poll(found).toMatchObject({ attempts: 1 })
  await hooks.hurry()
  await expect.poll(found).toMatchObject({ state: 'dead', attempts: 2 })
  await hooks.sql(`update supabase_functions.deliveries set state = 'waiting', replayed_after = attempts, due_at = now();
    select pg_notify('plinth_hooks', '')`)
  await expect.poll(found).toMatchObject({ state: 'waiting', attempts: 3, later: true })
  hooks.receiver.answers(() => ({ status: 200 }))
  await hooks.hurry()
  await expect.poll(found).toMatchObject({ state: 'delivered', attempts: 4 })
  expect(new Set(hooks.receiver.heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

test('a receiver that is gone for good gets no second call, whatever was chosen', async () => {
  await hooks.hook('gone', 'orders')
  await hooks.settings('gone', 'orders', 'max_attempts', '20')
  hooks.receiver.answers(() => ({ status: 410 }))
  await insert(1)
  await expect.poll(() => states('gone')).toEqual(['dead'])
})

test('an edge function that is not there makes a dead letter', async () => {
  await hooks.sql(`create trigger missing after insert on orders for each row execute function
    supabase_functions.http_request('${hooks.plane.project.url}/functions/v1/missing', 'POST', '{}', '{}', '2000')`)
  await insert(1)
  await expect.poll(() => states('missing')).toEqual(['dead'])
  expect(await hooks.attempts('missing')).toMatchObject([{ status_code: 404 }])
})

test('a paused hook keeps its calls until it goes on; others are made meanwhile', async () => {
  await hooks.hook('held', 'orders')
  await hooks.hook('free', 'orders')
  await hooks.settings('held', 'orders', 'paused', 'true')
  await insert(1, 2)
  await expect.poll(() => states('free')).toEqual(['delivered', 'delivered'])
  expect(await states('held')).toEqual(['waiting', 'waiting'])
  await hooks.sql(
    `update supabase_functions.hook_settings set paused = false; select pg_notify('plinth_hooks', '')`,
  )
  await expect.poll(() => states('held')).toEqual(['delivered', 'delivered'])
})

test('no more calls at once than a hook may make, also while two processes send', async () => {
  const other = await hooks.another()
  await hooks.hook('few', 'orders')
  await hooks.settings('few', 'orders', 'concurrency', '2')
  let release: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  hooks.receiver.answers(() => gate.then(() => ({ status: 200 })))
  await insert(1, 2, 3, 4, 5, 6)
  await expect.poll(() => hooks.receiver.heard.length).toBe(2)
  // Whoever sends has looked again, as calls of another hook have gone out.
  await hooks.hook('besides', 'orders')
  hooks.receiver.answers(({ url }) =>
    (url === '/few' ? gate : Promise.resolve()).then(() => ({ status: 200 })),
  )
  for (let id = 7; id < 12; id += 1) await insert(id)
  await expect.poll(() => states('besides')).toEqual(Array(5).fill('delivered'))
  expect(hooks.receiver.heard.filter(({ url }) => url === '/few')).toHaveLength(2)
  release()
  await expect.poll(async () => new Set(await states('few'))).toEqual(new Set(['delivered']))
  expect(hooks.receiver.heard.filter(({ url }) => url === '/few')).toHaveLength(11)
  expect(hooks.receiver.most('/few')).toBe(2)
  await other.close()
})

test('calls of one key wait for the one before, those of others do not', async () => {
  await hooks.hook('ordered', 'orders')
  await hooks.settings('ordered', 'orders', 'order_by, max_attempts, first_wait', `'{id}', 3, 600`)
  hooks.receiver.answers(({ body }, before) => ({
    status: body.includes('"id": 1') && before === 0 ? 500 : 200,
  }))
  await insert(1)
  await expect
    .poll(async () => (await hooks.deliveries('ordered'))[0])
    .toMatchObject({ attempts: 1 })
  await hooks.sql(`update orders set customer = 'second'; update orders set customer = 'third'`)
  await insert(2)
  await expect.poll(() => states('ordered')).toEqual(['waiting', 'waiting', 'waiting', 'delivered'])
  await hooks.hurry()
  await expect.poll(async () => new Set(await states('ordered'))).toEqual(new Set(['delivered']))
  const ofFirst = hooks.receiver.heard.filter(({ body }) => body.includes('"id": 1'))
  expect(ofFirst.map(({ body }) => /"record": \{[^}]*"customer": "(\w+)"/.exec(body)?.[1])).toEqual(
    ['c1', 'c1', 'second', 'third'],
  )
})

test('what has ended is forgotten after its time, what waits is not', async () => {
  await hooks.hook('old', 'orders')
  await hooks.settings('old', 'orders', 'paused', 'true')
  await insert(1, 2, 3, 4, 5)
  await hooks.sql(`with d as (select id, row_number() over (order by id) as n from supabase_functions.deliveries)
    update supabase_functions.deliveries x set
      created_at = now() - interval '1 year',
      state = case n when 1 then 'waiting' when 2 then 'delivered' when 3 then 'delivered' else 'dead' end,
      ended_at = case n when 2 then now() - interval '8 days' when 3 then now() - interval '6 days'
        when 4 then now() - interval '29 days' when 5 then now() - interval '27 days' end
    from d where d.id = x.id`)
  await hooks.restart()
  await expect.poll(() => states('old')).toEqual(['waiting', 'delivered', 'dead'])
})
