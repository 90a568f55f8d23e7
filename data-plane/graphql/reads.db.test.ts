import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { graphqlClient, nodesOf, type AskGraphql } from '../testing/graphql.ts'

let plane: TestDataPlane
let ask: AskGraphql
beforeAll(async () => {
  plane = await startDataPlane(`
    create type mood as enum ('sad', 'happy');
    create table authors (id int primary key, name text not null);
    create table books (id int primary key, title text, author_id int references authors, pages bigint, price numeric,
      weight float8, sold boolean, mood mood, uid uuid, day date, at timestamptz, clock time, data jsonb, tags text[],
      numbers bigint[], place point);
    create table covers (book_id int primary key references books, color text);
    comment on table books is 'What is read @graphql({"totalCount": {"enabled": true}})';
    insert into authors values (1, 'Herbert'), (2, 'Austen'), (3, 'Nobody');
    insert into books (id, title, author_id) select n, case when n < 9 then 'Book ' || n end, 1 + n % 2
      from generate_series(1, 10) n;
    insert into books values (11, 'All', 2, 9007199254740993, 1.10, 1.5, true, 'happy',
      '11111111-1111-4111-8111-111111111111', '2024-02-29', '2024-02-29T12:00:00Z', '12:30', '{"a": [1]}', '{a,"b,c"}',
      '{9007199254740993}', '(1,2)');
    insert into covers values (11, 'red');
  `)
  ask = graphqlClient(plane)
})
afterAll(() => plane.close())

const books = async (args: string, fields = 'id') => {
  const { data, errors } = await ask(
    `{ booksCollection(${args}) { edges { node { ${fields} } } } }`,
  )
  expect(errors).toBeUndefined()
  return nodesOf(data?.['booksCollection'])
}
const ids = async (filter: string) =>
  (await books(`filter: ${filter}, orderBy: [{id: AscNullsLast}]`)).map((node) => node['id'])

test('every type of column is answered in the way of its scalar', async () => {
  const fields =
    'id title pages price weight sold mood uid day at clock data tags numbers place __typename'
  expect(await books('filter: {id: {eq: 11}}', fields)).toEqual([
    {
      id: 11,
      title: 'All',
      pages: '9007199254740993',
      price: '1.10',
      weight: 1.5,
      sold: true,
      mood: 'happy',
      uid: '11111111-1111-4111-8111-111111111111',
      day: '2024-02-29',
      at: '2024-02-29T12:00:00+00:00',
      clock: '12:30:00',
      data: '{"a": [1]}',
      tags: ['a', 'b,c'],
      numbers: ['9007199254740993'],
      place: '(1,2)',
      __typename: 'books',
    },
  ])
})

test.each([
  ['{id: {in: [1, 2, 99]}}', [1, 2]],
  ['{id: {in: []}}', []],
  ['{id: {gt: 9}}', [10, 11]],
  ['{id: {gte: 10, lt: 11}}', [10]],
  ['{id: {lte: 2, neq: 1}}', [2]],
  ['{title: {is: NULL}}', [9, 10]],
  ['{title: {like: "Book _"}, id: {gt: 7}}', [8]],
  ['{title: {ilike: "ALL"}}', [11]],
  ['{title: {startsWith: "Al"}}', [11]],
  ['{title: {regex: "^A.l$"}}', [11]],
  ['{title: {iregex: "^a.l$"}}', [11]],
  ['{not: {title: {eq: "All"}}, id: {gte: 8}}', [8, 9, 10]],
  ['{or: [{id: {eq: 1}}, {id: {eq: 2}, title: {eq: "no"}}]}', [1]],
  ['{and: [{id: {gt: 3}}, {id: {lt: 5}}]}', [4]],
  ['{or: []}', []],
  ['{pages: {eq: "9007199254740993"}}', [11]],
  ['{pages: {eq: 9007199254740993}}', [11]],
  ['{price: {eq: "1.1"}}', [11]],
  ['{mood: {eq: happy}}', [11]],
  ['{sold: {eq: true}}', [11]],
  ['{at: {gt: "2024-01-01"}}', [11]],
  ['{tags: {contains: ["b,c"]}}', [11]],
  ['{tags: {overlaps: ["a", "z"]}}', [11]],
  ['{uid: {eq: "11111111-1111-4111-8111-111111111111"}}', [11]],
])('filter %s', async (filter, expected) => {
  expect(await ids(filter)).toEqual(expected)
})

test('variables, aliases, fragments and directives', async () => {
  const { data } = await ask(
    `query ($filter: booksFilter, $no: Boolean!) {
      one: booksCollection(filter: $filter) { edges { node { ...f, __proto__: title } } again: edges { node { id: title } } }
      two: booksCollection(first: 0) { edges { cursor } }
      three: booksCollection @skip(if: true) { edges { cursor } }
    }
    fragment f on books { a: id, ... on Node { nodeId @include(if: $no) } }`,
    { variables: { filter: { id: { eq: 3 } }, no: false } },
  )
  expect(JSON.stringify(data)).toBe(
    '{"one":{"edges":[{"node":{"a":3,"__proto__":"Book 3"}}],"again":[{"node":{"id":"Book 3"}}]},"two":{"edges":[]}}',
  )
})

