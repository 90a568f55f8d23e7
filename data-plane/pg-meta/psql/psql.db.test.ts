import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunEvent } from '#contract/database/sql/sql-query'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`create table books (id int primary key, title text not null default 'x', "Page Count" int);
    create view long_books as select * from books where "Page Count" > 500;
    create table pages (id int, book int references books);
    create function read_aloud(book int) returns text language sql as 'select title from books where id = book';
    alter table books enable row level security;
    create policy readers on books for select using (true)`)
})
afterAll(() => meta.close())

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>
const only = <T extends RunEvent['type']>(events: RunEvent[], type: T) =>
  events.filter((event): event is Of<T> => event.type === type)
const rowsOf = (events: RunEvent[], index = 0) =>
  only(events, 'rows')
    .filter((event) => event.index === index)
    .flatMap(({ rows }) => rows)
const errorOf = (events: RunEvent[]) => only(events, 'error')[0]?.error
const copied = (events: RunEvent[]) =>
  only(events, 'copy')
    .map((event) => ('text' in event ? event.text : event.base64))
    .join('')

test.each<[string, RegExp, RegExp?]>([
  ['\\! rm -rf /', /shell commands/],
  ['\\i /etc/passwd', /does not read or write files/],
  ['\\o /tmp/x', /does not read or write files/],
  ['\\dtt2', /no command/, /nearest one is \\dt/],
  ['\\conninf', /no command/, /nearest one is \\conninfo/],
  ['\\connect other', /nothing can connect to "other" here/],
  ["\\copy books from program 'id'", /needs a table/],
  ['\\copy books', /needs a table/],
  ['\\d no_such', /relation "no_such" does not exist/],
  ["\\d x'; drop table books; --", /invalid name syntax|does not exist/],
])('%s is refused, and nothing runs behind it', async (command, message, hint) => {
  const events = await meta.run({ query: `select 1;\n${command}\ndrop table books` })
  const error = errorOf(events)
  expect(error?.message).toMatch(message)
  if (hint) expect(error?.hint).toMatch(hint)
  expect(error).toMatchObject({ line: 2, column: 1 })
  expect(await meta.sql("select to_regclass('books') is not null as there")).toEqual([
    { there: true },
  ])
})

test('\\d tells of a relation, and lists them without a name', async () => {
  const events = await meta.run({ query: '\\d books\n\\d\n\\d b*' })
  expect(errorOf(events)).toBeUndefined()
  expect(only(events, 'statement').map(({ title }) => title)).toEqual([
    'Columns of books',
    'Indexes, constraints, policies, triggers',
    'List of relations',
    'Columns of b*',
    'Indexes, constraints, policies, triggers',
  ])
  expect(rowsOf(events, 0).map((row) => row.slice(0, 5))).toEqual([
    ['id', 'integer', null, 'not null', null],
    ['title', 'text', null, 'not null', "'x'::text"],
    ['Page Count', 'integer', null, null, null],
  ])
  expect(rowsOf(events, 1).map(([kind, name]) => [kind, name])).toEqual([
    ['index', 'books_pkey'],
    ['primary key', 'books_pkey'],
    ['referenced by', 'pages_book_fkey'],
    ['policy', 'readers'],
    ['row level security', null],
  ])
  expect(rowsOf(events, 2).map(([, name]) => name)).toEqual(
    expect.arrayContaining(['books', 'long_books']),
  )
  expect(rowsOf(events, 3)[0]?.slice(0, 3)).toEqual(['public', 'books', 'id'])
})

test.each<[string, string, string]>([
  ['\\dt', 'Name', 'books'],
  ['\\dt public.b*', 'Name', 'books'],
  ['\\dtv BOOKS', 'Name', 'books'],
  ['\\dv', 'Name', 'long_books'],
  ['\\di books*', 'Name', 'books_pkey'],
  ['\\df read_?loud', 'Name', 'read_aloud'],
  ['\\dn', 'Name', 'public'],
  ['\\du anon', 'Role name', 'anon'],
  ['\\l', 'Name', 'postgres'],
  ['\\dx', 'Name', 'plpgsql'],
  ['\\dnS', 'Name', 'pg_catalog'],
  ['\\dt+ "books"', 'Name', 'books'],
  ['\\conninfo', 'Role', 'postgres'],
])('%s lists by %s, and %s is there', async (command, column, value) => {
  for (const login of ['postgres', 'plinth_read_only'] as const) {
    const events = await meta.run({ query: command }, login)
    expect(errorOf(events)).toBeUndefined()
    const at = only(events, 'fields')[0]?.fields.findIndex(({ name }) => name === column) ?? -1
    const found = rowsOf(events).map((row) => row[at])
    if (column === 'Role') expect(found).toHaveLength(1)
    else if (column !== 'Name' || command !== '\\l') expect(found).toContain(value)
  }
})

