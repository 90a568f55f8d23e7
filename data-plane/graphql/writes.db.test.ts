import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { graphqlClient, type AskGraphql } from '../testing/graphql.ts'

let plane: TestDataPlane
let ask: AskGraphql
beforeAll(async () => {
  plane = await startDataPlane(`
    create table authors (id int primary key, name text not null unique);
    create table books (id int generated always as identity primary key, title varchar(10) not null,
      author_id int references authors, state text default 'new', data jsonb, tags text[], size int check (size > 0));
    create table readonly (id int primary key);
    revoke insert, update, delete on readonly from anon;
  `)
  ask = graphqlClient(plane)
})
beforeEach(() =>
  plane.sql(`truncate authors, books restart identity;
  insert into authors values (1, 'Herbert'), (2, 'Austen');
  insert into books (title, author_id) values ('a', 1), ('b', 1), ('c', 2)`),
)
afterAll(() => plane.close())

const titles = async () =>
  (await plane.sql('select title from books order by id')).map((row) => row['title'])

describe('refused', () => {
  test.each([
    [
      'a value that the column cannot take',
      'insertIntobooksCollection(objects: [{title: "longer than ten"}]) { affectedCount }',
      '22001',
    ],
    [
      'a missing value',
      'insertIntobooksCollection(objects: [{author_id: 1}]) { affectedCount }',
      '23502',
    ],
    [
      'a key that leads nowhere',
      'insertIntobooksCollection(objects: [{title: "x", author_id: 9}]) { affectedCount }',
      '23503',
    ],
    [
      'a second of its kind',
      'insertIntoauthorsCollection(objects: [{id: 3, name: "Austen"}]) { affectedCount }',
      '23505',
    ],
    [
      'a row that breaks a rule',
      'updatebooksCollection(set: {size: 0}, filter: {id: {eq: 1}}) { affectedCount }',
      '23514',
    ],
  ])('%s', async (_, field, code) => {
    const reply = await ask(`mutation { ${field} }`)
    expect(reply).toMatchObject({ status: 200, data: null, errors: [{ extensions: { code } }] })
    expect(reply.errors?.[0]?.path).toHaveLength(1)
    expect(await titles()).toEqual(['a', 'b', 'c'])
  })

  test.each([
    'deleteFrombooksCollection { affectedCount }',
    'deleteFrombooksCollection(filter: {author_id: {eq: 1}}) { affectedCount }',
    'updatebooksCollection(set: {title: "x"}, atMost: 2) { affectedCount }',
    'updatebooksCollection(set: {}, filter: {id: {eq: 1}}) { affectedCount }',
    'deleteFrombooksCollection(filter: {id: {eq: null}}, atMost: 9) { affectedCount }',
    'deleteFrombooksCollection(filter: {or: [null]}, atMost: 9) { affectedCount }',
    'deleteFrombooksCollection(atMost: -1) { affectedCount }',
  ])('more rows than were meant: %s', async (field) => {
    const { status, errors } = await ask(`mutation { ${field} }`)
    expect({ status, errors }).toMatchObject({ status: 200, errors: [{}] })
    expect(await titles()).toEqual(['a', 'b', 'c'])
  })

  test('what the role may not do is not there', async () => {
    const { data } = await ask('{ __type(name: "Mutation") { fields { name } } }')
    const type = data?.['__type'] as unknown as { fields: { name: string }[] }
    expect(type.fields.map(({ name }) => name).filter((name) => name.includes('readonly'))).toEqual(
      [],
    )
  })

  test('all of it when one field fails', async () => {
    const reply = await ask(`mutation {
      insertIntobooksCollection(objects: [{title: "d"}]) { affectedCount }
      deleteFrombooksCollection(filter: {title: {eq: "a"}}) { affectedCount }
      insertIntoauthorsCollection(objects: [{id: 1, name: "again"}]) { affectedCount } }`)
    expect(reply).toMatchObject({
      status: 200,
      data: null,
      errors: [{ extensions: { code: '23505' } }],
    })
    expect(await titles()).toEqual(['a', 'b', 'c'])
    const over = await ask(`mutation {
      insertIntobooksCollection(objects: [{title: "d"}]) { affectedCount }
      deleteFrombooksCollection { affectedCount } }`)
    expect(over.errors?.[0]?.path).toEqual(['deleteFrombooksCollection'])
    expect(await titles()).toEqual(['a', 'b', 'c'])
  })
})

