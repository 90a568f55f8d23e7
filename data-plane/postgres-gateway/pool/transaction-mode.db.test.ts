import { pipeline } from 'node:stream/promises'
import { Readable, Writable } from 'node:stream'
import { Client } from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { startPooler, type TestPooler } from '../../testing/pooler.ts'
import { message } from '../shared/messages.ts'
import { raw } from '../../testing/postgres-gateway.ts'

let database: TestDatabase
/** With one connection to the server: whatever a client leaves, the next one meets. */
let one: TestPooler
let many: TestPooler
beforeAll(async () => {
  database = await createTestDatabase()
  one = await startPooler(database, { pool: { size: 1, clients: 20 }, waitMs: 2000, drainMs: 500 })
  many = await startPooler(database, { pool: { size: 3, clients: 200 } })
})
afterAll(async () => {
  await one.close()
  await many.close()
  await database.drop()
})

async function connect(at: TestPooler, more: object = {}): Promise<Client> {
  const client = new Client({ ...at.config('transaction'), ...more })
  // Told by what is asked.
  client.on('error', () => undefined)
  await client.connect()
  return client
}
async function withClients(
  at: TestPooler,
  count: number,
  work: (...clients: [Client, Client, Client]) => Promise<void>,
): Promise<void> {
  const clients = await Promise.all(Array.from({ length: count }, () => connect(at)))
  const [first, second = first, third = second] = clients
  try {
    if (first && second && third) await work(first, second, third)
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}
const pid = async (client: Client) =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
const valueOf = async (client: Client, sql: string) => {
  const { rows } = await client.query<Record<string, unknown>>(sql)
  return Object.values(rows[0] ?? {})[0]
}

test('clients share a connection, a transaction each time, and wait for one that is in use', async () => {
  await withClients(one, 2, async (first, second) => {
    expect(await pid(first)).toBe(await pid(second))
    await first.query('begin')
    const order: string[] = []
    const waits = pid(second).then(() => order.push('second'))
    await first.query('select 1')
    order.push('first')
    await first.query('commit')
    await waits
    expect(order).toEqual(['first', 'second'])
  })
})

test('who waits too long hears that no connection became free, and others go on', async () => {
  await withClients(one, 2, async (first) => {
    const late = await connect(one)
    await first.query('begin')
    await expect(late.query('select 1')).rejects.toMatchObject({ code: '53300' })
    await first.query('commit')
    expect(await valueOf(first, 'select 1')).toBe(1)
  })
})

test('nothing of a session is left for the next client', async () => {
  await one.admin.query('create sequence if not exists left_over')
  await one.admin.query('grant all on sequence left_over to postgres')
  await withClients(one, 2, async (first, second) => {
    await first.query(`set search_path = auth; set statement_timeout = 4321; set role anon`)
    expect(
      await valueOf(
        second,
        `select current_setting('search_path') || current_setting('statement_timeout') || current_user`,
      ),
    ).toBe('"$user", public, extensions0postgres')
    await first.query('create temp table kept (id int)')
    expect(await valueOf(second, `select to_regclass('kept')::text`)).toBeNull()
    await first.query('select pg_advisory_lock(42)')
    expect(
      await valueOf(
        second,
        `select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`,
      ),
    ).toBe(0)
    await first.query(
      `do $$ begin perform set_config('app.secret', 'x', false); execute 'listen hidden'; end $$`,
    )
    expect(await valueOf(second, `select current_setting('app.secret', true)`)).toBe('')
    expect(await valueOf(second, 'select count(*)::int from pg_listening_channels()')).toBe(0)
    await first.query('begin; declare held cursor with hold for select 1; commit')
    expect(await valueOf(second, 'select count(*)::int from pg_cursors where is_holdable')).toBe(0)
    await first.query(`select nextval('left_over')`)
    await expect(second.query('select lastval()')).rejects.toMatchObject({ code: '55000' })
    await first.query('prepare mine as select 1')
    expect(
      await valueOf(second, 'select count(*)::int from pg_prepared_statements where from_sql'),
    ).toBe(0)
    await first.query('begin; set session characteristics as transaction read only; commit')
    expect(await valueOf(second, `show transaction_read_only`)).toBe('off')
  })
})

test('each client keeps its own time zone, style of dates and name', async () => {
  const first = await connect(one, {
    application_name: 'the first',
    options: '-c TimeZone=Asia/Tokyo -c statement_timeout=7s',
  })
  const second = await connect(one, { application_name: 'the second' })
  const settings = `select concat_ws('|', current_setting('TimeZone'), current_setting('DateStyle'), current_setting('application_name'), current_setting('statement_timeout'))`
  await second.query(`set DateStyle = 'German'`)
  for (let times = 0; times < 2; times++) {
    expect(await valueOf(first, settings)).toBe('Asia/Tokyo|ISO, MDY|the first|7s')
    expect(await valueOf(second, settings)).toBe('UTC|German, DMY|the second|0')
  }
  await second.query(`begin; set local TimeZone = 'Europe/Berlin'; rollback`)
  expect(await valueOf(second, 'show TimeZone')).toBe('UTC')
  await first.end()
  await second.end()
  await expect(connect(one, { options: '-c TimeZone=Nowhere/Land' })).rejects.toMatchObject({
    code: '22023',
  })
  await expect(connect(one, { options: '-x' })).rejects.toMatchObject({ code: '22023' })
  await expect(connect(one, { replication: 'database' })).rejects.toMatchObject({ code: '0A000' })
})

test('statements with names are there on whichever connection a client gets', async () => {
  await withClients(many, 3, async (first, second, third) => {
    const named = (client: Client, value: number) =>
      client.query<{ sum: number; pid: number }>({
        name: 'sum',
        text: 'select $1::int + 1 as sum, pg_backend_pid() as pid',
        values: [value],
      })
    // The same name means something else to somebody else.
    const other = (value: string) =>
      third.query<{ text: string }>({
        name: 'sum',
        text: 'select upper($1) as text',
        values: [value],
      })
    const seen = new Set<number>()
    for (let times = 0; times < 30; times++) {
      await third.query('begin')
      const [one_, two, three] = await Promise.all([
        named(first, times),
        named(second, -times),
        other(`x${times}`),
      ])
      await third.query('commit')
      expect(one_.rows[0]?.sum).toBe(times + 1)
      expect(two.rows[0]?.sum).toBe(1 - times)
      expect(three.rows[0]?.text).toBe(`X${times}`)
      for (const { rows } of [one_, two]) seen.add(rows[0]?.pid ?? 0)
    }
    expect(seen.size).toBeGreaterThan(1)
  })
})

test('a statement that fails to be prepared is not there, and one that was ended is not either', async () => {
  await withClients(one, 1, async (client) => {
    const bad = { name: 'bad', text: 'select * from there_is_no_such_table' }
    await expect(client.query(bad)).rejects.toMatchObject({ code: '42P01' })
    await client.query('create table there_is_no_such_table (id int)')
    expect((await client.query(bad)).rows).toEqual([])
    await client.query('alter table there_is_no_such_table add column name text')
    // As the server itself does, once: the next time it is prepared anew.
    await expect(client.query(bad)).rejects.toMatchObject({ code: '0A000' })
    expect((await client.query(bad)).fields.map(({ name }) => name)).toEqual(['id', 'name'])
    await client.query('deallocate bad')
    await expect(client.query(bad)).rejects.toMatchObject({ code: '26000' })
    await client.query('drop table there_is_no_such_table')
    await client.query({ name: 'good', text: 'select 1' })
    await client.query('discard all')
    await expect(client.query({ name: 'good', text: 'select 1' })).rejects.toMatchObject({
      code: '26000',
    })
  })
})

test('LISTEN is refused with what helps, in a transaction and alone, also among other statements', async () => {
  await withClients(one, 1, async (client) => {
    const refused = {
      code: '0A000',
      message: expect.stringContaining('LISTEN'),
      hint: expect.stringContaining('session mode'),
    }
    await expect(client.query('listen news')).rejects.toMatchObject(refused)
    await expect(client.query('/* now */ LISTEN news')).rejects.toMatchObject(refused)
    await expect(client.query('select 1; listen news')).rejects.toMatchObject(refused)
    await expect(client.query({ text: 'listen news', name: 'l' })).rejects.toMatchObject(refused)
    expect(await valueOf(client, `select 'listen' as listen`)).toBe('listen')
    expect(await valueOf(client, 'select count(*)::int from pg_listening_channels()')).toBe(0)
  })
})

test('rows are copied in and out, and a copy that fails leaves a connection that works', async () => {
  await withClients(one, 2, async (first, second) => {
    await first.query('create table copied (id int)')
    const lines = Array.from({ length: 50_000 }, (_, id) => `${id}\n`)
    await pipeline(Readable.from(lines), first.query(copyFrom('copy copied from stdin')))
    let bytes = 0
    const out = new Writable({
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        done()
      },
    })
    await pipeline(second.query(copyTo('copy copied to stdout')), out)
    expect(bytes).toBe(lines.join('').length)
    const broken = pipeline(
      Readable.from(['1\n', 'no number\n', '2\n'.repeat(50_000)]),
      first.query(copyFrom('copy copied from stdin')),
    )
    await expect(broken).rejects.toMatchObject({ code: '22P02' })
    expect(await valueOf(first, 'select count(*)::int from copied')).toBe(50_000)
    expect(await valueOf(second, 'select 1')).toBe(1)
    await first.query('drop table copied')
  })
})