test('node ids lead back to their rows', async () => {
  const [book] = await books('filter: {id: {eq: 3}}', 'nodeId')
  const id = String(book?.['nodeId'])
  const node = (nodeId: string) =>
    ask(
      'query ($id: ID!) { node(nodeId: $id) { nodeId __typename ... on books { title } ... on authors { name } } }',
      {
        variables: { id: nodeId },
      },
    )
  expect((await node(id)).data).toEqual({
    node: { nodeId: id, __typename: 'books', title: 'Book 3' },
  })
  expect(await ids(`{nodeId: {eq: "${id}"}}`)).toEqual([3])
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
  for (const nothing of [
    ['public', 'books', '99'],
    ['public', 'nope', '1'],
    ['auth', 'users', '1'],
  ])
    expect(await node(encode(nothing))).toMatchObject({ data: { node: null }, errors: undefined })
  expect(await node('nonsense')).toMatchObject({ status: 200, errors: [{ path: ['node'] }] })
  const wrong = await node(encode(['public', 'books', 'x']))
  expect(wrong).toMatchObject({ status: 200, data: null, errors: [{ path: ['node'] }] })
})

describe('relations', () => {
  test('lead both ways, to one and to many, with pages of their own', async () => {
    const { data, errors } =
      await ask(`{ authorsCollection(orderBy: [{name: DescNullsLast}]) { edges { node { name
      booksCollection(last: 2, filter: {title: {is: NOT_NULL}}) { totalCount pageInfo { hasPreviousPage }
        edges { node { id author { name } covers { color books: book { id } } } } } } } } }`)
    expect(errors).toBeUndefined()
    const book = (id: number, name: string) => ({ id, author: { name }, covers: null })
    const red = { ...book(11, 'Austen'), covers: { color: 'red', books: { id: 11 } } }
    expect(nodesOf(data?.['authorsCollection'])).toEqual([
      { name: 'Nobody', booksCollection: page(0, false, []) },
      { name: 'Herbert', booksCollection: page(4, true, [book(6, 'Herbert'), book(8, 'Herbert')]) },
      { name: 'Austen', booksCollection: page(5, true, [book(7, 'Austen'), red]) },
    ])
  })
  const page = (totalCount: number, hasPreviousPage: boolean, nodes: object[]) => ({
    totalCount,
    pageInfo: { hasPreviousPage },
    edges: nodes.map((node) => ({ node })),
  })
})

describe('pages', () => {
  const order = 'orderBy: [{author_id: DescNullsFirst}, {title: AscNullsFirst}]'
  const walk = async (size: string, way: 'after' | 'before') => {
    const seen: unknown[][] = []
    let cursor = ''
    for (let pages = 0; pages < 20; pages++) {
      const { data, errors } = await ask(
        `{ booksCollection(${size} ${cursor} ${order}) { edges { cursor node { id } }
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
      )
      expect(errors).toBeUndefined()
      const collection = data?.['booksCollection'] as unknown as {
        edges: { cursor: string; node: { id: number } }[]
        pageInfo: Record<string, string | boolean | null>
      }
      const { edges, pageInfo } = collection
      seen.push(edges.map(({ node }) => node.id))
      expect(pageInfo['startCursor']).toBe(edges[0]?.cursor)
      expect(pageInfo['endCursor']).toBe(edges.at(-1)?.cursor)
      const [onward, back] = [pageInfo['hasNextPage'], pageInfo['hasPreviousPage']]
      expect(way === 'after' ? back : onward).toBe(pages > 0)
      if (!(way === 'after' ? onward : back)) return seen
      cursor = `${way}: "${String(pageInfo[way === 'after' ? 'endCursor' : 'startCursor'])}"`
    }
    throw new Error('The pages do not end')
  }

  test('walked in both directions hold every row once, nulls too', async () => {
    const sql =
      'select id from books order by author_id desc nulls first, title asc nulls first, id'
    const all = (await plane.sql(sql)).map(({ id }) => id)
    for (const size of [1, 3, 11]) {
      expect((await walk(`first: ${size}`, 'after')).flat()).toEqual(all)
      const back = await walk(`last: ${size}`, 'before')
      expect(back.toReversed().flat()).toEqual(all)
    }
  })

  test('can begin at an offset', async () => {
    expect(await books('first: 2, offset: 3')).toEqual([{ id: 4 }, { id: 5 }])
    const { data } = await ask(
      '{ booksCollection(offset: 11) { pageInfo { hasPreviousPage hasNextPage startCursor } } }',
    )
    expect(data).toEqual({
      booksCollection: {
        pageInfo: { hasPreviousPage: true, hasNextPage: false, startCursor: null },
      },
    })
  })

  test('have thirty rows unless asked otherwise', async () => {
    await plane.sql(
      'create table many as select n as id from generate_series(1, 40) n; alter table many add primary key (id)',
    )
    const { data } = await ask('{ manyCollection { edges { node { id } } } }')
    expect(nodesOf(data?.['manyCollection'])).toHaveLength(30)
  })
})

test('what a cursor or a value cannot be is an error of GraphQL and no failure', async () => {
  const cursor = Buffer.from('{"by":["id asc nulls last"],"at":["x\' or 1=1"]}').toString('base64')
  for (const args of [
    `after: "${cursor}"`,
    'filter: {at: {eq: "\\u0000"}}',
    'filter: {uid: {eq: "x"}}',
    'filter: {title: {regex: "("}}',
  ]) {
    const reply = await ask(`{ booksCollection(${args}) { edges { cursor } } }`)
    expect(reply).toMatchObject({
      status: 200,
      data: null,
      errors: [{ path: ['booksCollection'] }],
    })
  }
})
