import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { graphqlClient, nodesOf, type AskGraphql } from '../testing/graphql.ts'

let plane: TestDataPlane
let ask: AskGraphql
beforeAll(async () => {
  plane = await startDataPlane(`
    create table authors (id int primary key, name text not null);
    create table books (id int primary key, author_id int references authors, title text, hidden text);
    insert into authors values (1, 'Ada'), (2, 'Bob');
    insert into books values (1, 1, 'One', 'x'), (2, 1, 'Two', 'x'), (3, 2, 'Three', 'x');
    create view shelf with (security_invoker) as select id, author_id, title, upper(title) as loud from books;
    create view counted as select author_id, count(*)::int as n from books group by author_id;
    comment on view counted is '@graphql({"primary_key_columns": ["author_id"], "name": "Counted"})';
    create view keyless as select title from books;
    create view wrong as select title from books;
    comment on view wrong is '@graphql({"primary_key_columns": ["nope"]})';
    create materialized view kept as select id, title from books;
    comment on materialized view kept is '@graphql({"primary_key_columns": ["id"], "totalCount": {"enabled": true}})';
    create view told as select distinct id, title from books;
    create function told() returns trigger language plpgsql as 'begin update books set title = new.title || ''!'' where id = new.id; return new; end';
    create trigger told instead of update on told for each row execute function told();
    create view unseen as select id from books;
    revoke all on unseen from anon, authenticated;
    create function _initial(s shelf) returns text immutable language sql as 'select left(s.title, 1)';
    alter table books enable row level security;
    create policy some_of_them on books for all to anon using (author_id = 1);
  `)
  ask = graphqlClient(plane)
})
afterAll(() => plane.close())

const namesIn = async (type: string) => {
  const { data } = await ask(`{ __type(name: "${type}") { fields { name } inputFields { name } } }`)
  const found = data?.['__type'] as unknown as Record<string, { name: string }[] | null> | null
  return (found?.['fields'] ?? found?.['inputFields'] ?? []).map(({ name }) => name)
}

test('a view has its collection where its key is known, and the role may read it', async () => {
  const queries = await namesIn('Query')
  for (const name of ['shelf', 'counted', 'kept', 'told'])
    expect(queries).toContain(`${name}Collection`)
  for (const name of ['keyless', 'wrong', 'unseen'])
    expect(queries).not.toContain(`${name}Collection`)
})

test('its rows are pages, with node ids, keys and functions, by the policies of the caller', async () => {
  const { data, errors } = await ask(`{ shelfCollection(filter: {loud: {like: "T%"}}) {
    edges { cursor node { nodeId title loud initial author { name } } } } }`)
  expect(errors).toBeUndefined()
  const [node, more] = nodesOf(data?.['shelfCollection'])
  expect(more).toBeUndefined()
  expect(node).toMatchObject({ title: 'Two', loud: 'TWO', initial: 'T', author: { name: 'Ada' } })
  const again = await ask(
    `{ node(nodeId: "${String(node?.['nodeId'])}") { ... on shelf { title } } }`,
  )
  expect(again.data).toEqual({ node: { title: 'Two' } })
  const counted = await ask('{ countedCollection { edges { node { author_id n } } } }')
  expect(nodesOf(counted.data?.['countedCollection'])).toEqual([
    { author_id: 1, n: 2 },
    { author_id: 2, n: 1 },
  ])
  const kept = await ask('{ keptCollection(first: 1) { totalCount edges { node { title } } } }')
  expect(kept.data?.['keptCollection']).toMatchObject({ totalCount: 3 })
})

test('a view takes no name from the fields of tables', async () => {
  const own = ['nodeId', 'id', 'name', 'booksCollection']
  expect(await namesIn('authors')).toEqual(expect.arrayContaining([...own, 'shelfCollection']))
  expect(await namesIn('books')).toContain('author')
  const { data } = await ask(
    '{ authorsCollection(first: 1) { edges { node { shelfCollection { edges { node { id } } } } } } }',
  )
  expect(nodesOf(data?.['authorsCollection'])).toEqual([
    { shelfCollection: { edges: [{ node: { id: 1 } }, { node: { id: 2 } }] } },
  ])
})

test('what Postgres can write through a view is written, and nothing else is offered', async () => {
  const mutations = await namesIn('Mutation')
  expect(mutations).toEqual(
    expect.arrayContaining(['updateshelfCollection', 'deleteFromshelfCollection']),
  )
  expect(mutations).toContain('updatetoldCollection')
  for (const name of [
    'insertIntotoldCollection',
    'deleteFromtoldCollection',
    'updatekeptCollection',
    'updateCountedCollection',
  ])
    expect(mutations).not.toContain(name)
  expect(await namesIn('shelfUpdateInput')).toEqual(['id', 'author_id', 'title'])
  const changed =
    await ask(`mutation { updateshelfCollection(set: {title: "Zwei"}, filter: {id: {eq: 2}}) { records { loud } }
    updatetoldCollection(set: {title: "Eins"}, filter: {id: {eq: 1}}) { affectedCount } }`)
  expect(changed.errors).toBeUndefined()
  expect(changed.data?.['updateshelfCollection']).toEqual({ records: [{ loud: 'ZWEI' }] })
  const hidden = await ask(
    'mutation { deleteFromshelfCollection(filter: {id: {eq: 3}}) { affectedCount } }',
  )
  expect(hidden.data?.['deleteFromshelfCollection']).toEqual({ affectedCount: 0 })
  expect(await plane.sql('select title from books order by id')).toEqual([
    { title: 'Eins!' },
    { title: 'Zwei' },
    { title: 'Three' },
  ])
})