/**
 * COPY ... FROM STDIN with a Parse and a Sync behind the Execute at once, as libpq sends it: the server passes over that Sync
 * while it takes rows, and another one follows the last of them.
 */
const copyExtended = (client: Client, text: string, lines: readonly string[]) =>
  new Promise<string>((resolve, reject) => {
    let tag = ''
    const sync = message('S', Buffer.alloc(0))
    client.query({
      submit: ({ stream }: Client['connection']) => {
        const parse = message('P', Buffer.from(`\0${text}\0\0\0`))
        const bind = message('B', Buffer.alloc(8))
        const execute = message('E', Buffer.alloc(5))
        stream.write(Buffer.concat([parse, bind, execute, sync]))
      },
      handleCopyInResponse: ({ stream }: Client['connection']) => {
        const rows = lines.map((line) => message('d', Buffer.from(line)))
        stream.write(Buffer.concat([...rows, message('c', Buffer.alloc(0)), sync]))
      },
      handleCommandComplete: (answer: { text: string }) => (tag = answer.text),
      handleError: reject,
      handleReadyForQuery: () => resolve(tag),
    })
  })

test('rows are copied in by the extended protocol, and the connection is free for others afterwards', async () => {
  await withClients(one, 2, async (first, second) => {
    await first.query('create table copied (id int)')
    const lines = Array.from({ length: 5000 }, (_, id) => `${id}\n`)
    for (const client of [first, second]) {
      expect(await copyExtended(client, 'copy copied from stdin', lines)).toBe('COPY 5000')
      expect(await valueOf(second, 'select 1')).toBe(1)
    }
    const broken = copyExtended(first, 'copy copied from stdin', ['1\n', 'no number\n', '2\n'])
    await expect(broken).rejects.toMatchObject({ code: '22P02' })
    expect(await valueOf(second, 'select count(*)::int from copied')).toBe(10_000)
    await first.query('begin')
    expect(await copyExtended(first, 'copy copied from stdin', ['1\n'])).toBe('COPY 1')
    await first.query('rollback')
    expect(await valueOf(first, 'select count(*)::int from copied')).toBe(10_000)
    await second.query('drop table copied')
  })
})

