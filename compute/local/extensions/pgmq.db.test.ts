import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ownedProject } from '../../testing/owned-project.ts'

let project: Awaited<ReturnType<typeof ownedProject>>
beforeAll(async () => {
  project = await ownedProject()
  await project.rows('create extension if not exists pgmq')
  await project.rows(`select pgmq.create_partitioned('taken', '10', '100')`)
})
afterAll(() => project.close())

let queues = 0
let queue = ''
beforeEach(async () => {
  queue = `jobs_${queues++}`
  await project.rows('select pgmq.create($1)', [queue])
})

const rows = (sql: string, values: unknown[] = [queue]) => project.rows(sql, values)
const send = async (n: number, delay = 0) =>
  (await rows('select pgmq.send($1, $2, $3::int) as id', [queue, { n }, delay]))[0]?.['id']
const numbers = (read: Record<string, unknown>[]) =>
  read.map(({ message }) => (message as { n: number }).n)

const publicInterface = `
acquire_queue_lock(queue_name text) void
archive(queue_name text, msg_id bigint) boolean
archive(queue_name text, msg_ids bigint[]) SETOF bigint
convert_archive_partitioned(table_name text, partition_interval text DEFAULT '10000'::text, retention_interval text DEFAULT '100000'::text, leading_partition integer DEFAULT 10) void
create(queue_name text) void
create_non_partitioned(queue_name text) void
create_partitioned(queue_name text, partition_interval text DEFAULT '10000'::text, retention_interval text DEFAULT '100000'::text) void
create_unlogged(queue_name text) void
delete(queue_name text, msg_id bigint) boolean
delete(queue_name text, msg_ids bigint[]) SETOF bigint
detach_archive(queue_name text) void
drop_queue(queue_name text) boolean
drop_queue(queue_name text, partitioned boolean) boolean
format_table_name(queue_name text, prefix text) text
list_queues() SETOF pgmq.queue_record
metrics(queue_name text) pgmq.metrics_result
metrics_all() SETOF pgmq.metrics_result
pop(queue_name text) SETOF pgmq.message_record
purge_queue(queue_name text) bigint
read(queue_name text, vt integer, qty integer, conditional jsonb DEFAULT '{}'::jsonb) SETOF pgmq.message_record
read_with_poll(queue_name text, vt integer, qty integer, max_poll_seconds integer DEFAULT 5, poll_interval_ms integer DEFAULT 100, conditional jsonb DEFAULT '{}'::jsonb) SETOF pgmq.message_record
send(queue_name text, msg jsonb) SETOF bigint
send(queue_name text, msg jsonb, delay integer) SETOF bigint
send(queue_name text, msg jsonb, delay timestamp with time zone) SETOF bigint
send(queue_name text, msg jsonb, headers jsonb) SETOF bigint
send(queue_name text, msg jsonb, headers jsonb, delay integer) SETOF bigint
send(queue_name text, msg jsonb, headers jsonb, delay timestamp with time zone) SETOF bigint
send_batch(queue_name text, msgs jsonb[]) SETOF bigint
send_batch(queue_name text, msgs jsonb[], delay integer) SETOF bigint
send_batch(queue_name text, msgs jsonb[], delay timestamp with time zone) SETOF bigint
send_batch(queue_name text, msgs jsonb[], headers jsonb[]) SETOF bigint
send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer) SETOF bigint
send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamp with time zone) SETOF bigint
set_vt(queue_name text, msg_id bigint, vt integer) SETOF pgmq.message_record
validate_queue_name(queue_name text) void
`