test('rows are inserted with their defaults, and read with what belongs to them', async () => {
  const { data, errors } = await ask(
    `mutation ($data: JSON) { insertIntobooksCollection(objects: [
      {title: "d", author_id: 2, tags: ["x", "NULL", null, "a,\\"b\\\\"], data: $data}, {title: "e", state: null}]) {
      affectedCount records { id title state tags data author { name } } } }`,
    { variables: { data: { a: 1 } } },
  )
  expect(errors).toBeUndefined()
  const e = { id: 5, title: 'e', state: null, tags: null, data: null, author: null }
  const d = {
    id: 4,
    title: 'd',
    state: 'new',
    tags: ['x', 'NULL', null, 'a,"b\\'],
    data: '{"a": 1}',
  }
  expect(data).toEqual({
    insertIntobooksCollection: {
      affectedCount: 2,
      records: [{ ...d, author: { name: 'Austen' } }, e],
    },
  })
})

test('rows are changed and deleted up to the number that is given', async () => {
  const changed = await ask(
    'mutation { updatebooksCollection(set: {title: "z", tags: []}, filter: {author_id: {eq: 1}}, atMost: 2) { affectedCount records { id title tags } } }',
  )
  expect(changed.data).toEqual({
    updatebooksCollection: {
      affectedCount: 2,
      records: [
        { id: 1, title: 'z', tags: [] },
        { id: 2, title: 'z', tags: [] },
      ],
    },
  })
  const deleted = await ask(
    'mutation { deleteFrombooksCollection(filter: {id: {eq: 3}}) { records { title author { name } } } }',
  )
  expect(deleted.data).toEqual({
    deleteFrombooksCollection: { records: [{ title: 'c', author: { name: 'Austen' } }] },
  })
  expect(await titles()).toEqual(['z', 'z'])
  const none = await ask(
    'mutation { deleteFrombooksCollection(filter: {id: {eq: 9}}) { affectedCount records { id } } }',
  )
  expect(none.data).toEqual({ deleteFrombooksCollection: { affectedCount: 0, records: [] } })
})

test('fields of a mutation follow each other in one transaction', async () => {
  const { data } = await ask(`mutation {
    a: insertIntoauthorsCollection(objects: [{id: 3, name: "Woolf"}]) { affectedCount }
    b: insertIntobooksCollection(objects: [{title: "Orlando", author_id: 3}]) { records { author { name } } }
    c: updateauthorsCollection(set: {name: "V. Woolf"}, filter: {name: {eq: "Woolf"}}) { affectedCount } }`)
  expect(data).toEqual({
    a: { affectedCount: 1 },
    b: { records: [{ author: { name: 'Woolf' } }] },
    c: { affectedCount: 1 },
  })
  expect(
    await plane.sql('select count(distinct xmin::text)::int from authors where id = 3'),
  ).toEqual([{ count: 1 }])
})

test('values are never part of the statement', async () => {
  const title = `'); --`
  const hostile = { title, tags: [`{"}',$1`, '\\', '"', 'NULL', ''], data: '"\'"' }
  const { data } = await ask(
    'mutation ($o: [booksInsertInput!]!) { insertIntobooksCollection(objects: $o) { records { title tags data } } }',
    { variables: { o: [hostile] } },
  )
  expect(data).toEqual({ insertIntobooksCollection: { records: [hostile] } })
})

test('the database knows of a request what it knows of one to the data API', async () => {
  const claims = { sub: '11111111-1111-4111-8111-111111111111', exp: 4_000_000_000 }
  const token = plane.token({ role: 'authenticated', ...claims })
  await plane.sql(`create table seen (id int primary key, role text default current_user, "user" uuid default auth.uid(),
    method text default current_setting('request.method'), path text default current_setting('search_path'),
    claims text default current_setting('request.jwt.claims'), timeout text default current_setting('statement_timeout'),
    app text default current_setting('request.headers')::json ->> 'x-app', cookies text default current_setting('request.cookies'))`)
  const headers = { authorization: `Bearer ${token}`, 'x-app': 'ours', cookie: 'a=b' }
  const { errors } = await ask(
    'mutation { insertIntoseenCollection(objects: [{id: 1}]) { affectedCount } }',
    { headers },
  )
  expect(errors).toBeUndefined()
  const made = await fetch(`${plane.url}/rest/v1/seen`, {
    method: 'POST',
    headers: { apikey: plane.project.anonKey, 'content-type': 'application/json', ...headers },
    body: '{"id":2}',
  })
  expect(made.status).toBe(201)
  const seen = await plane.sql('select to_json(s)::jsonb - $$id$$ as row from seen s order by id')
  expect(seen[0]).toEqual(seen[1])
  expect(seen[0]).toMatchObject({ row: { role: 'authenticated', user: claims.sub, app: 'ours' } })
})