test('what goes wrong in a transaction is gone with it, and a client that leaves in one gives back nothing', async () => {
  await withClients(one, 2, async (first, second) => {
    await first.query('begin')
    await expect(first.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' })
    await expect(first.query('select 1')).rejects.toMatchObject({ code: '25P02' })
    await first.query('rollback')
    expect(await valueOf(second, 'select 1')).toBe(1)
    const gone = await connect(one)
    await gone.query('create table half (id int)')
    await gone.query('begin; insert into half values (1)')
    gone.connection.stream.destroy()
    expect(await valueOf(second, 'select count(*)::int from half')).toBe(0)
    await second.query('drop table half')
    const busy = await connect(one)
    const lost = expect(busy.query('select pg_sleep(600)')).rejects.toThrow()
    await expect
      .poll(
        async () =>
          (
            await one.admin.query(
              `select from pg_stat_activity where wait_event = 'PgSleep' and datname = $1`,
              [database.name],
            )
          ).rowCount,
      )
      .toBe(1)
    busy.connection.stream.destroy()
    await lost
    expect(await valueOf(second, 'select 1')).toBe(1)
  })
})

test('a client cancels what it runs itself, and nothing of whoever has the connection then', async () => {
  await withClients(one, 2, async (first, second) => {
    const { processID, secretKey } = first as unknown as { processID: number; secretKey: number }
    const request = Buffer.alloc(16)
    for (const [index, word] of [16, 80_877_102, processID, secretKey].entries())
      request.writeInt32BE(word, index * 4)
    const cancel = () => raw(one.portOf('transaction'), request).ended
    const sleeping = async () =>
      (
        await one.admin.query(
          `select from pg_stat_activity where wait_event = 'PgSleep' and datname = $1`,
          [database.name],
        )
      ).rowCount
    const refused = expect(first.query('select pg_sleep(60)')).rejects.toMatchObject({
      code: '57014',
    })
    await expect.poll(sleeping).toBe(1)
    await cancel()
    await refused
    expect(await valueOf(first, 'select 1')).toBe(1)
    const goesOn = second.query('select pg_sleep(0.5)')
    await expect.poll(sleeping).toBe(1)
    await cancel()
    await goesOn
    for (let times = 0; times < 20; times++) {
      const mine = first.query('select 1')
      const stray = cancel()
      await mine.catch((error: unknown) => expect(error).toMatchObject({ code: '57014' }))
      expect(await valueOf(second, 'select count(*)::int from generate_series(1, 20000)')).toBe(
        20_000,
      )
      await stray
    }
  })
})

test('a paused project, one that is gone, and a server that is away are told in the words of Postgres', async () => {
  const at = await startPooler(database, { pool: { size: 1, clients: 1 } })
  const stays = await connect(at)
  expect(await valueOf(stays, 'select 1')).toBe(1)
  await expect(connect(at)).rejects.toMatchObject({ code: '53300' })
  at.change({ host: '/nowhere' })
  // What is open goes on.
  expect(await valueOf(stays, 'select 1')).toBe(1)
  at.change({ paused: 'https://plinth.example.com/project/x', pool: { size: 1, clients: 5 } })
  await expect(connect(at)).rejects.toMatchObject({ code: '57P03' })
  await expect(stays.query('select 1')).rejects.toMatchObject({ code: '57P03' })
  at.change({ paused: null })
  const other = { database: 'there_is_no_such_database' }
  at.change({ host: database.host })
  await expect(connect(at, other)).rejects.toMatchObject({ code: '3D000' })
  const last = await connect(at)
  at.change(undefined)
  await expect(last.query('select 1')).rejects.toMatchObject({ code: '57P03' })
  await at.close()
})

test('when all ends, a transaction that is under way may end, and the others end at once', async () => {
  const at = await startPooler(database, { pool: { size: 2, clients: 5 } })
  const [idle, busy] = [await connect(at), await connect(at)]
  await busy.query('begin')
  const closing = at.close()
  await expect(idle.query('select 1')).rejects.toThrow()
  expect((await busy.query('commit')).command).toBe('COMMIT')
  await closing
  await busy.end()
})
