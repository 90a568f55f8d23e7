import { afterAll, beforeAll, expect, test } from 'vitest'
import { schemaBefore, startHooks, webhookSchema } from '../testing/webhooks/hooks-plane.ts'

/** A project whose webhooks an earlier version enabled: it goes on as it was, and is brought up to date when somebody says so. */
let hooks: Awaited<ReturnType<typeof startHooks>>
beforeAll(async () => {
  hooks = await startHooks({
    schema: await schemaBefore(),
    setup: 'create table orders (id int primary key)',
  })
})
afterAll(() => hooks.close())

const heard = (count: number) => expect.poll(() => hooks.receiver.heard.length).toBe(count)

test('before that its calls are made as ever', async () => {
  await hooks.hook('told', 'orders')
  await hooks.sql('insert into orders values (1)')
  await hooks.sql(`select net.http_get('${hooks.receiver.address}/plain')`)
  await heard(2)
  const answers = () => hooks.sql('select status_code from net._http_response')
  await expect.poll(answers).toEqual([{ status_code: 200 }, { status_code: 200 }])
})

test('brought up to date it loses no call that waits, and its hooks have deliveries', async () => {
  await hooks.stop()
  hooks.receiver.forget()
  await hooks.sql('insert into orders values (2)')
  const schema = await webhookSchema()
  await hooks.sql(schema)
  await hooks.sql(schema)
  await hooks.sql('insert into orders values (3)')
  hooks.enable()
  await heard(2)
  expect(hooks.receiver.bodies()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ record: { id: 2 } }),
      expect.objectContaining({ record: { id: 3 } }),
    ]),
  )
  await expect
    .poll(async () => (await hooks.deliveries('told'))[0])
    .toMatchObject({ state: 'delivered' })
})

test('without pg_net webhooks go on; created again it calls', async () => {
  hooks.receiver.forget()
  await hooks.sql('drop extension pg_net; insert into orders values (4)')
  await heard(1)
  await hooks.sql('create extension pg_net')
  await hooks.sql(`select net.http_get('${hooks.receiver.address}/again')`)
  await heard(2)
})

test('hooks that came with a copy of another project are paused, and their calls left out; calls of its own are made', async () => {
  await hooks.restart()
  const { ref } = hooks.plane.project
  expect(
    await hooks.sql(
      'select ref from net._project union all select ref from supabase_functions._project',
    ),
  ).toEqual([{ ref }, { ref }])
  await hooks.stop()
  hooks.receiver.forget()
  await hooks.sql(`update supabase_functions._project set ref = 'aaaaaaaaaaaaaaaaaaaa'; update net._project set ref = 'aaaaaaaaaaaaaaaaaaaa';
    insert into orders values (5);
    update supabase_functions.deliveries set created_at = now() - interval '1 year' where state = 'waiting';
    insert into net.http_request_queue (method, url, headers, timeout_milliseconds, created_at)
      values ('GET', '${hooks.receiver.address}/copied', '{}', 1000, now() - interval '1 year');
    select net.http_get('${hooks.receiver.address}/own');
    insert into orders values (6)`)
  await hooks.restart()
  await expect.poll(() => hooks.receiver.heard.map(({ url }) => url)).toEqual(['/own'])
  expect(await hooks.sql('select hook_name, paused from supabase_functions.hook_settings')).toEqual(
    [{ hook_name: 'told', paused: true }],
  )
  expect((await hooks.deliveries('told')).map(({ state }) => state).slice(-2)).toEqual([
    'dead',
    'waiting',
  ])
  await hooks.sql(
    `update supabase_functions.hook_settings set paused = false; select pg_notify('plinth_hooks', '')`,
  )
  await heard(2)
})
