import { finished, pipeline } from 'node:stream/promises'
import { Readable, Writable } from 'node:stream'
import { eq, sql as drizzleSql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import { integer, pgSchema, text } from 'drizzle-orm/pg-core'
import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { startPooler, type TestPooler } from '../../testing/pooler.ts'

/**
 * postgres.js speaks the protocol by itself: it sends the statements of several callers in one go, prepares each of them by a
 * name, and reads what is copied. Nothing is set for the pooler's sake.
 */
let database: TestDatabase
let at: TestPooler
beforeAll(async () => {
  database = await createTestDatabase()
  // Fewer connections than the client has: each is used by several of its own in turn.
  at = await startPooler(database, { pool: { size: 2, clients: 50 } })
  await at.admin.query('create schema shop authorization postgres')
})
afterAll(async () => {
  await at.close()
  await database.drop()
})
beforeEach(async () => {
  await at.admin.query(`drop table if exists shop.books;
    create table shop.books (id int primary key, title text not null, pages int);
    alter table shop.books owner to postgres;
    insert into shop.books select n, 'Book ' || n, n * 10 from generate_series(1, 50) n`)
})

function connect(mode: 'session' | 'transaction' = 'transaction', max = 5): Sql {
  const { host, port, user, password, database: name } = at.config(mode)
  const sql = postgres({ host, port, user, password, database: name, max, onnotice: () => {} })
  onTestFinished(() => sql.end({ timeout: 1 }))
  return sql
}

test('prepared statements of many callers at once each get their own answer', async () => {
  const sql = connect()
  const asked = Array.from({ length: 200 }, (_, n) => (n % 50) + 1)
  const answers = await Promise.all(
    asked.map((id) => sql<{ title: string }[]>`select title from shop.books where id = ${id}`),
  )
  expect(answers.map(([row]) => row?.title)).toEqual(asked.map((id) => `Book ${id}`))
})

test('an error of one statement among many reaches its caller, and the others go on', async () => {
  const sql = connect('transaction', 1)
  const answers = await Promise.allSettled([
    sql`select 1 as n`,
    sql`select 1 / (id - 1) from shop.books order by id`,
    sql`select nothing from shop.books`,
    sql`select 4 as n`,
  ])
  expect(answers.map((one) => (one.status === 'rejected' ? one.reason.code : 'done'))).toEqual([
    'done',
    '22012',
    '42703',
    'done',
  ])
})

test('statements of a transaction in one go are one transaction', async () => {
  const sql = connect()
  const [, changed] = await sql.begin((tx) => [
    tx`update shop.books set pages = pages + 1 where id = 1`,
    tx`select pages from shop.books where id = 1`,
  ])
  expect(changed).toEqual([{ pages: 11 }])
  const failed = sql.begin(async (tx) => {
    await tx`update shop.books set pages = 0`
    await tx.savepoint((inner) => inner`insert into shop.books values (1, 'again')`).catch(() => 0)
    await tx`insert into shop.books values (51, 'kept')`
    await tx`insert into shop.books values (1, 'again')`
  })
  await expect(failed).rejects.toMatchObject({ code: '23505' })
  expect(await sql`select sum(pages)::int as n, count(*)::int as books from shop.books`).toEqual([
    { n: 12_751, books: 50 },
  ])
})

test('rows come by a cursor, a hundred thousand of them without an end', async () => {
  const sql = connect()
  let seen = 0
  await sql`select n from generate_series(1, 100000) n`.cursor(5000, (rows) => {
    seen += rows.length
  })
  expect(seen).toBe(100_000)
  // One that is left early gives its connection back.
  for await (const rows of sql`select n from generate_series(1, 100000) n`.cursor(10)) {
    expect(rows).toHaveLength(10)
    break
  }
  expect(await sql`select 1 as n`).toEqual([{ n: 1 }])
})

test('rows are copied in and out', async () => {
  const sql = connect('transaction', 1)
  const lines = Array.from({ length: 20_000 }, (_, n) => `${n + 100}\tCopied ${n}\t\\N\n`)
  const into = await sql`copy shop.books from stdin`.writable()
  await pipeline(Readable.from(lines), into)
  let bytes = 0
  let rows = 0
  const from =
    await sql`copy (select * from shop.books where id >= 100 order by id) to stdout`.readable()
  from.pipe(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        for (const byte of chunk) if (byte === 10) rows += 1
        done()
      },
    }),
  )
  await finished(from)
  expect([rows, bytes]).toEqual([20_000, Buffer.byteLength(lines.join(''))])
  expect(await sql`select count(*)::int as n from shop.books`).toEqual([{ n: 20_050 }])
})

test('a query that is cancelled ends alone', async () => {
  const sql = connect()
  const slow = sql`select pg_sleep(600)`.execute()
  const other = sql`select pg_sleep(0.2), 1 as n`
  await expect
    .poll(async () => {
      const { rows } = await at.admin.query(
        `select from pg_stat_activity where state = 'active' and query like '%pg_sleep(600)%' and pid <> pg_backend_pid()`,
      )
      return rows.length
    })
    .toBe(1)
  slow.cancel()
  await expect(slow).rejects.toMatchObject({ code: '57014' })
  expect((await other)[0]).toMatchObject({ n: 1 })
})

test('notifications need the port of sessions, and arrive there', async () => {
  await expect(connect().listen('orders', () => undefined)).rejects.toMatchObject({
    code: '0A000',
    hint: expect.stringContaining('session'),
  })
  const sql = connect('session', 1)
  const heard: string[] = []
  await sql.listen('orders', (payload) => void heard.push(payload))
  await connect().notify('orders', 'paid')
  await expect.poll(() => heard).toEqual(['paid'])
})

test('Drizzle reads, writes and rolls back', async () => {
  const books = pgSchema('shop').table('books', {
    id: integer().primaryKey(),
    title: text().notNull(),
    pages: integer(),
  })
  const db = drizzle(connect())
  await db.insert(books).values({ id: 60, title: 'Drizzled', pages: 5 })
  const failed = db.transaction(async (tx) => {
    await tx.update(books).set({ pages: 6 }).where(eq(books.id, 60))
    await tx.execute(drizzleSql`select 1 / 0`)
  })
  await expect(failed).rejects.toThrow()
  expect(await db.select().from(books).where(eq(books.id, 60))).toEqual([
    { id: 60, title: 'Drizzled', pages: 5 },
  ])
})
