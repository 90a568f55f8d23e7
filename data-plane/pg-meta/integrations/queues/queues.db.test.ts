import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { queues } from '#contract/integrations/queues'
import { startMeta, type Meta } from '../../../testing/pg-meta/pg-meta.ts'
import { at, ids, queuesOf } from '../../../testing/pg-meta/queues.ts'

let meta: Meta
let calls: ReturnType<typeof queuesOf>
beforeAll(async () => {
  meta = await startMeta()
  calls = queuesOf(meta)
})
afterAll(() => meta.close())

test('a database without the extension has no queues, and says so', async () => {
  expect(await calls.list()).toEqual({ installed: false, functions: false, queues: [] })
  expect((await calls.create('jobs')).status).toBe(409)
  expect((await calls.put('/functions', { functions: true })).status).toBe(409)
  expect((await meta.call('GET', at('/queue', { name: 'jobs' }))).status).toBe(404)
  await meta.sql('create extension pgmq')
  expect(await calls.list()).toEqual({ installed: true, functions: false, queues: [] })
})

describe('refused', () => {
  test.each([
    ['no name', { name: ' ' }, 400],
    ['a name that is too long', { name: 'é'.repeat(24) }, 400],
    ['a name with a quote', { name: "a'b" }, 400],
    ['a name with a comment', { name: 'a--b' }, 400],
    ['a name with a semicolon', { name: 'a;b' }, 400],
    ['a name that no address has', { name: '..' }, 400],
    ['a type that there is not', { name: 'a', type: 'fast' }, 400],
    ['partitions of nothing', { name: 'a', type: 'partitioned', partition_interval: '0' }, 400],
    ['partitions of nonsense', { name: 'a', type: 'partitioned', partition_interval: 'x' }, 400],
  ])('%s', async (_, queue, status) => {
    expect((await calls.post('', queue)).status).toBe(status)
  })

  test('a name that is taken, also in other letters', async () => {
    await calls.create('Taken')
    for (const name of ['Taken', 'taken'])
      expect(await calls.create(name)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    await meta.sql('create table pgmq.q_foreign ()')
    expect((await calls.create('foreign')).status).toBe(409)
    await meta.sql('drop table pgmq.q_foreign')
  })

  test('a queue and a message that are not there', async () => {
    const name = 'nowhere'
    const one = { name, ids: ['1'] }
    for (const [method, path, body] of [
      ['GET', at('/queue', { name }), undefined],
      ['GET', at('/messages', { name }), undefined],
      ['GET', at('/messages', { name, state: 'archived' }), undefined],
      ['GET', at('/message', { name, id: '1' }), undefined],
      ['DELETE', at('/queue', { name }), undefined],
      ['POST', 'queues/queue/purge', { name }],
      ['PUT', 'queues/queue/rls', { name, rls: true }],
      [
        'PUT',
        'queues/queue/grants',
        { name, role: 'anon', table: 'queue', privilege: 'select', granted: true },
      ],
      ['POST', 'queues/messages', { name, message: '{}' }],
      ['POST', 'queues/messages/postpone', { ...one, seconds: 1 }],
      ['POST', 'queues/messages/archive', one],
      ['POST', 'queues/messages/move', { ...one, to: 'elsewhere' }],
      ['POST', 'queues/messages/restore', one],
      ['POST', 'queues/messages/delete', one],
    ] as const)
      expect((await meta.call(method, path, body)).status, `${method} ${path}`).toBe(404)
    const there = await calls.queueWith(0)
    expect((await meta.call('GET', at('/message', { name: there, id: '1' }))).status).toBe(404)
    expect((await calls.post('/messages/move', { name: there, ids: ['1'], to: name })).status).toBe(
      404,
    )
    expect(
      (await calls.post('/messages/move', { name: there, ids: ['1'], to: there })).status,
    ).toBe(400)
  })

  test.each([
    ['what is no JSON', { message: 'hello' }],
    ['nothing', { message: '' }],
    ['what Postgres cannot keep', { message: '"\\u0000"' }],
    ['headers that are no JSON', { message: '{}', headers: '{' }],
    ['a delay into the past', { message: '{}', delay: -1 }],
    ['a delay of centuries', { message: '{}', delay: 1e12 }],
  ])('to send %s', async (_, message) => {
    const name = await calls.queueWith(0)
    expect((await calls.post('/messages', { name, ...message })).status).toBe(400)
    expect(await calls.messages(name)).toEqual([])
  })

  test.each([
    ['postpone', { seconds: 1 }],
    ['archive', {}],
    ['delete', {}],
  ])('to %s no message, too many, and what has no number', async (verb, more) => {
    const name = await calls.queueWith(1)
    const many = Array.from({ length: 101 }, (_, at) => String(at))
    for (const bad of [[], many, ['x'], ['9999999999999999999']])
      expect((await calls.post(`/messages/${verb}`, { name, ids: bad, ...more })).status).toBe(400)
    expect(await calls.messages(name)).toHaveLength(1)
  })

  test.each([
    ['role', 'postgres'],
    ['role', 'anon, public'],
    ['privilege', 'truncate'],
    ['privilege', 'select on table auth.users to anon; --'],
    ['table', 'meta'],
  ])('grants with the %s %s', async (part, value) => {
    const name = await calls.queueWith(0)
    const grant = { name, role: 'anon', table: 'queue', privilege: 'select', granted: true }
    expect((await calls.put('/queue/grants', { ...grant, [part]: value })).status).toBe(400)
    expect((await calls.get(name)).grants).toEqual([])
  })

  test('a member who may only look changes nothing', async () => {
    const name = await calls.queueWith(2)
    const as = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
      meta.call(method, path, body, 'plinth_read_only')
    const one = { name, ids: ['1'] }
    for (const [method, path, body] of [
      ['POST', 'queues', { name: 'mine' }],
      ['DELETE', at('/queue', { name }), undefined],
      ['POST', 'queues/queue/purge', { name }],
      ['PUT', 'queues/queue/rls', { name, rls: false }],
      ['PUT', 'queues/functions', { functions: true }],
      ['POST', 'queues/messages', { name, message: '{}' }],
      ['POST', 'queues/messages/postpone', { ...one, seconds: 1 }],
      ['POST', 'queues/messages/archive', one],
      ['POST', 'queues/messages/delete', one],
    ] as const)
      expect((await as(method, path, body)).status, path).toBe(400)
    const { body } = await as('GET', 'queues')
    expect(
      queues.list.returns.parse(body).queues.find((queue) => queue.name === name),
    ).toMatchObject({ length: { count: 2 }, rls: true, sent: '2' })
    const read = await as('GET', at('/messages', { name }))
    expect(queues.messages.returns.parse(read.body).messages).toHaveLength(2)
  })
})

test('a queue is made with row level security, listed, purged and dropped', async () => {
  const name = await calls.queueWith(3)
  await meta.sql(`select pgmq.archive('${name}', 1)`)
  const found = (await calls.list()).queues.find((queue) => queue.name === name)
  expect(found).toMatchObject({
    type: 'basic',
    rls: true,
    policies: 0,
    length: { count: 2, is_estimate: false },
    sent: '3',
  })
  expect(Date.parse(found?.oldest ?? '')).toBeGreaterThan(0)
  expect(await calls.get(name)).toMatchObject({
    available: { count: 2 },
    archived: { count: 1 },
    grants: [],
    partitions: null,
  })
  expect((await calls.post('/queue/purge', { name })).body).toEqual({ changed: 2 })
  expect(await calls.get(name)).toMatchObject({
    length: { count: 0 },
    archived: { count: 1 },
    oldest: null,
  })
  expect((await meta.call('DELETE', at('/queue', { name }))).status).toBe(200)
  expect((await calls.list()).queues.map((queue) => queue.name)).not.toContain(name)
})

test('a queue that is not logged, and one in partitions', async () => {
  const fast = await calls.queueWith(1, { type: 'unlogged', rls: false })
  expect(await calls.get(fast)).toMatchObject({ type: 'unlogged', rls: false })
  const parts = { type: 'partitioned', partition_interval: '10', retention_interval: '1000' }
  const wide = await calls.queueWith(35, parts)
  expect(await calls.get(wide)).toMatchObject({
    type: 'partitioned',
    rls: true,
    length: { count: 35 },
    partitions: { interval: '10', retention: '1000' },
  })
  expect(ids(await calls.messages(wide, { limit: '3', order: 'newest' }))).toEqual([
    '35',
    '34',
    '33',
  ])
})

test('in a long queue few of a state are found wherever they are, and many are looked through in parts', async () => {
  const name = await calls.queueWith(1)
  await meta.sql(`
    select count(*) from pgmq.send_batch('${name}', array_fill('{}'::jsonb, array[45000]));
    update pgmq."q_${name}" set vt = now() + interval '1 day', read_ct = 1 where msg_id in (7, 30000);
    update pgmq."q_${name}" set vt = now() + interval '1 day' where msg_id = 44000`)
  const page = async (more: Record<string, string>) => {
    const { status, body } = await meta.call('GET', at('/messages', { name, ...more }))
    expect(status).toBe(200)
    const { messages, next } = queues.messages.returns.parse(body)
    return { ids: ids(messages), next }
  }
  expect(await page({ state: 'invisible' })).toEqual({ ids: ['7', '30000'], next: null })
  expect(await page({ state: 'invisible', limit: '1' })).toEqual({ ids: ['7'], next: '7' })
  expect(await page({ state: 'scheduled', order: 'newest' })).toEqual({
    ids: ['44000'],
    next: null,
  })
  expect(await page({ state: 'available', limit: '2', after: '29998' })).toEqual({
    ids: ['29999', '30001'],
    next: '30001',
  })
  // Almost all of them are hidden now, which is too many to be put in order.
  await meta.sql(`update pgmq."q_${name}" set vt = now() + interval '1 day' where msg_id > 10`)
  expect(await page({ state: 'invisible' })).toEqual({ ids: ['7'], next: '20000' })
  expect(await page({ state: 'invisible', after: '20000' })).toEqual({
    ids: ['30000'],
    next: '40000',
  })
  expect(await page({ state: 'invisible', after: '40000' })).toEqual({ ids: [], next: null })
  expect((await page({ state: 'available' })).ids).toHaveLength(9)
  expect(await page({ state: 'scheduled', order: 'newest', limit: '1' })).toEqual({
    ids: ['45001'],
    next: '45001',
  })
})

test('messages by page, state and order; looking changes nothing', async () => {
  const name = await calls.queueWith(7)
  await calls.send(name, { n: 8 }, { delay: 3600, headers: '{"h": 12345678901234567890}' })
  await meta.sql(`select pgmq.read('${name}', 3600, 2), pgmq.archive('${name}', 3)`)
  const states = async () =>
    (await calls.messages(name)).map(({ id, state, reads }) => `${id} ${state} ${reads}`)
  const before = await states()
  expect(before).toEqual([
    '1 invisible 1',
    '2 invisible 1',
    ...[4, 5, 6, 7].map((n) => `${n} available 0`),
    '8 scheduled 0',
  ])
  expect(ids(await calls.messages(name, { state: 'available', limit: '2' }))).toEqual(['4', '5'])
  expect(ids(await calls.messages(name, { state: 'available', after: '5' }))).toEqual(['6', '7'])
  expect(ids(await calls.messages(name, { state: 'invisible', order: 'newest' }))).toEqual([
    '2',
    '1',
  ])
  expect(ids(await calls.messages(name, { order: 'newest', after: '2' }))).toEqual(['1'])
  expect(await calls.messages(name, { state: 'archived' })).toMatchObject([
    { id: '3', state: 'archived', preview: '{"n": 3}' },
  ])
  const { body } = await meta.call('GET', at('/message', { name, id: '8' }))
  // Numbers that are no JavaScript numbers stay as they are.
  expect(body).toMatchObject({
    message: '{"n": 8}',
    headers: '{"h": 12345678901234567890}',
    state: 'scheduled',
  })
  expect(await states()).toEqual(before)
})

test('a message that is too large for a list is shown alone, and one too large for that is not', async () => {
  const name = await calls.queueWith(0)
  // What cannot be compressed, and more than one answer shows.
  const noise = (count: number) =>
    `(select jsonb_agg(md5(n::text)) from generate_series(1, ${count}) n)`
  await meta.sql(
    `select pgmq.send('${name}', ${noise(5000)}), pgmq.send('${name}', ${noise(20_000)})`,
  )
  expect((await calls.messages(name)).map(({ preview }) => preview)).toEqual([null, null])
  const whole = async (id: string) =>
    queues.message.returns.parse((await meta.call('GET', at('/message', { name, id }))).body)
  expect((await whole('1')).message).toHaveLength(5000 * 36)
  expect(await whole('2')).toMatchObject({ message: null, headers: null })
  expect((await whole('2')).bytes).toBeGreaterThan(500_000)
})

describe('messages', () => {
  let name = ''
  beforeEach(async () => {
    name = await calls.queueWith(4)
  })
  const change = async (verb: string, more: object) => {
    const { status, body } = await calls.post(`/messages/${verb}`, { name, ...more })
    expect(status, JSON.stringify(body)).toBe(200)
    return (body as { changed: number }).changed
  }

  test('are postponed, and called back', async () => {
    expect(await change('postpone', { ids: ['1', '2', '99'], seconds: 3600 })).toBe(2)
    expect(ids(await calls.messages(name, { state: 'scheduled' }))).toEqual(['1', '2'])
    expect(await change('postpone', { ids: ['2'], seconds: 0 })).toBe(1)
    expect(ids(await calls.messages(name, { state: 'available' }))).toEqual(['2', '3', '4'])
  })

  test('are archived, sent again from there, and deleted', async () => {
    expect(await change('archive', { ids: ['1', '3', '99'] })).toBe(2)
    expect(ids(await calls.messages(name, { state: 'archived' }))).toEqual(['1', '3'])
    expect(await change('restore', { ids: ['3', '99'] })).toBe(1)
    expect(await change('restore', { ids: ['3'] })).toBe(0)
    expect((await calls.messages(name)).at(-1)).toMatchObject({
      id: '5',
      preview: '{"n": 3}',
      reads: 0,
    })
    expect(await change('delete', { ids: ['1'], from: 'archive' })).toBe(1)
    expect(await change('delete', { ids: ['1', '2', '4'] })).toBe(2)
    expect(ids(await calls.messages(name))).toEqual(['5'])
    expect(await calls.messages(name, { state: 'archived' })).toEqual([])
  })

  test('are moved with their headers and in their order, all or none', async () => {
    await calls.send(name, { n: 5 }, { headers: '{"tried": 3}' })
    const dead = await calls.queueWith(0)
    expect(await change('move', { ids: ['5', '2', '99'], to: dead })).toBe(2)
    expect((await calls.messages(dead)).map(({ preview }) => preview)).toEqual([
      '{"n": 2}',
      '{"n": 5}',
    ])
    const { body } = await meta.call('GET', at('/message', { name: dead, id: '2' }))
    expect(body).toMatchObject({ headers: '{"tried": 3}' })
    expect(ids(await calls.messages(name))).toEqual(['1', '3', '4'])
    await meta.sql(`alter table pgmq."q_${dead}" add check (message->>'n' <> '3')`)
    expect((await calls.post('/messages/move', { name, ids: ['1', '3'], to: dead })).status).toBe(
      400,
    )
    expect(ids(await calls.messages(name))).toEqual(['1', '3', '4'])
  })

  test('of a worker that holds them are not waited for without end', async () => {
    const [worker] = [
      meta.sql(`begin; select pgmq.delete('${name}', 1); select pg_sleep(8); commit`),
    ]
    await expect
      .poll(() =>
        meta.sql(
          `select from pg_stat_activity where query like '%pg_sleep(8); commit' and wait_event = 'PgSleep'`,
        ),
      )
      .not.toEqual([])
    expect(await calls.post('/messages/delete', { name, ids: ['1'] })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    })
    expect(ids(await calls.messages(name))).toEqual(['1', '2', '3', '4'])
    await worker
  })
})

test('what a role may do is granted and revoked, table by table', async () => {
  const name = await calls.queueWith(1)
  const grant = async (
    table: string,
    privilege: string,
    granted: boolean,
    role = 'authenticated',
  ) => calls.put('/queue/grants', { name, role, table, privilege, granted })
  expect((await grant('queue', 'insert', true)).body).toEqual({ granted: true })
  expect((await grant('archive', 'select', true)).body).toEqual({ granted: true })
  expect((await calls.get(name)).grants).toEqual([
    { role: 'authenticated', table: 'queue', privilege: 'insert' },
    { role: 'authenticated', table: 'archive', privilege: 'select' },
  ])
  expect((await grant('queue', 'insert', false)).status).toBe(200)
  await meta.sql(`grant select on pgmq."a_${name}" to public`)
  expect(await grant('archive', 'select', false)).toMatchObject({ status: 409 })
  expect((await calls.put('/queue/rls', { name, rls: false })).body).toEqual({ rls: false })
  expect((await calls.get(name)).rls).toBe(false)
})
