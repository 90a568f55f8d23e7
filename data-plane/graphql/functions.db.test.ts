import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { graphqlClient, nodesOf, type AskGraphql } from '../testing/graphql.ts'

const [ada, bob] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
let plane: TestDataPlane
let ask: AskGraphql
beforeAll(async () => {
  plane = await startDataPlane(`
    create type mood as enum ('good', 'bad');
    create table authors (id int primary key, name text not null, secret text, gone int);
    alter table authors drop column gone;
    create table books (id int primary key, author_id int references authors, title text not null, owner uuid);
    comment on table books is '@graphql({"totalCount": {"enabled": true}})';
    alter table books enable row level security;
    create policy own on books for all to authenticated using (owner = auth.uid()) with check (owner = auth.uid());
    create policy all_of_them on books for select to anon using (owner is null);
    insert into authors values (1, 'Ada', 'x'), (2, 'Bob', 'y');
    insert into books values (1, 1, 'One', null), (2, 1, 'Two', null), (3, 2, 'Three', '${ada}'), (4, 1, 'Four', '${bob}');

    create function add(a int, b int default 10) returns int immutable language sql as 'select a + b';
    create function moody(m mood, times int default 1) returns mood[] immutable language sql as 'select array_fill(m, array[times])';
    create function said(texts text[], data jsonb default null) returns jsonb stable language sql
      as 'select jsonb_build_object(''texts'', texts, ''data'', data)';
    create function big() returns bigint stable language sql as 'select 9007199254740993';
    create function nothing() returns text stable language sql as 'select null::text';
    create function book(wanted int) returns books stable language sql as 'select * from books where id = wanted';
    create function found(word text) returns setof books stable language sql as 'select * from books where title like word';
    create function publish(id int, title text) returns books volatile language sql
      as 'insert into books (id, title, owner) values (id, title, auth.uid()) returning *';
    create sequence called;
    create function renamed(title text) returns setof books volatile language sql
      as 'select nextval(''called''); update books set title = renamed.title || id returning *';
    create function sly() returns int stable language plpgsql as 'begin return nextval(''called''); end';
    create function fails(words text) returns int language plpgsql as 'begin raise exception ''%'', words; end';

    create function _shout(b books) returns text stable language sql as 'select upper(b.title)';
    create function _writer(b books) returns authors stable language sql as 'select * from authors where id = b.author_id';
    create function _works(a authors) returns setof books stable language sql as 'select * from books where author_id = a.id';
    create function plain(a authors) returns int immutable language sql as 'select a.id * 2';
    create function title(b books) returns text immutable language sql as 'select ''taken''';
    comment on function plain(authors) is 'Twice the id. @graphql({"name": "doubled"})';

    create function hidden() returns int stable language sql as 'select 1';
    revoke execute on function hidden() from public, anon, authenticated;
    create function over(a int) returns int stable language sql as 'select 1';
    create function over(a text) returns int stable language sql as 'select 2';
    create function nameless(int) returns int stable language sql as 'select 1';
    create function several(variadic a int[]) returns int stable language sql as 'select 1';
    create function numbers() returns setof int stable language sql as 'select 1';
    create function recorded(out a int, out b int) stable language sql as 'select 1, 2';
    create function clashing("first" int) returns setof books stable language sql as 'select * from books';
    create function takes(b books, n int) returns int stable language sql as 'select 1';
    create function empty() returns void language sql as 'select 1';
    create function "not a name"() returns int stable language sql as 'select 1';
    create function "booksCollection"() returns int stable language sql as 'select 1';
    revoke all on authors from anon;
    grant select (id, name) on authors to anon;
  `)
  ask = graphqlClient(plane)
})
afterAll(() => plane.close())

const as = (sub: string) => ({ as: 'authenticated', claims: { sub } })
const data = async (query: string, options: Parameters<AskGraphql>[1] = {}) => {
  const { data: found, errors } = await ask(query, options)
  expect(errors, query).toBeUndefined()
  return found as unknown as Record<string, unknown>
}
const fieldsOf = async (type: string, options: Parameters<AskGraphql>[1] = {}) => {
  const found = await data(`{ __type(name: "${type}") { fields { name } } }`, options)
  const { fields } = found['__type'] as { fields: { name: string }[] }
  return fields.map(({ name }) => name)
}

