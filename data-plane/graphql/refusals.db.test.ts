import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { graphqlClient, type AskGraphql } from '../testing/graphql.ts'

let plane: TestDataPlane
let ask: AskGraphql
beforeAll(async () => {
  plane = await startDataPlane(`
    create table books (id int primary key, title text not null, up int references books);
    create table secrets (id int primary key);
    create table keyless (id int);
    revoke all on secrets from anon;
    insert into books values (1, 'Dune'), (2, 'Emma');
  `)
  ask = graphqlClient(plane)
})
afterAll(() => plane.close())

const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`${plane.url}/graphql/v1`, {
    method: 'POST',
    headers: { apikey: plane.project.anonKey, 'content-type': 'application/json', ...headers },
    body,
  })

describe('who asks', () => {
  test('without a key, or with one that is none, is told so by the gateway', async () => {
    const response = await fetch(`${plane.url}/graphql/v1`, { method: 'POST' })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ message: 'No API key found in request' })
    expect((await post('{}', { apikey: 'foo' })).status).toBe(401)
  })

  test('with a token that is none is refused', async () => {
    const reply = await ask('{ __typename }', { headers: { authorization: 'Bearer a.b' } })
    expect(reply).toMatchObject({ status: 401, errors: [{ extensions: { code: 'PGRST301' } }] })
    expect(reply.headers.get('www-authenticate')).toContain('error="invalid_token"')
    const expired = await ask('{ __typename }', { as: 'authenticated', claims: { exp: 1 } })
    expect(expired.status).toBe(401)
  })

  test.each(['nobody_at_all', 'postgres', 'supabase_admin', '__proto__'])(
    'as the role %s, which a token cannot take',
    async (as) => {
      const reply = await ask('{ booksCollection { edges { node { id } } } }', { as })
      expect([401, 403]).toContain(reply.status)
      expect([401, 403]).toContain((await ask('{ __schema { types { name } } }', { as })).status)
    },
  )
})

describe('what is no GraphQL', () => {
  test.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['no query', '{}'],
    ['a query that is no text', '{"query":1}'],
    ['variables that are no object', '{"query":"{ __typename }","variables":[1]}'],
    ['no document', '{"query":"{"}'],
    ['an empty document', '{"query":""}'],
    ['no operation', '{"query":"fragment f on Query { __typename }"}'],
    ['an unknown operation', '{"query":"query a { __typename }","operationName":"b"}'],
    ['two operations', '{"query":"query a { __typename } query b { __typename }"}'],
  ])('%s', async (_, body) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ message: expect.any(String) }] })
  })

  test('another content type, another method', async () => {
    expect((await post('{ __typename }', { 'content-type': 'text/plain' })).status).toBe(400)
    const put = await fetch(`${plane.url}/graphql/v1`, {
      method: 'PUT',
      headers: { apikey: plane.project.anonKey },
    })
    expect(put.status).toBe(405)
    expect(put.headers.get('allow')).toBe('GET, POST')
  })

  test('nesting that no program could follow', async () => {
    const deep = (open: string, close: string) => open.repeat(7000) + close.repeat(7000)
    for (const query of [deep('{a', '}'), deep('[', ']'), `{a(b:${deep('[', ']')})}`]) {
      expect((await ask(query)).status).toBe(400)
    }
    const filter = `${'{"not":'.repeat(20_000)}{}${'}'.repeat(20_000)}`
    const query = 'query ($f: booksFilter) { booksCollection(filter: $f) { edges { cursor } } }'
    const reply = await post(`{"query":${JSON.stringify(query)},"variables":{"f":${filter}}}`)
    expect(reply.status).toBeLessThan(500)
  })
})

describe('what the schema does not have', () => {
  test.each([
    '{ nothingCollection { edges { cursor } } }',
    '{ keylessCollection { edges { cursor } } }',
    '{ secretsCollection { edges { cursor } } }',
    '{ booksCollection { totalCount } }',
    '{ booksCollection(filter: {title: {eq: 1}}) { edges { cursor } } }',
    'mutation { insertIntosecretsCollection(objects: [{id: 1}]) { affectedCount } }',
  ])('%s', async (query) => {
    const { status, errors, data } = await ask(query)
    expect({ status, data }).toEqual({ status: 200, data: undefined })
    expect(errors?.[0]?.message).toEqual(expect.any(String))
  })

  test('a subscription', async () => {
    const { status, errors } = await ask('subscription { books }')
    expect(status).toBe(200)
    expect(errors).toHaveLength(1)
  })
})

describe('a page', () => {
  test.each([
    'first: 1001',
    'last: 1001',
    'first: -1',
    'offset: -1',
    'first: 1, last: 1',
    'after: "x"',
    'before: "e30="',
    'first: 1, before: "x"',
    'last: 1, after: "x"',
    'orderBy: [{id: AscNullsLast, title: AscNullsLast}]',
    'orderBy: [{}]',
    'orderBy: [{id: null}]',
    'filter: {id: null}',
    'filter: {id: {eq: null}}',
    'filter: {nodeId: {eq: "x"}}',
  ])('with %s', async (page) => {
    const reply = await ask(`{ booksCollection(${page}) { edges { cursor } } }`)
    expect(reply).toMatchObject({ status: 200, data: null })
    expect(reply.errors?.[0]).toMatchObject({ path: ['booksCollection'] })
  })

  test('with the cursor of another order', async () => {
    const first = await ask('{ booksCollection(first: 1) { pageInfo { endCursor } } }')
    const { pageInfo } = first.data?.['booksCollection'] ?? { pageInfo: { endCursor: '' } }
    const { endCursor } = pageInfo
    const page = `after: "${endCursor}", orderBy: [{title: AscNullsLast}]`
    const reply = await ask(`{ booksCollection(${page}) { edges { cursor } } }`)
    expect(reply.errors?.[0]?.message).toBe(
      'The cursor does not belong to a collection in this order',
    )
  })
})