describe('refused', () => {
  test.each([
    ['a queue that is not there', `select pgmq.send('nowhere', '{}')`, '42P01'],
    ['a name that is too long', `select pgmq.create(repeat('a', 48))`, '42622'],
    ['a name of nothing', `select pgmq.create('')`, '22023'],
    ['a name with a quote', `select pgmq.create('a''b')`, '22023'],
    ['a name with a comment', `select pgmq.create('a--b')`, '22023'],
    [
      'more headers than messages',
      `select pgmq.send_batch('x', '{}', array['{}']::jsonb[], 0)`,
      '22023',
    ],
    ['partitions of nothing', `select pgmq.create_partitioned('p', '0', '10')`, '22023'],
    ['partitions of two kinds', `select pgmq.create_partitioned('p', '10', '1 day')`, '22023'],
    ['a queue in the place of a partition', `select pgmq.create('taken_p1')`, '42P07'],
    [
      'a partitioned queue in the place of a partition',
      `select pgmq.create_partitioned('taken_p1')`,
      '42P07',
    ],
    [
      'an archive in partitions',
      `select pgmq.convert_archive_partitioned('a', '10', '20', 3)`,
      '0A000',
    ],
    ['another version', `create extension pgmq version '9'`, '42710'],
  ])('%s', async (_, sql, code) => {
    await expect(project.rows(sql)).rejects.toMatchObject({ code })
  })

  test('who is nobody in the schema', async () => {
    const anon = await project.as(project.logins.service('authenticator_anon'))
    const attempts = ['select pgmq.list_queues()', `select pgmq.send('${queue}', '{}')`]
    for (const sql of [...attempts, `select * from pgmq.q_${queue}`])
      await expect(anon.query(sql)).rejects.toMatchObject({ code: '42501' })
  })
})

test('names are quoted, and kept in small letters as tables', async () => {
  await rows('select pgmq.create($1)', ['Order "1" x'])
  const [sent] = await rows(`select pgmq.send('Order "1" x', '{"n": 1}') as id`, [])
  expect(sent).toEqual({ id: 1 })
  expect(await rows(`select count(*)::int from pgmq."q_order ""1"" x"`, [])).toEqual([{ count: 1 }])
})

test('a message is read once until its time is over, and deleted', async () => {
  expect([await send(1), await send(2), await send(3)]).toEqual([1, 2, 3])
  const [first] = await rows('select * from pgmq.read($1, 30, 1)')
  expect(first).toMatchObject({ msg_id: 1, read_ct: 1, message: { n: 1 }, headers: null })
  expect(numbers(await rows('select * from pgmq.read($1, 0, 9)'))).toEqual([2, 3])
  // Their time was no time.
  expect(numbers(await rows('select * from pgmq.read($1, 30, 9)'))).toEqual([2, 3])
  expect(await rows('select * from pgmq.read($1, 30, 9)')).toEqual([])
  expect(await rows('select pgmq.delete($1, 2) as gone')).toEqual([{ gone: true }])
  expect(await rows('select pgmq.delete($1, 2) as gone')).toEqual([{ gone: false }])
  expect(await rows('select pgmq.delete($1, array[1, 2, 3]::bigint[]) as id')).toEqual([
    { id: 1 },
    { id: 3 },
  ])
})

test('a message that waits is not there before its time', async () => {
  await send(1, 3600)
  await rows(`select pgmq.send($1, '{"n": 2}', now() + interval '1 hour')`)
  expect(await rows('select * from pgmq.read($1, 30, 9)')).toEqual([])
  const [back] = await rows('select * from pgmq.set_vt($1, 1, 0)')
  expect(back).toMatchObject({ msg_id: 1, read_ct: 0 })
  expect(numbers(await rows('select * from pgmq.read($1, 30, 9)'))).toEqual([1])
})

test('headers come back, and only messages with what was asked for are read', async () => {
  await rows(`select pgmq.send_batch($1, array['{"n": 1, "to": "a"}', '{"n": 2, "to": "b"}']::jsonb[],
    array['{"h": 1}', '{"h": 2}']::jsonb[])`)
  await rows(`select pgmq.send($1, '{"n": 3, "to": "b"}', '{"h": 3}'::jsonb)`)
  const read = await rows(`select * from pgmq.read($1, 30, 9, '{"to": "b"}')`)
  expect(read.map(({ headers }) => headers)).toEqual([{ h: 2 }, { h: 3 }])
})