test.each([
  ['{ add }', 'argument "a" of type "Int!" is required'],
  ['{ add(a: 1, c: 2) }', 'Unknown argument "c"'],
  ['{ add(a: "1") }', 'Int cannot represent non-integer value: "1"'],
  ['{ add(a: null) }', 'Expected value of type "Int!", found null'],
  ['{ moody(m: sad) }', 'Value "sad" does not exist in "mood" enum'],
  ['{ publish(id: 1, title: "x") { id } }', 'Cannot query field "publish" on type "Query"'],
  ['mutation { add(a: 1) }', 'Cannot query field "add" on type "Mutation"'],
  ['{ hidden }', 'Cannot query field "hidden" on type "Query"'],
  ['{ found(word: "%") { id } }', 'Cannot query field "id" on type "booksConnection"'],
  ['{ found(word: "%", first: 2000) { edges { cursor } } }', 'A page has at most 1000 rows'],
])('%s is refused', async (query, words) => {
  const { errors } = await ask(query)
  expect(errors?.map(({ message }) => message).join()).toContain(words)
})

test('functions that GraphQL has no words for, and those of other roles, are no fields', async () => {
  const left = [
    'over',
    'nameless',
    'several',
    'numbers',
    'recorded',
    'clashing',
    'takes',
    'empty',
    'hidden',
  ]
  const fields = [...(await fieldsOf('Query')), ...(await fieldsOf('Mutation'))]
  for (const name of left) expect(fields).not.toContain(name)
  expect(fields.filter((name) => name === 'booksCollection')).toHaveLength(1)
  expect(await fieldsOf('Query', { as: 'service_role' })).toContain('add')
  await plane.sql('grant execute on function hidden() to anon')
  await expect.poll(async () => (await ask('{ hidden }')).data).toEqual({ hidden: 1 })
})

test('values: arguments, defaults, lists, enums, JSON and large numbers', async () => {
  expect(await data('{ a: add(a: 1) b: add(b: 2, a: 1) big nothing }')).toEqual({
    a: 11,
    b: 3,
    big: '9007199254740993',
    nothing: null,
  })
  expect(await data('{ moody(m: bad, times: 2) }')).toEqual({ moody: ['bad', 'bad'] })
  const texts = ['a,b', 'c"d', '{}', 'null', "'; drop table books; --"]
  const found = await data(
    'query ($texts: [String]!, $data: JSON) { said(texts: $texts, data: $data) }',
    {
      variables: { texts, data: '{"k": [1]}' },
    },
  )
  expect(JSON.parse(String(found['said']))).toEqual({ texts, data: { k: [1] } })
  expect(JSON.parse(String((await data('{ said(texts: ["x"]) }'))['said']))).toMatchObject({
    data: null,
  })
})

test('one row, or none, with everything that leads on from it', async () => {
  const query = 'query ($id: Int!) { book(wanted: $id) { nodeId title author { name } } }'
  expect(await data(query, { variables: { id: 2 } })).toMatchObject({
    book: { title: 'Two', author: { name: 'Ada' } },
  })
  // Another's row is none.
  expect(await data(query, { variables: { id: 3 } })).toEqual({ book: null })
  expect(await data(query, { variables: { id: 3 }, ...as(ada) })).toMatchObject({
    book: { title: 'Three' },
  })
})

test('rows are a collection: pages, filters, order, counts', async () => {
  const page =
    await data(`{ found(word: "%o%", first: 1, orderBy: [{title: DescNullsLast}]) { totalCount
    edges { cursor node { title author { booksCollection { edges { node { id } } } } } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`)
  expect(page['found']).toMatchObject({
    totalCount: 1,
    edges: [{ node: { title: 'Two' } }],
    pageInfo: { hasNextPage: false },
  })
  const two = (
    await data(
      `{ found(word: "%", first: 1) { edges { node { id } } pageInfo { hasNextPage endCursor } } }`,
    )
  )['found'] as { pageInfo: { endCursor: string } }
  expect(two).toMatchObject({ pageInfo: { hasNextPage: true } })
  const next = await data(
    `{ found(word: "%", after: "${two.pageInfo.endCursor}", filter: {id: {lt: 9}}) { edges { node { id } } pageInfo { hasPreviousPage } } }`,
  )
  expect(next['found']).toMatchObject({
    edges: [{ node: { id: 2 } }],
    pageInfo: { hasPreviousPage: true },
  })
})

