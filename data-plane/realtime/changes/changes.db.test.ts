import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TestDataPlane } from '../../testing/data-plane.ts'
import { clientOf, Line, startRealtime } from '../../testing/realtime/client.ts'

const ada = '11111111-1111-4111-8111-111111111111'
const bob = '22222222-2222-4222-8222-222222222222'
let plane: TestDataPlane
beforeAll(async () => {
  plane = await startRealtime(`
    create table open (id int primary key, name text, tags text[], data jsonb, good bool, at timestamptz, secret text);
    create table guarded (id int, part int, owner uuid, text text, primary key (id, part));
    alter table guarded enable row level security;
    create policy own on guarded for select to authenticated using (owner = auth.uid());
    create table keyless (owner uuid);
    alter table keyless enable row level security;
    create policy own on keyless for select to authenticated using (true);
    create table closed (id int primary key);
    revoke all on closed from anon, authenticated;
    create table narrow (id int primary key, shown text, hidden text);
    revoke select on narrow from anon; grant select (id, shown) on narrow to anon;
    create table unpublished (id int primary key);
    alter publication supabase_realtime add table open, guarded, keyless, closed, narrow;
  `)
})
const lines: Line[] = []
afterEach(() => {
  for (const line of lines.splice(0)) line.close()
})
afterAll(() => plane.close())

async function listening(changes: object[], token?: string): Promise<Line> {
  const line = await Line.open(plane)
  lines.push(line)
  const answer = await line.join('db', { postgres_changes: changes }, token)
  expect(answer.status).toBe('ok')
  const { payload } = await line.hearEvent('system')
  expect(payload).toEqual({
    extension: 'postgres_changes',
    status: 'ok',
    message: 'Subscribed to PostgreSQL',
    channel: 'db',
  })
  return line
}
type Data = { type: string; table: string; record: object; old_record: object; errors: unknown }
async function next(line: Line): Promise<Data & Record<string, unknown>> {
  const { payload } = await line.hearEvent('postgres_changes')
  return payload['data'] as Data & Record<string, unknown>
}
const user = (sub: string) => plane.token({ role: 'authenticated', sub })
const all = (table: string, more = {}) => ({ event: '*', schema: 'public', table, ...more })

test.each([
  ['a table that is not published', all('unpublished'), /Please check Realtime is enabled/],
  ['a table that is not there', all('nothing'), /Please check Realtime is enabled/],
  [
    'an operator that is none',
    all('open', { filter: 'id=xx.1' }),
    /^Error parsing `filter` params: \["id=xx.1"\]/,
  ],
  ['a column that is not there', all('open', { filter: 'nope=eq.1' }), /There is no column nope/],
  ['a value of another type', all('open', { filter: 'id=eq.x' }), /"x" is no value of type int4/],
  ['an unknown event', all('open', { event: 'TRUNCATE' }), /No subscription params provided/],
  ['no event', { schema: 'public' }, /No subscription params provided/],
  [
    'columns of a whole schema',
    { event: '*', schema: 'public', select: ['id'] },
    /select needs a table/,
  ],
])('a subscription is refused: %s', async (_, changes, message) => {
  const line = await Line.open(plane)
  lines.push(line)
  expect(await line.join('db', { postgres_changes: [changes] })).toMatchObject({ status: 'ok' })
  const { payload } = await line.hearEvent('system')
  expect(payload).toMatchObject({ extension: 'postgres_changes', status: 'error' })
  expect(payload['message']).toMatch(message)
})