test('what is popped is gone, what is archived is in the archive', async () => {
  for (const n of [1, 2, 3, 4]) await send(n)
  expect(numbers(await rows('select * from pgmq.pop($1)'))).toEqual([1])
  expect(await rows('select pgmq.archive($1, 2) as moved')).toEqual([{ moved: true }])
  expect(await rows('select pgmq.archive($1, array[2, 3]::bigint[]) as id')).toEqual([{ id: 3 }])
  const archived = await rows(`select * from pgmq.a_${queue} order by msg_id`, [])
  expect(numbers(archived)).toEqual([2, 3])
  expect(await rows('select pgmq.purge_queue($1) as count')).toEqual([{ count: 1 }])
  expect(await rows('select * from pgmq.pop($1)')).toEqual([])
})

test('the figures of a queue', async () => {
  const empty = { queue_length: 0, total_messages: 0, oldest_msg_age_sec: null }
  expect((await rows('select * from pgmq.metrics($1)'))[0]).toMatchObject(empty)
  for (const n of [1, 2, 3]) await send(n)
  await rows('select pgmq.read($1, 30, 1), pgmq.delete($1, 3)')
  const figures = {
    queue_name: queue,
    queue_length: 2,
    total_messages: 3,
    newest_msg_age_sec: 0,
    queue_visible_length: 1,
  }
  expect((await rows('select * from pgmq.metrics($1)'))[0]).toMatchObject(figures)
  const all = await rows('select * from pgmq.metrics_all()', [])
  expect(all.find(({ queue_name }) => queue_name === queue)).toMatchObject(figures)
})

test('who polls gets a message as soon as it comes, and nothing after the time', async () => {
  const other = await project.session()
  const polled = other.query('select * from pgmq.read_with_poll($1, 30, 1, 20, 10)', [queue])
  await send(1)
  expect(numbers((await polled).rows)).toEqual([1])
  expect(await rows('select * from pgmq.read_with_poll($1, 30, 1, 0)')).toEqual([])
})

test('a queue that is not logged, and one that is dropped', async () => {
  await rows(`select pgmq.create_unlogged('fast'), pgmq.create_unlogged('fast')`, [])
  const [made] = await rows(`select * from pgmq.list_queues() where queue_name = 'fast'`, [])
  expect(made).toMatchObject({ is_unlogged: true, is_partitioned: false })
  expect(await rows(`select pgmq.drop_queue('fast') as gone`, [])).toEqual([{ gone: true }])
  expect(await rows(`select pgmq.drop_queue('fast') as gone`, [])).toEqual([{ gone: false }])
  expect(await rows(`select to_regclass('pgmq.a_fast') as archive`, [])).toEqual([
    { archive: null },
  ])
})

test.each([
  ['messages', '10', '20'],
  ['time', '1 day', '7 days'],
])('partitions by %s', async (_, width, kept) => {
  const name = `parts_${queues++}`
  await rows('select pgmq.create_partitioned($1, $2, $3)', [name, width, kept])
  for (let n = 1; n <= 45; n++) await rows('select pgmq.send($1, $2::jsonb)', [name, { n }])
  const parts = await rows(
    `select c.relname from pg_inherits i join pg_class c on c.oid = inhrelid
     where inhparent = $1::regclass order by length(relname), relname`,
    [`pgmq.q_${name}`],
  )
  const left = numbers(await rows('select * from pgmq.read($1, 30, 100)', [name]))
  if (width === '10') {
    // Partitions of ten, of which those with nothing among the last twenty are gone.
    expect(parts.map(({ relname }) => relname)).toEqual([2, 3, 4, 5].map((n) => `q_${name}_p${n}`))
    expect(left).toEqual(Array.from({ length: 26 }, (_each, at) => at + 20))
  } else {
    expect(parts).toHaveLength(2)
    expect(left).toHaveLength(45)
  }
  await rows('select pgmq.archive($1, 40)', [name])
  expect(numbers(await rows(`select * from pgmq.a_${name}`, []))).toEqual([40])
  expect(await rows('select pgmq.drop_queue($1) as gone', [name])).toEqual([{ gone: true }])
})

test('a batch goes into as many partitions as it needs', async () => {
  await rows(`select pgmq.create_partitioned('wide', '10', '1000')`, [])
  const batch = `select pgmq.send_batch('wide', array(select jsonb_build_object('n', n) from generate_series(1, 75) n))`
  await Promise.all(Array.from({ length: 4 }, async () => (await project.session()).query(batch)))
  expect(await rows(`select count(*)::int from pgmq.q_wide`, [])).toEqual([{ count: 300 }])
})