test('what a function of a row returns is a field of it, in queries and in what a mutation shows', async () => {
  const options = as(ada)
  const found = await data(
    `{ authorsCollection { edges { node { doubled works { totalCount edges { node { shout writer { name doubled } } } } } } } }`,
    { as: 'service_role' },
  )
  expect(nodesOf(found['authorsCollection'])).toEqual([
    {
      doubled: 2,
      works: {
        totalCount: 3,
        edges: ['ONE', 'TWO', 'FOUR'].map((shout) => ({
          node: { shout, writer: { name: 'Ada', doubled: 2 } },
        })),
      },
    },
    {
      doubled: 4,
      works: {
        totalCount: 1,
        edges: [{ node: { shout: 'THREE', writer: { name: 'Bob', doubled: 4 } } }],
      },
    },
  ])
  const written = await data(
    'mutation { updatebooksCollection(set: {title: "Drei"}, filter: {id: {eq: 3}}) { records { title shout writer { id } } } }',
    options,
  )
  expect(written['updatebooksCollection']).toEqual({
    records: [{ title: 'Drei', shout: 'DREI', writer: { id: 2 } }],
  })
  expect(
    await data(
      '{ found(word: "Drei") { edges { node { shout } } } book(wanted: 3) { shout } }',
      options,
    ),
  ).toEqual({
    found: { edges: [{ node: { shout: 'DREI' } }] },
    book: { shout: 'DREI' },
  })
})

test('a row that may not be read whole is given to no function', async () => {
  expect(await fieldsOf('authors')).not.toContain('doubled')
  expect(await fieldsOf('authors', { as: 'authenticated' })).toContain('doubled')
  expect(await fieldsOf('books')).toEqual(expect.arrayContaining(['shout', 'title']))
})

test('what may write is a mutation, called once, in the caller’s role', async () => {
  expect((await ask('mutation { publish(id: 20, title: "x") { id } }')).errors?.[0]).toMatchObject({
    path: ['publish'],
    extensions: { code: '42501' },
  })
  expect(
    await data('mutation { publish(id: 20, title: "New") { id title owner shout } }', as(ada)),
  ).toEqual({
    publish: { id: 20, title: 'New', owner: ada, shout: 'NEW' },
  })
  const page = 'pageInfo { hasNextPage hasPreviousPage } totalCount edges { node { title } }'
  const renamed = await data(
    `mutation { renamed(title: "Re", last: 1, offset: 1) { ${page} } }`,
    as(ada),
  )
  expect(renamed['renamed']).toEqual({
    totalCount: 2,
    edges: [{ node: { title: 'Re3' } }],
    pageInfo: { hasNextPage: true, hasPreviousPage: false },
  })
  expect(await plane.sql('select last_value::int from called')).toEqual([{ last_value: 1 }])
  const { errors } = await ask(
    'mutation { publish(id: 21, title: "x") { id } fails(words: "no") }',
    as(ada),
  )
  expect(errors).toHaveLength(1)
  expect(await plane.sql('select 1 from books where id = 21')).toEqual([])
  // One that says it only reads is held to that.
  expect((await ask('{ sly }', { as: 'service_role' })).errors?.[0]?.extensions?.code).toBe('25006')
  expect((await ask('mutation { fails(words: "no") }')).errors?.[0]).toMatchObject({
    message: 'no',
    path: ['fails'],
  })
})

test('a nested call counts against the limits of a query', async () => {
  const nested = `works(first: 1000) { edges { node { author { works(first: 1000) { edges { node { id } } } } } } }`
  const { errors } = await ask(`{ authorsCollection { edges { node { ${nested} } } } }`, {
    as: 'service_role',
  })
  expect(errors?.[0]?.message).toContain('could read more than 100000 rows')
})
