import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../../testing/data-plane.ts'
import { graphqlClient, type AskGraphql } from '../../testing/graphql.ts'

let plane: TestDataPlane
let ask: AskGraphql
beforeAll(async () => {
  plane = await startDataPlane(`
    create table authors (id int primary key, name text);
    create table books (id int primary key, author_id int references authors);
    insert into authors select n from generate_series(1, 20) n;
    insert into books select n, 1 + n % 20 from generate_series(1, 100) n;
  `)
  ask = graphqlClient(plane)
})
afterAll(() => plane.close())

/** How many statements on the two tables the server has carried out, as the server itself has counted them. */
const counted = async () => {
  const [row] =
    await plane.sql(`select coalesce(sum(calls), 0)::int as calls from extensions.pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
      and query ~ '"(books|authors)"' and query !~ 'pg_stat_statements'`)
  return Number(row?.['calls'])
}
const calls = async (query: string) => {
  const before = await counted()
  const { errors } = await ask(query)
  expect(errors).toBeUndefined()
  return (await counted()) - before
}

test('a root field is one statement, however much is nested in it', async () => {
  await plane.sql('create extension if not exists pg_stat_statements schema extensions')
  await ask('{ __typename }')
  const page = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
  const nested = `authorsCollection(offset: 1) { ${page} edges { cursor node { nodeId name booksCollection(first: 3) { ${page}
    edges { node { id author { name booksCollection { edges { node { id } } } } } } } } } }`
  expect(await calls(`{ ${nested} }`)).toBe(1)
  expect(await calls(`{ a: ${nested} b: ${nested} c: ${nested} }`)).toBe(3)
  expect(
    await calls(`mutation { insertIntobooksCollection(objects: [{id: 900, author_id: 1}, {id: 901}]) { affectedCount
      records { author { booksCollection { edges { node { id } } } } } }
      deleteFrombooksCollection(filter: {id: {gte: 900}}, atMost: 2) { records { id } } }`),
  ).toBe(2)
  expect(await calls('{ __schema { types { name } } }')).toBe(0)
})