test('patterns find what they name and nothing else', async () => {
  const names = async (command: string) =>
    rowsOf(await meta.run({ query: command })).map(([, name]) => name)
  expect(await names('\\dt b*')).toEqual(['books'])
  expect(await names('\\dt "B"*')).toEqual([])
  expect(await names('\\dt nowhere.*')).toEqual([])
  expect(await names('\\dt bo.ks')).toEqual([])
  expect(await names("\\dt b[o]oks|'")).toEqual([])
})

test('commands of a dump are passed over, and \\x is told to whoever shows the rows', async () => {
  const query = `\\restrict abc
\\connect postgres
\\echo 'Hello'
\\x
select 1 as a;
\\x off
select 2 as b
\\gx
\\timing on
\\unrestrict abc
\\q
this is never read`
  const events = await meta.run({ query })
  expect(errorOf(events)).toBeUndefined()
  expect(only(events, 'statement').map(({ expanded }) => expanded ?? false)).toEqual(
    [0, 0, 0, 0, 1, 1, 1, 0, 0, 0].map(Boolean),
  )
  expect(only(events, 'notice').map(({ message }) => message)).toContain('Hello')
})

test('COPY reads the lines below it, and says which of them is wrong', async () => {
  const query = `create temp table t (id int, note text);
copy t (id, note) from stdin;
1\tone; -- 'not a comment
2\t\\N
\\.
copy t from stdin with (format csv);
3,"three
lines"
\\.
select id, note from t order by id;
\\copy t from stdin csv
4,four
\\.
copy t from stdin;
5\tfive
x\tsix
\\.
select 1`
  const events = await meta.run({ query })
  expect(rowsOf(events, 3)).toEqual([
    ['1', "one; -- 'not a comment"],
    ['2', null],
    ['3', 'three\nlines'],
  ])
  expect(only(events, 'done').map(({ command, rows }) => [command, rows])).toEqual([
    ['CREATE TABLE', null],
    ['COPY', 2],
    ['COPY', 1],
    ['SELECT', 3],
    ['COPY', 1],
  ])
  expect(errorOf(events)).toMatchObject({ code: '22P02', where: expect.stringContaining('line 2') })
})

test('COPY without data says where they belong', async () => {
  const error = errorOf(await meta.run({ query: 'copy pages from stdin' }))
  expect(error?.message).toMatch(/Write the data below the statement/)
  expect(errorOf(await meta.run({ query: "\\copy pages from 'pages.csv'" }))?.message).toMatch(
    /choose a file/,
  )
})

test('COPY TO STDOUT prints what it is asked for, as text or bytes', async () => {
  const rows = "select i, 'ü' || i as t from generate_series(1, 20000) i"
  const events = await meta.run({
    query: `\\copy (${rows}) to 'out.csv' with (format csv, header)`,
  })
  const lines = copied(events).split('\n')
  expect([lines.length, lines[0], lines[20000], lines[20001]]).toEqual([
    20002,
    'i,t',
    '20000,ü20000',
    '',
  ])
  const binary = await meta.run({ query: 'copy (select 1) to stdout (format binary)' })
  expect(Buffer.from(copied(binary), 'base64').subarray(0, 6).toString('latin1')).toBe('PGCOPY')
})

test('many lines of data go in, and nothing of them stays when one is bad', async () => {
  await meta.sql('create table sink (id int primary key, t text)')
  const data = (to: number) =>
    Array.from({ length: to }, (_, i) => `${i}\t${'😀'.repeat(5)}`).join('\n')
  const good = await meta.run({ query: `copy sink from stdin;\n${data(8000)}\n\\.\n` })
  expect(only(good, 'done')).toMatchObject([{ command: 'COPY', rows: 8000 }])
  const bad = await meta.run({
    query: `truncate sink;copy sink from stdin;\n${data(8000)}\n1\tagain\n\\.\nselect 1`,
  })
  expect(errorOf(bad)).toMatchObject({ code: '23505' })
  expect(only(bad, 'statement')).toHaveLength(2)
})