test.each(['logged', 'partitioned'])(
  'who may write into a %s queue sends, and needs no right on what is written down of queues',
  async (kind) => {
    const name = `given_${kind}`
    const make = kind === 'logged' ? 'create($1)' : `create_partitioned($1, '10', '1000')`
    await rows(`select pgmq.${make}`, [name])
    await rows('grant usage on schema pgmq to anon', [])
    const anon = await project.as(project.logins.service('authenticator_anon'))
    await anon.query('set role anon')
    const send = () => anon.query('select pgmq.send($1, $2::jsonb)', [name, {}])
    await expect(send()).rejects.toMatchObject({ code: '42501' })
    await rows(`grant select, insert on pgmq.q_${name} to anon`, [])
    for (let n = 1; n <= 35; n++) await send()
    await expect(anon.query('select pgmq.purge_queue($1)', [name])).rejects.toMatchObject({
      code: '42501',
    })
    await rows('revoke usage on schema pgmq from anon', [])
    expect(await rows(`select count(*)::int from pgmq.q_${name}`, [])).toEqual([{ count: 35 }])
  },
)

test('names, arguments and results are those of the public interface', async () => {
  const known = await rows(
    `select p.proname || '(' || pg_get_function_arguments(p.oid) || ')' as call, pg_get_function_result(p.oid) as result
     from pg_proc p where pronamespace = 'pgmq'::regnamespace and proname !~ '^_' order by 1`,
    [],
  )
  expect(known.map(({ call, result }) => `${call as string} ${result as string}`)).toEqual(
    publicInterface.trim().split('\n'),
  )
})

test('many who read at once share the messages: none is lost, none is read twice', async () => {
  const sent = 400
  await rows(
    `select pgmq.send_batch($1, array(select jsonb_build_object('n', n) from generate_series(1, ${sent}) n))`,
  )
  const seen: number[] = []
  async function reader(): Promise<void> {
    const client = await project.session()
    for (;;) {
      const { rows: read } = await client.query('select * from pgmq.read($1, 600, 7)', [queue])
      if (read.length === 0) return
      seen.push(...numbers(read))
      const ids = read.map(({ msg_id }) => String(msg_id))
      await client.query('select pgmq.delete($1, $2::bigint[])', [queue, ids])
    }
  }
  await Promise.all(Array.from({ length: 6 }, reader))
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: sent }, (_, at) => at + 1))
  expect(await rows('select queue_length from pgmq.metrics($1)')).toEqual([{ queue_length: 0 }])
})

/** The queue with `hidden` messages of tomorrow, and behind them those with the numbers. */
async function behindHidden(hidden: number, waiting: readonly number[]): Promise<void> {
  await rows(
    `select count(*) from pgmq.send_batch($1, array(select jsonb_build_object('n', -n) from generate_series(1, ${hidden}) n), 86400)`,
  )
  for (const n of waiting) await send(n)
}

test('behind thousands of messages of tomorrow those of today are read, once, and in their order', async () => {
  await behindHidden(5000, [1, 2, 3])
  const read = (qty: number, vt = 30) =>
    rows('select * from pgmq.read($1, $2, $3)', [queue, vt, qty])
  expect(numbers(await read(1))).toEqual([1])
  expect(numbers(await read(10))).toEqual([2, 3])
  expect(numbers(await read(10))).toEqual([])
  await rows(`select pgmq.set_vt($1, m.msg_id, 0) from pgmq.q_${queue} m
    where m.read_ct > 0`)
  // Visible again at once, and still no message comes twice in one answer.
  expect(numbers(await read(10, 0)).toSorted((a, b) => a - b)).toEqual([1, 2, 3])
  expect(numbers(await rows('select * from pgmq.pop($1)')).length).toBe(1)
  expect(numbers(await read(10)).length).toBe(2)
})

