import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownedProject } from '../../testing/owned-project.ts'

let project: Awaited<ReturnType<typeof ownedProject>>
beforeAll(async () => {
  project = await ownedProject()
  await project.rows(`create extension if not exists index_advisor with schema extensions cascade;
    create table books (id int primary key, title text, author int, "Shelf no" text, cover point);
    insert into books select n, 'Title ' || n, n % 500, 's' || n, null from generate_series(1, 20000) n;
    analyze books`)
})
afterAll(() => project.close())

const advice = async (query: string) =>
  (await project.rows('select * from index_advisor($1)', [query]))[0]
const errorsOf = async (query: string) => (await advice(query))?.['errors']
const indexes = () =>
  project.rows(`select indexname from pg_indexes where schemaname = 'public' order by 1`)
const nothing = { index_statements: [] }

test.each([
  ['no query', 'sel', 'syntax error at or near "sel"'],
  ['a table that is not there', 'select * from nowhere', 'relation "nowhere" does not exist'],
  ['another statement', 'truncate books', 'syntax error at or near "truncate"'],
])('%s is answered with an error', async (_, query, message) => {
  const found = await advice(query)
  expect(found).toMatchObject(nothing)
  expect(String(found?.['errors'])).toContain(message)
})

test('a second statement is not run', async () => {
  const found = await advice('select 1; drop table books')
  expect(found).toMatchObject({ ...nothing, errors: [expect.stringContaining('semicolon')] })
  expect(await project.rows('select count(*)::int from books')).toEqual([{ count: 20000 }])
  expect(await errorsOf('select 1;  ')).toEqual([])
})

test('the index that helps is found by trying it, and nothing of that stays', async () => {
  const before = await indexes()
  const found = await advice('select title from books where author = $1 order by title')
  expect(found).toMatchObject({
    index_statements: ['CREATE INDEX on public.books USING btree (author)'],
    errors: [],
  })
  const [costBefore, costAfter] = [
    Number(found?.['total_cost_before']),
    Number(found?.['total_cost_after']),
  ]
  expect(costAfter).toBeLessThan(costBefore / 2)
  expect(Number(found?.['startup_cost_before'])).toBeGreaterThanOrEqual(0)
  expect(await indexes()).toEqual(before)
  expect(await project.rows('show search_path')).not.toEqual([{ search_path: 'pg_catalog' }])
  expect(await project.rows('show lock_timeout')).not.toEqual([{ lock_timeout: '300ms' }])
  // What it says can be run, and is then no advice any more.
  await project.rows(String(found?.['index_statements']))
  expect(await advice('select title from books where author = 3')).toMatchObject(nothing)
  await project.rows('drop index books_author_idx')
})

test('columns with names of any kind, and types without an order', async () => {
  expect(await advice(`select id from books where "Shelf no" = 's7'`)).toMatchObject({
    index_statements: ['CREATE INDEX on public.books USING btree ("Shelf no")'],
  })
  const found = await advice(`select id from books where cover ~= point '(1,1)'`)
  expect(found).toMatchObject({ ...nothing, errors: [] })
  expect(found?.['total_cost_after']).toEqual(found?.['total_cost_before'])
})

test('who does not own the table, and whoever may only read, is told so', async () => {
  await project.rows(`grant select on books to authenticated;
    create policy readers on books for select to authenticated using (true)`)
  const other = await project.as(project.logins.service('authenticator_authenticated'))
  const sql = `select * from extensions.index_advisor('select 1 from public.books where author = 1')`
  const { rows } = await other.query(sql)
  expect(rows).toMatchObject([
    { ...nothing, errors: ['Only the owner of public.books can try indexes on it.'] },
  ])
  const anon = await project.as(project.logins.service('authenticator_anon'))
  expect((await anon.query(sql)).rows).toMatchObject([
    { ...nothing, errors: ['permission denied for table books'] },
  ])
  await project.rows('begin transaction read only')
  expect(String(await errorsOf('select 1 from books where author = 1'))).toContain('read-only')
  await project.rows('rollback')
})

test('a writer is waited for only a moment, and nobody is kept waiting after it', async () => {
  const writer = await project.session()
  await writer.query('begin; update books set title = title where id = 1')
  expect(String(await errorsOf('select id from books where author = 1'))).toContain('lock timeout')
  await writer.query('commit')
  await project.rows('begin')
  await advice('select id from books where author = 1')
  const other = await project.session()
  await other.query(`set lock_timeout = '2s'`)
  await other.query('update books set title = title where id = 1')
  await project.rows('commit')
})

test('what stands in the way of its functions is not used by it', async () => {
  await project.rows(`create schema mine;
    create function mine.quote_ident(text) returns text language sql as $$ select 'id' $$;
    create function mine.format(text, variadic text[]) returns text language sql as $$ select 'drop table public.books' $$;
    create function mine.cat(text, text) returns text language sql as $$ select 'forged' $$;
    create operator mine.|| (leftarg = text, rightarg = text, function = mine.cat);
    set search_path = mine, pg_catalog, public, extensions`)
  expect(await advice('select title from books where author = 3')).toMatchObject({
    index_statements: ['CREATE INDEX on public.books USING btree (author)'],
    errors: [],
  })
  await project.rows('reset search_path')
})

test('hypopg says what does the same here, and has nothing to list, drop or hide', async () => {
  await project.rows('create extension if not exists hypopg with schema extensions')
  for (const sql of [
    `select * from hypopg_create_index('create index on books (author)')`,
    'select hypopg_hide_index(1)',
  ])
    await expect(project.rows(sql)).rejects.toMatchObject({
      code: '0A000',
      hint: expect.stringContaining('index_advisor('),
    })
  for (const list of [
    'hypopg()',
    'hypopg_list_indexes',
    'hypopg_hidden_indexes',
    'hypopg_hidden_indexes()',
  ])
    expect(await project.rows(`select * from ${list}`)).toEqual([])
  expect(
    await project.rows(
      'select hypopg_drop_index(1) as gone, hypopg_reset(), hypopg_unhide_all_indexes()',
    ),
  ).toMatchObject([{ gone: false }])
})

test('pg_graphql answers as GraphQL does, and says who does it', async () => {
  await project.rows('create extension if not exists pg_graphql')
  const [row] = await project.rows(
    `select graphql.resolve('{ booksCollection { edges { node { id } } } }', '{}', 'Books') as answer`,
  )
  expect(row?.['answer']).toEqual({
    data: null,
    errors: [{ message: expect.stringContaining('/graphql/v1') }],
  })
  const directive = (text: string) =>
    project.rows('select graphql.comment_directive($1) as says', [text])
  expect(await directive('Books. @graphql({"totalCount": {"enabled": true}})')).toEqual([
    { says: { totalCount: { enabled: true } } },
  ])
  for (const text of ['Books', '@graphql({nonsense})', '@graphql()'])
    expect(await directive(text)).toEqual([{ says: {} }])
  const anon = await project.as(project.logins.service('authenticator_anon'))
  await expect(anon.query(`select graphql.resolve('{}')`)).rejects.toMatchObject({ code: '42501' })
})

test('all of them are dropped and created again', async () => {
  for (const name of ['hypopg', 'pg_graphql', 'index_advisor'])
    await project.rows(`drop extension ${name}; create extension ${name}`)
  expect(await errorsOf('select 1')).toEqual([])
})
