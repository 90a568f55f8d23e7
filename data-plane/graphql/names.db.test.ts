import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { graphqlClient, nodesOf, type AskGraphql } from '../testing/graphql.ts'

let plane: TestDataPlane
let ask: AskGraphql
beforeAll(async () => {
  plane = await startDataPlane(
    `
    create type "odd mood" as enum ('so so');
    create type weather as enum ('very-hot', 'cold');
    comment on type weather is '@graphql({"mappings": {"very-hot": "VERY_HOT"}})';
    create table "select" (id int primary key, "from" text, "odd ""name" text, "größe" text, "__proto" text,
      "nodeId" text, "and" text, "constructor" text, mood "odd mood", weather weather);
    insert into "select" values (1, 'f', 'o', 'g', 'p', 'n', 'a', 'c', 'so so', 'very-hot');
    create table "it's" (id int primary key);
    create table "naïve" (id int primary key);
    create table "Query" (id int primary key);
    create table "String" (id int primary key);
    create table "StringFilter" (id int primary key);
    create table "__x" (id int primary key);
    create table pair (id int primary key, a_id int references "select", b_id int references "select", c int references "select",
      d int references "select");
    insert into pair values (1, 1, 1, 1, 1);
    create table called (id int primary key, short text, select_id int constraint by_select references "select");
    comment on table called is '@graphql({"name": "Named"})';
    comment on column called.short is 'So it is called. @graphql({"name": "long"})';
    comment on constraint by_select on called is '@graphql({"foreign_name": "chosen", "local_name": "choosers"})';
    create schema inflected;
    comment on schema inflected is '@graphql({"inflect_names": true})';
    create table inflected.blog_post (id int primary key, created_at timestamptz, parent_post_id int references inflected.blog_post);
    insert into inflected.blog_post values (1, null, null), (2, null, 1);
    grant usage on schema inflected to anon;
    grant all on inflected.blog_post to anon`,
    { exposedSchemas: ['public', 'inflected'] },
  )
  ask = graphqlClient(plane)
})
afterAll(() => plane.close())

const typesOf = async () => {
  const { data } = await ask('{ __schema { types { name } } }')
  const schema = data?.['__schema'] as unknown as { types: { name: string }[] }
  return schema.types.map(({ name }) => name)
}
const fieldsOf = async (type: string) => {
  const { data } = await ask(`{ __type(name: "${type}") { fields { name description } } }`)
  const found = data?.['__type'] as unknown as { fields: { name: string }[] }
  return found.fields.map(({ name }) => name)
}

test('tables whose name is no GraphQL name, or one of its own, are left out', async () => {
  const types = await typesOf()
  expect(types).toContain('select')
  for (const name of [
    "it's",
    'naïve',
    '__x',
    'QueryConnection',
    'StringConnection',
    'StringFilterConnection',
  ])
    expect(types).not.toContain(name)
  expect(await fieldsOf('Query')).toEqual([
    'node',
    'namedCollection',
    'pairCollection',
    'selectCollection',
  ])
})

test('so are columns; reserved words of SQL are names like others', async () => {
  const fields = await fieldsOf('select')
  expect(fields.slice(0, 6)).toEqual(['nodeId', 'id', 'from', 'constructor', 'mood', 'weather'])
  const { data, errors } =
    await ask(`{ selectCollection(filter: {from: {eq: "f"}, constructor: {eq: "c"}, weather: {in: [VERY_HOT]}})
    { edges { node { id from constructor mood weather } } } }`)
  expect(errors).toBeUndefined()
  expect(nodesOf(data?.['selectCollection'])).toEqual([
    { id: 1, from: 'f', constructor: 'c', mood: 'so so', weather: 'VERY_HOT' },
  ])
  const made =
    await ask(`mutation { insertIntoselectCollection(objects: [{id: 2, constructor: "x", weather: VERY_HOT, mood: "so so"}])
    { records { constructor weather } } }`)
  expect(made.data).toEqual({
    insertIntoselectCollection: { records: [{ constructor: 'x', weather: 'VERY_HOT' }] },
  })
})

test('several keys between two tables have a name each', async () => {
  expect(await fieldsOf('pair')).toEqual([
    'nodeId',
    'id',
    'a_id',
    'b_id',
    'c',
    'd',
    'a',
    'b',
    'select',
    'selectByd',
  ])
  expect((await fieldsOf('select')).slice(6)).toEqual([
    'choosers',
    'pairCollection',
    'pairCollectionByb_id',
    'pairCollectionByc',
    'pairCollectionByd',
  ])
  const { data } = await ask(
    '{ pairCollection { edges { node { a { id } b { id } select { id } selectByd { id } } } } }',
  )
  const one = { id: 1 }
  expect(nodesOf(data?.['pairCollection'])).toEqual([
    { a: one, b: one, select: one, selectByd: one },
  ])
})

test('comments give names', async () => {
  expect(await fieldsOf('Named')).toEqual(['nodeId', 'id', 'long', 'select_id', 'chosen'])
  const { data } = await ask('{ __type(name: "Named") { fields { name description } } }')
  expect(JSON.stringify(data)).toContain('{"name":"long","description":"So it is called."}')
})

test('another exposed schema is chosen as in the data API, and can spell names the way of GraphQL', async () => {
  const query =
    '{ blogPostCollection { edges { node { createdAt parentPost { id } blogPostCollection { edges { node { id } } } } } } }'
  const { data, errors } = await ask(query, { headers: { 'content-profile': 'inflected' } })
  expect(errors).toBeUndefined()
  expect(nodesOf(data?.['blogPostCollection'])).toEqual([
    { createdAt: null, parentPost: null, blogPostCollection: { edges: [{ node: { id: 2 } }] } },
    { createdAt: null, parentPost: { id: 1 }, blogPostCollection: { edges: [] } },
  ])
  const hidden = await ask('{ __typename }', { headers: { 'content-profile': 'auth' } })
  expect(hidden.status).toBe(406)
})