test('one answer has messages of the head of a queue and of those behind the hidden ones, none twice', async () => {
  await send(1)
  await behindHidden(5000, [2, 3, 4])
  const read = (qty: number | null, vt: number) =>
    rows('select * from pgmq.read($1, $2, $3)', [queue, vt, qty])
  expect(numbers(await read(3, 0))).toEqual([1, 2, 3])
  expect(numbers(await read(null, 0)).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4])
  const behind = await read(9, -1)
  expect(new Set(numbers(behind)).size).toBe(behind.length)
  expect(numbers(await rows('select * from pgmq.pop($1)'))).toEqual([1])
})

test('many who read behind hidden messages share what is there', async () => {
  await behindHidden(3000, [])
  await rows(
    `select count(*) from pgmq.send_batch($1, array(select jsonb_build_object('n', n) from generate_series(1, 200) n))`,
  )
  const sessions = await Promise.all(Array.from({ length: 8 }, () => project.session()))
  const found = await Promise.all(
    sessions.map(async (session, nr) => {
      const mine: number[] = []
      for (;;) {
        const { rows: read } = await session.query<Record<string, unknown>>(
          'select * from pgmq.read($1, 60, $2)',
          [queue, nr % 2 === 0 ? 1 : 3],
        )
        if (read.length === 0) return mine
        mine.push(...numbers(read))
      }
    }),
  )
  expect(found.flat().toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 200 }, (_, n) => n + 1),
  )
})

test('readers that are killed lose nothing: what they had not deleted comes back', async () => {
  await rows(
    `select pgmq.send_batch($1, array(select jsonb_build_object('n', n) from generate_series(1, 60) n))`,
  )
  const done = new Set<number>()
  for (let round = 0; done.size < 60; round++) {
    const client = await project.session()
    client.on('error', () => undefined)
    const [{ pid }] = (await client.query('select pg_backend_pid() as pid')).rows
    await client.query('begin')
    const { rows: read } = await client.query('select * from pgmq.read($1, 600, 5)', [queue])
    const ids = read.map(({ msg_id }) => String(msg_id))
    await client.query('select pgmq.delete($1, $2::bigint[])', [queue, ids])
    if (round % 2 === 0) {
      // In the middle of its transaction, so nothing of it has happened.
      await rows('select pg_terminate_backend($1, 10000)', [pid])
      continue
    }
    await client.query('commit')
    for (const n of numbers(read)) {
      expect(done.has(n), `${n} was read twice`).toBe(false)
      done.add(n)
    }
  }
  expect(await rows('select queue_length from pgmq.metrics($1)')).toEqual([{ queue_length: 0 }])
})

test('the extension is dropped and created again, and queues with their messages are there', async () => {
  await send(1)
  await rows(
    `select pgmq.create_partitioned('kept', '10', '100'), pgmq.send('kept', '{"n": 1}')`,
    [],
  )
  await rows('drop extension pgmq', [])
  await rows('create extension if not exists "pgmq" with schema "pgmq"', [])
  const known = (await rows('select queue_name from pgmq.list_queues()', [])).map(
    ({ queue_name }) => queue_name,
  )
  expect(known).toEqual(expect.arrayContaining([queue, 'kept']))
  expect(numbers(await rows('select * from pgmq.read($1, 30, 1)'))).toEqual([1])
  // Its partitions go on being made.
  for (let n = 2; n <= 45; n++) await rows(`select pgmq.send('kept', $1::jsonb)`, [{ n }])
  expect(await rows(`select count(*)::int from pgmq.read('kept', 30, 50)`, [])).toEqual([
    { count: 45 },
  ])
})

test('what stands in the schema before it is created changes nothing', async () => {
  const other = await ownedProject()
  await other.rows(`create schema pgmq;
    create function pgmq.format(text, variadic anyarray) returns text language sql as $$ select 'drop table x' $$;
    create function pgmq.lower(text) returns text language sql as $$ select 'forged' $$;
    create extension pgmq schema pgmq;
    set search_path = pgmq, pg_catalog`)
  await other.rows(`select pgmq.create('jobs')`)
  await other.rows(`select pgmq.send('jobs', '{"n": 1}')`)
  expect(numbers(await other.rows(`select * from pgmq.pop('jobs')`))).toEqual([1])
  await other.close()
})