describe('limits', () => {
  const nested = (levels: number) =>
    `${'booksCollection(first: 1) { edges { node { '.repeat(levels)} id ${'} } }'.repeat(levels)}`

  test('on depth', async () => {
    expect((await ask(`{ ${nested(4)} }`)).errors).toBeUndefined()
    const { errors, status } = await ask(`{ ${nested(5)} }`)
    expect({ status, errors }).toMatchObject({
      status: 200,
      errors: [{ message: 'The query is nested more than 15 levels deep' }],
    })
  })

  test('on rows that pages inside pages could hold', async () => {
    const pages = (first: number) =>
      `{ booksCollection(first: ${first}) { edges { node { booksCollection(first: ${first}) { edges { node { id } } } } } } }`
    expect((await ask(pages(200))).errors).toBeUndefined()
    expect((await ask(pages(1000))).errors?.[0]?.message).toContain('more than 100000 rows')
  })

  test('on fields, however fragments multiply them', async () => {
    const many = (length: number) =>
      `{ ${Array.from({ length }, (_, i) => `a${i}: __typename`).join(' ')} }`
    expect((await ask(many(500))).errors).toBeUndefined()
    expect((await ask(many(501))).status).toBe(400)
    const spreads = '...f '.repeat(500)
    expect((await ask(`{ ${spreads} } fragment f on Query { __typename }`)).status).toBe(400)
    const levels = Array.from({ length: 9 }, (_, i) => {
      const next = i === 8 ? 'id' : `...f${i + 1}`
      return `fragment f${i} on books { a: books { ${next} } b: books { ${next} } c: books { ${next} } }`
    })
    const reply = await ask(`{ booksCollection { edges { node { ...f0 } } } } ${levels.join(' ')}`)
    expect(reply).toMatchObject({ status: 200, data: null })
  })

  test('on objects of one insert', async () => {
    const query =
      'mutation ($o: [booksInsertInput!]!) { insertIntobooksCollection(objects: $o) { affectedCount } }'
    for (const length of [0, 1001]) {
      const objects = Array.from({ length }, (_, id) => ({ id: id + 100, title: 'x' }))
      expect((await ask(query, { variables: { o: objects } })).data).toBeNull()
    }
  })
})

test('a GET only queries', async () => {
  const read = await ask('{ booksCollection(first: 1) { edges { node { id } } } }', {
    method: 'GET',
  })
  expect(read).toMatchObject({ status: 200, errors: undefined })
  const change = await ask('mutation { deleteFrombooksCollection { affectedCount } }', {
    method: 'GET',
  })
  expect(change.status).toBe(405)
  expect(await plane.sql('select count(*)::int from books')).toEqual([{ count: 2 }])
})

describe('a project that cannot serve everything', () => {
  test('of a restricted organization reads, and changes nothing', async () => {
    plane.directory.put({ ...plane.project, restricted: true })
    expect((await ask('{ booksCollection { edges { node { id } } } }')).status).toBe(200)
    const reply = await ask('mutation { deleteFrombooksCollection { affectedCount } }')
    expect(reply).toMatchObject({
      status: 402,
      errors: [{ extensions: { code: 'organization_restricted' } }],
    })
    plane.directory.put(plane.project)
  })

  test('whose database is away answers 503, and serves again when it is back', async () => {
    const database = { ...plane.project.database, port: 1 }
    plane.directory.put({ ...plane.project, database })
    expect(await ask('{ booksCollection { edges { cursor } } }')).toMatchObject({
      status: 503,
      errors: [{ extensions: { code: 'PGRST001' } }],
    })
    plane.directory.put(plane.project)
    expect((await ask('{ booksCollection { edges { cursor } } }')).status).toBe(200)
  })
})

describe('what a project can set', () => {
  /** As whoever runs the platform: settings of the login in this database. */
  const set = async (name: string, value: string) => {
    const target = `alter role authenticator in database ${plane.database.name}`
    await withClient(plane.database.adminConfig, async (client) => {
      await client.query([target, `set pgrst.${name} = '${value}'`].join(' '))
      await client.query('notify pgrst')
    })
    // A request for something unknown waits until the notice is heard.
    await ask('{ unknownOnPurpose }')
  }

  test('how deep and how large a query can be', async () => {
    const query = '{ booksCollection(first: 2) { edges { node { id } } } }'
    await set('graphql_max_depth', '3')
    expect((await ask(query)).errors?.[0]?.message).toContain('more than 3 levels')
    await set('graphql_max_depth', '4')
    await set('graphql_max_rows', '1')
    expect((await ask(query)).errors?.[0]?.message).toContain('more than 1 rows')
    await set('graphql_max_rows', 'nonsense')
    expect((await ask(query)).errors).toBeUndefined()
  })

  test('that nobody may look at the schema', async () => {
    const types = '{ __schema { types { name } } }'
    expect((await ask(types)).errors).toBeUndefined()
    await set('graphql_introspection', 'off')
    expect((await ask(types)).errors).not.toHaveLength(0)
    const near = await ask('{ bookCollection { edges { cursor } } }')
    expect(near.errors?.[0]?.message).not.toContain('booksCollection')
    expect((await ask('{ booksCollection { __typename } }')).errors).toBeUndefined()
  })
})