test('the public client hears of rows with their types', async ({ onTestFinished }) => {
  const client = clientOf(plane)
  onTestFinished(() => void client.realtime.disconnect())
  const heard: unknown[] = []
  const channel = client.channel('db')
  channel.on('postgres_changes', { event: '*', schema: 'public', table: 'open' }, (change) =>
    heard.push(change),
  )
  const live = new Promise((resolve) => channel.on('system', {}, resolve))
  channel.subscribe()
  await live
  await plane.sql(
    `insert into open values (1, 'é', '{a,c}', '{"n":[1]}', true, '2024-05-06 07:08:09.123+00', 's')`,
  )
  await plane.sql('update open set name = null, id = 2; delete from open')
  await expect.poll(() => heard).toHaveLength(3)
  const row = { id: 1, name: 'é', tags: ['a', 'c'], data: { n: [1] }, good: true, secret: 's' }
  expect(heard).toMatchObject([
    { eventType: 'INSERT', schema: 'public', table: 'open', new: row, old: {}, errors: null },
    { eventType: 'UPDATE', new: { ...row, id: 2, name: null }, old: { id: 1 } },
    { eventType: 'DELETE', new: {}, old: { id: 2 } },
  ])
  const [first] = heard as { commit_timestamp: string; new: { at: string } }[]
  expect(first?.commit_timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(Date.parse(first?.new.at ?? '')).toBe(Date.parse('2024-05-06T07:08:09.123Z'))
})

test('row level security decides for each reader, also in one transaction and for keys of several columns', async () => {
  const adas = await listening([all('guarded')], user(ada))
  const bobs = await listening([all('guarded')], user(bob))
  const service = await listening([all('guarded')], plane.token({ role: 'service_role' }))
  const anons = await listening([all('guarded')])
  await plane.sql(
    `insert into guarded values (1, 1, '${ada}', 'a'), (1, 2, '${bob}', 'b'), (2, 1, '${ada}', 'c')`,
  )
  const texts = async (line: Line, count: number) => {
    const got = []
    for (let i = 0; i < count; i++) got.push((await next(line)).record)
    return got.map((record) => 'text' in record && record.text)
  }
  expect(await texts(adas, 2)).toEqual(['a', 'c'])
  expect(await texts(bobs, 1)).toEqual(['b'])
  expect(await texts(service, 3)).toEqual(['a', 'b', 'c'])
  // Of what is gone only the key is told, and that to everybody.
  await plane.sql("alter table guarded replica identity full; delete from guarded where text = 'b'")
  for (const line of [adas, bobs, service, anons]) {
    expect(await next(line)).toMatchObject({ type: 'DELETE', old_record: { id: '1', part: '2' } })
  }
  expect(
    [adas, bobs, service, anons]
      .flatMap((line) => line.heard)
      .filter(({ event }) => event === 'postgres_changes'),
  ).toEqual([])
  expect(Object.keys((await deleted(adas)).old_record)).toEqual(['id', 'part'])
})
async function deleted(line: Line) {
  await plane.sql("delete from guarded where text = 'a'")
  return next(line)
}

test('no row is missed that can be read from the log a moment before it can be seen', async () => {
  const line = await listening([all('guarded', { event: 'INSERT' })], user(ada))
  for (let i = 0; i < 300; i++) {
    await plane.sql(`insert into guarded values (${i}, 9, '${ada}', 'many')`)
  }
  for (let i = 0; i < 300; i++) {
    expect((await next(line)).record).toMatchObject({ id: String(i), text: 'many' })
  }
})

test('whoever may not select a column, or the table, does not get it', async () => {
  const line = await listening([all('narrow'), all('closed'), all('keyless')], user(ada))
  const anons = await listening([all('narrow'), all('closed')])
  await plane.sql("insert into narrow values (1, 'shown', 'hidden'); insert into closed values (1)")
  const data = await next(anons)
  expect(data).toMatchObject({ record: { id: '1', shown: 'shown' }, errors: null })
  expect(JSON.stringify(data)).not.toContain('hidden')
  expect(await next(anons)).toMatchObject({
    table: 'closed',
    record: {},
    errors: ['Error 401: Unauthorized'],
  })
  expect(await next(line)).toMatchObject({ record: { hidden: 'hidden' } })
  expect(await next(line)).toMatchObject({ record: {}, errors: ['Error 401: Unauthorized'] })
  await plane.sql(`insert into keyless values ('${bob}')`)
  expect(await next(line)).toMatchObject({
    record: {},
    errors: ['Error 400: Bad Request, no primary key'],
  })
})

test('events, whole schemas, filters and chosen columns', async () => {
  const want = [
    all('open', { event: 'insert', filter: 'id=gt.9,name=like.a%' }),
    all('open', { filter: 'name=in.(x,"y,z")' }),
    all('open', { filter: 'name=match.^q+$', select: ['id', 'name'] }),
    { event: 'DELETE', schema: 'public' },
    null,
  ]
  const line = await Line.open(plane)
  lines.push(line)
  const { response } = await line.join('db', { postgres_changes: want })
  const answered = response['postgres_changes'] as ({ id: number } & object)[]
  const ids = answered.map(({ id }) => id)
  expect(answered).toEqual(want.slice(0, 4).map((one, i) => ({ ...one, id: ids[i] })))
  expect(new Set(ids).size).toBe(4)
  await line.hearEvent('system')
  await plane.sql(
    `insert into open (id, name) values (1, 'ab'), (10, 'ab'), (11, 'b'), (12, 'y,z'), (13, 'qq'), (14, 'aq')`,
  )
  await plane.sql('delete from open where id < 14')
  const got = []
  for (let i = 0; i < 9; i++) got.push((await line.hearEvent('postgres_changes')).payload)
  const received = got.map(({ ids: of, data }) => {
    const { record, old_record: old } = data as Data & {
      record: { id?: string }
      old_record: { id?: string }
    }
    return [of, record.id ?? old.id]
  })
  expect(received).toEqual([
    [[ids[0]], '10'],
    [[ids[1]], '12'],
    [[ids[2]], '13'],
    [[ids[0]], '14'],
    ...['1', '10', '11', '12', '13'].map((id) => [[ids[3]], id]),
  ])
  expect(got[2]?.['data']).toMatchObject({ record: { id: '13', name: 'qq' } })
  const third = got[2]?.['data'] as Data | undefined
  expect(Object.keys(third?.record ?? {})).toEqual(['id', 'name'])
})

test('what the database sends arrives, is kept, and comes back to who asks for it', async () => {
  await plane.sql(
    `create policy hear on realtime.messages for select to authenticated using (realtime.topic() = 'news')`,
  )
  const config = { private: true, broadcast: { replication_ready: true } }
  const line = await Line.open(plane)
  lines.push(line)
  expect(await line.join('news', config, user(ada))).toMatchObject({ status: 'ok' })
  expect((await line.hearEvent('system')).payload).toEqual({
    extension: 'system',
    status: 'ok',
    message: 'Replication connection established',
    channel: 'news',
  })
  const since = Date.now() - 1000
  await plane.sql(
    `select realtime.send('{"n":1}', 'said', 'news'), realtime.send('{"n":0}', 'said', 'elsewhere')`,
  )
  await plane.sql(`select realtime.send('{"n":2}', 'said', 'news', false)`)
  await plane.sql(`select realtime.send_binary('\\x00ff', 'bytes', 'news')`)
  await plane.sql(`create function tell() returns trigger language plpgsql as $$ begin
      perform realtime.broadcast_changes('news', tg_op, tg_op, tg_table_name, tg_table_schema, new, old); return null; end $$;
    create trigger tell after insert on unpublished for each row execute function tell(); insert into unpublished values (7)`)
  const first = (await line.hearEvent('broadcast')).payload
  expect(first).toMatchObject({ type: 'broadcast', event: 'said', payload: { n: 1 } })
  const { id } = first['meta'] as { id: string }
  expect(first['payload']).toEqual({ n: 1, id })
  const change = {
    operation: 'INSERT',
    table: 'unpublished',
    schema: 'public',
    record: { id: 7 },
    old_record: null,
  }
  expect((await line.hearEvent('broadcast')).payload).toMatchObject({
    event: 'INSERT',
    payload: change,
  })
  expect(line.binary.map((frame) => frame.subarray(-2))).toEqual([Buffer.from([0, 255])])
  const late = await Line.open(plane)
  lines.push(late)
  const replay = (more: object, isPrivate = true) =>
    late.join('news', { private: isPrivate, broadcast: { replay: { since, ...more } } }, user(ada))
  expect((await replay({}, false)).response['reason']).toMatch(/^UnableToReplayMessages: /)
  expect((await replay({ since: 'x' })).response['reason']).toMatch(/^UnableToReplayMessages: /)
  expect(await replay({ limit: 3 })).toMatchObject({ status: 'ok' })
  const again = (await late.hearEvent('broadcast')).payload
  expect(again).toMatchObject({ event: 'said', payload: { n: 1 }, meta: { replayed: true, id } })
  expect((await late.hearEvent('broadcast')).payload).toMatchObject({ event: 'INSERT' })
  expect(late.binary).toHaveLength(1)
})

test('the slot goes when nobody is connected, and comes back', async () => {
  const line = await listening([all('open')])
  const slots = `select count(*)::int as n from pg_replication_slots where database = current_database()`
  expect(await plane.sql(slots)).toEqual([{ n: 1 }])
  line.close()
  await expect.poll(() => plane.sql(slots)).toEqual([{ n: 0 }])
  const again = await listening([all('open')])
  await plane.sql('insert into open (id) values (100)')
  expect(await next(again)).toMatchObject({ record: { id: '100' } })
  // A reader that is ended from outside begins anew.
  await plane.sql(
    'select pg_terminate_backend(active_pid) from pg_replication_slots where database = current_database()',
  )
})

test('of a row over the size only short values go out, with an error that says so', async () => {
  const line = await listening([all('open')])
  await plane.sql("insert into open (id, name, secret) values (413, 'short', repeat('x', 1100000))")
  expect(await next(line)).toMatchObject({
    record: { id: '413', name: 'short' },
    errors: ['Error 413: Payload Too Large'],
  })
  await plane.sql("update open set secret = repeat('x', 1000) where id = 413")
  const { record, errors } = await next(line)
  expect(errors).toBeNull()
  expect(record).toHaveProperty('secret')
})
