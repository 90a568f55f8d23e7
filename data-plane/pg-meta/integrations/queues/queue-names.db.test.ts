import { afterAll, beforeAll, expect, test } from 'vitest'
import { longestQueueName } from '#contract/integrations/queues'
import { startMeta, type Meta } from '../../../testing/pg-meta/pg-meta.ts'
import { at, ids, queuesOf } from '../../../testing/pg-meta/queues.ts'

let meta: Meta
let calls: ReturnType<typeof queuesOf>
beforeAll(async () => {
  meta = await startMeta()
  calls = queuesOf(meta)
  await meta.sql('create extension pgmq')
})
afterAll(() => meta.close())

test.each([
  ['Mixed CASE', 'q_mixed case'],
  ['a"b', 'q_a"b'],
  ['"; drop table pgmq.meta', undefined],
  ['" cascade', 'q_" cascade'],
  ['%I %L $', undefined],
  ['%I %L', 'q_%i %l'],
  ['../x?name=y&z', 'q_../x?name=y&z'],
  ['日本語', 'q_日本語'],
  ['x'.repeat(longestQueueName), `q_${'x'.repeat(longestQueueName)}`],
  ['x'.repeat(longestQueueName + 1), undefined],
])('the name %s is a name and nothing more', async (name, table) => {
  const { status } = await calls.create(name)
  expect(status).toBe(table === undefined ? 400 : 201)
  if (table === undefined) return
  await calls.send(name, { n: 1 })
  await calls.send(name, { n: 2 })
  expect(ids(await calls.messages(name))).toEqual(['1', '2'])
  expect((await calls.post('/messages/archive', { name, ids: ['1'] })).body).toEqual({ changed: 1 })
  expect((await calls.post('/messages/restore', { name, ids: ['1'] })).body).toEqual({ changed: 1 })
  expect((await calls.post('/messages/postpone', { name, ids: ['2'], seconds: 9 })).status).toBe(
    200,
  )
  const grant = { name, role: 'anon', table: 'archive', privilege: 'delete', granted: true }
  expect((await calls.put('/queue/grants', grant)).status).toBe(200)
  expect(await calls.get(name)).toMatchObject({ name, length: { count: 2 }, sent: '3', rls: true })
  const tables = `select from pg_class where relnamespace = 'pgmq'::regnamespace and relname = '${table}'`
  expect(await meta.sql(tables)).toHaveLength(1)
  expect((await calls.post('/queue/purge', { name })).body).toEqual({ changed: 2 })
  expect((await meta.call('DELETE', at('/queue', { name }))).status).toBe(200)
  expect(await meta.sql(tables)).toHaveLength(0)
})

test('a queue whose tables are gone or are none is listed, and can be dropped', async () => {
  const name = await calls.queueWith(1)
  await meta.sql(
    `drop table pgmq."q_${name}"; create view pgmq."q_${name}" as select 1 / 0 as msg_id`,
  )
  expect((await calls.list()).queues.find((queue) => queue.name === name)).toMatchObject({
    table_id: null,
    length: { count: 0 },
    oldest: null,
  })
  expect(await calls.get(name)).toMatchObject({ table_id: null, archived: { count: 0 } })
  expect((await meta.call('GET', at('/messages', { name }))).status).toBe(409)
  expect((await calls.post('/messages', { name, message: '{}' })).status).toBe(409)
  await meta.sql(`drop view pgmq."q_${name}"`)
  expect((await meta.call('DELETE', at('/queue', { name }))).status).toBe(200)
})

test('what is in a long queue is estimated, and its pages come at once', async () => {
  const name = await calls.queueWith(0)
  await meta.sql(`insert into pgmq."q_${name}" (vt, message)
    select now() + case when n % 2 = 0 then interval '1 day' else '0' end, '{}' from generate_series(1, 200000) n;
    analyze pgmq."q_${name}"`)
  const { length, available } = await calls.get(name)
  expect(length.is_estimate).toBe(true)
  expect(length.count).toBeGreaterThan(150_000)
  expect(length.count).toBeLessThan(250_000)
  expect(available.is_estimate).toBe(true)
  expect(ids(await calls.messages(name, { after: '150000', limit: '2' }))).toEqual([
    '150001',
    '150002',
  ])
  // By the index, and not by reading what comes before it.
  const [plan] = await meta.sql(
    `explain (format json) select from pgmq."q_${name}" where msg_id > 150000 order by msg_id limit 50`,
  )
  expect(JSON.stringify(plan)).toContain('Index')
})
