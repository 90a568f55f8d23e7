import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { RunEvent } from '#contract/database/sql/sql-query'
import { errors } from '#contract/errors'
import { startDataPlane, testRef, type TestDataPlane } from '../testing/data-plane.ts'

let plane: TestDataPlane
const internal = 'Bearer a token that only our own programs know'
const reason =
  'This organization is restricted until its invoices are paid: its data can be read but not changed'

beforeAll(async () => {
  plane = await startDataPlane(`
    create table notes (id int);
    insert into notes values (1);
    grant all on notes to anon, service_role;
    create function add_note() returns int language sql as 'insert into notes values (2) returning id';
    create table things (id int primary key, note text);
    insert into things select n, 'old' from generate_series(1, 9) n;
    grant all on things to service_role;
    create function "deleteFromOthersCollection"() returns int language sql as
      'insert into things values (99) returning id'`)
  plane.directory.put({ ...plane.project, restricted: true })
})
afterAll(() => plane.close())

const call = (method: string, path: string, body?: object) =>
  fetch(`${plane.url}${path}`, {
    method,
    headers: { apikey: plane.project.serviceKey, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
const meta = (method: string, path: string, body?: object) =>
  plane.app.inject({
    method: method === 'GET' ? 'GET' : 'POST',
    url: `/internal/pg-meta/${testRef}${path}`,
    headers: { authorization: internal, 'x-plinth-login': 'postgres' },
    ...(body ? { payload: body } : {}),
  })
const count = async () => (await plane.sql('select count(*)::int as n from notes'))[0]?.['n']

test.each([
  ['POST', '/rest/v1/notes', { id: 9 }],
  ['PATCH', '/rest/v1/notes?id=eq.1', { id: 9 }],
  ['PUT', '/rest/v1/notes?id=eq.1', { id: 1 }],
  ['DELETE', '/rest/v1/notes?id=eq.1', undefined],
  ['POST', '/rest/v1/rpc/add_note', {}],
  ['POST', '/auth/v1/signup', { email: 'a@example.com', password: 'a long password 1' }],
  ['POST', '/auth/v1/admin/users', { email: 'a@example.com' }],
  ['PUT', '/auth/v1/user', { data: {} }],
  ['GET', '/auth/v1/verify?token=x&type=signup', undefined],
] as const)(
  '%s %s of a restricted project is refused with the reason',
  async (method, path, body) => {
    const response = await call(method, path, body)
    expect(response.status).toBe(402)
    expect(await response.json()).toMatchObject({
      code: 'organization_restricted',
      message: reason,
    })
    expect(await count()).toBe(1)
  },
)

test('reading and signing in go on', async () => {
  expect(await (await call('GET', '/rest/v1/notes')).json()).toEqual([{ id: 1 }])
  expect((await call('GET', '/auth/v1/settings')).status).toBe(200)
  const token = await call('POST', '/auth/v1/token?grant_type=password', {
    email: 'a@example.com',
    password: 'x',
  })
  expect(token.status).toBe(400)
  // A GET of a function that writes runs read only, here as everywhere.
  expect((await call('GET', '/rest/v1/rpc/add_note')).status).toBeGreaterThanOrEqual(400)
  expect(await count()).toBe(1)
})

test('the metadata API looks and does not change', async () => {
  expect((await meta('GET', '/tables')).statusCode).toBe(200)
  const made = await meta('POST', '/tables', { name: 'more' })
  expect([made.statusCode, made.json()]).toMatchObject([
    402,
    { code: 'organization_restricted', message: reason },
  ])
})

test('SQL runs read only, whatever it says, and why is told', async () => {
  expect((await meta('POST', '/query', { query: 'select id from notes' })).json()).toEqual([
    { id: 1 },
  ])
  for (const query of [
    'insert into notes values (3)',
    'set default_transaction_read_only = off; set session characteristics as transaction read write; insert into notes values (3)',
    'reset role; insert into notes values (3)',
    'drop table notes',
  ]) {
    const refused = await meta('POST', '/query', { query })
    expect(refused.json(), query).toMatchObject({ hint: reason })
    const id = '6f1e2d3c-4b5a-4978-8a6b-5c4d3e2f1a0b'
    const lines = (await meta('POST', '/query/run', { query, id })).body.trim().split('\n')
    const events = lines.filter(Boolean).map((line) => JSON.parse(line) as RunEvent)
    expect(
      events.find(({ type }) => type === 'error'),
      query,
    ).toMatchObject({ error: { hint: reason } })
  }
  expect(await count()).toBe(1)
})

test('once it has paid, everything goes again', async () => {
  plane.directory.put(plane.project)
  expect((await call('POST', '/rest/v1/notes', { id: 2 })).status).toBe(201)
  expect((await meta('POST', '/query', { query: 'insert into notes values (3)' })).statusCode).toBe(
    200,
  )
  expect(await count()).toBe(3)
})

describe('beyond a quota', () => {
  const message = errors.quota_exceeded.message
  beforeAll(async () => {
    await plane.sql('truncate notes; insert into notes values (1), (2), (3)')
    await plane.sql(
      'create table guarded (id int primary key); insert into guarded values (1), (2), (3)',
    )
    // As the server of a restricted project is told.
    await isReadOnly('on')
    plane.directory.put({ ...plane.project, restricted: true, mayDelete: true })
  })
  /** Of sessions that begin from now on. */
  const isReadOnly = (value: 'on' | 'off') =>
    plane.sql(
      `alter database "${plane.project.database.name}" set default_transaction_read_only = ${value}`,
    )

  test.each([
    ['POST', '/rest/v1/notes', { id: 9 }],
    ['PATCH', '/rest/v1/notes?id=eq.1', { id: 9 }],
    ['PUT', '/rest/v1/notes?id=eq.1', { id: 1 }],
    ['POST', '/rest/v1/rpc/add_note', {}],
    ['POST', '/auth/v1/signup', { email: 'a@example.com', password: 'a long password 1' }],
    ['PUT', '/auth/v1/user', { data: {} }],
  ] as const)('%s %s is refused with the reason', async (method, path, body) => {
    const response = await call(method, path, body)
    expect(response.status).toBe(402)
    expect(await response.json()).toMatchObject({ code: 'quota_exceeded', message })
  })

  test('rows are read and deleted, though the server is read only', async () => {
    expect(await (await call('GET', '/rest/v1/notes?select=id&order=id')).json()).toHaveLength(3)
    expect((await call('DELETE', '/rest/v1/notes?id=eq.3')).status).toBe(204)
    expect(await count()).toBe(2)
  })

  describe('by GraphQL', () => {
    const graphql = async (body: object) => {
      const response = await call('POST', '/graphql/v1', body)
      // Both ways of answering are objects of JSON.
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const ids = async () =>
      (await plane.sql('select id from things order by id')).map(({ id }) => id)
    const remove = (id: number) =>
      `deleteFromthingsCollection(filter: {id: {eq: ${id}}}) { affectedCount }`
    const insert = 'insertIntothingsCollection(objects: [{id: 20}]) { affectedCount }'
    const update = `updatethingsCollection(set: {note: "new"}, filter: {id: {eq: 1}}) { affectedCount }`

    test.each([
      ['an insertion', `mutation { ${insert} }`],
      ['a change', `mutation { ${update} }`],
      ['a deletion and then a change', `mutation { ${remove(1)} ${update} }`],
      ['an insertion that is called one', `mutation { deleteFromthingsCollection: ${insert} }`],
      ['a function that is named like one', 'mutation { deleteFromOthersCollection }'],
      [
        'an insertion in a fragment',
        `mutation { ${remove(1)} ...more } fragment more on Mutation { ... on Mutation { ${insert} } }`,
      ],
      [
        'an insertion on a condition',
        `mutation ($yes: Boolean = true) { ${remove(1)} a: ${insert.replace(' {', ' @include(if: $yes) {')} }`,
      ],
    ])('%s is refused, and nothing of it happens', async (_, query) => {
      const before = await ids()
      expect(await graphql({ query })).toMatchObject({
        status: 402,
        body: { errors: [{ message, extensions: { code: 'quota_exceeded' } }] },
      })
      expect(await ids()).toEqual(before)
    })

    test('the one of several operations that is asked for decides', async () => {
      const query = `mutation gone { ${remove(2)} } mutation made { ${insert} }`
      expect(await graphql({ query, operationName: 'made' })).toMatchObject({ status: 402 })
      expect(await graphql({ query, operationName: 'gone' })).toMatchObject({
        status: 200,
        body: { data: { deleteFromthingsCollection: { affectedCount: 1 } } },
      })
      expect(await ids()).not.toContain(2)
    })

    test('what only deletes is done, by whatever name and fragment', async () => {
      const query = `mutation ($no: Boolean = false) {
        a: ${remove(3)}
        ...more
        ${insert.replace(' {', ' @include(if: $no) {')}
      } fragment more on Mutation { b: ${remove(4)} __typename }`
      expect(await graphql({ query })).toMatchObject({
        status: 200,
        body: {
          data: { a: { affectedCount: 1 }, b: { affectedCount: 1 }, __typename: 'Mutation' },
        },
      })
      expect(await ids()).toEqual([1, 5, 6, 7, 8, 9])
    })

    test('who owes deletes nothing', async () => {
      plane.directory.put({ ...plane.project, restricted: true })
      onTestFinished(() =>
        plane.directory.put({ ...plane.project, restricted: true, mayDelete: true }),
      )
      const { status, body } = await graphql({ query: `mutation { ${remove(5)} }` })
      expect([status, body]).toMatchObject([
        402,
        { errors: [{ extensions: { code: 'organization_restricted' } }] },
      ])
      expect(await ids()).toContain(5)
    })
  })

  test('users are deleted, and not made', async () => {
    const [user] = await plane.sql(
      "insert into auth.users (id, email) values (gen_random_uuid(), 'gone@example.com') returning id",
    )
    const of = async () =>
      (await plane.sql("select 1 from auth.users where email = 'gone@example.com'")).length
    expect(await of()).toBe(1)
    const made = await call('POST', '/auth/v1/admin/users', { email: 'b@example.com' })
    expect(made.status).toBe(402)
    expect((await call('DELETE', `/auth/v1/admin/users/${String(user?.['id'])}`)).status).toBe(200)
    expect(await of()).toBe(0)
  })

  test('the table editor deletes, and changes nothing else', async () => {
    const [entity] = await plane.sql("select 'guarded'::regclass::oid::int as id")
    const at = `/entities/${String(entity?.['id'])}`
    const deletion = (id: number) => ({ kind: 'delete', key: { id: String(id) } })
    const key = await meta('POST', `${at}/rows`, {})
    expect(key.statusCode).toBe(200)
    const bulk = await meta('POST', `${at}/remove`, {
      filters: [{ column: 'id', operator: '=', value: '3' }],
      max: 5,
    })
    expect([bulk.statusCode, bulk.json()]).toMatchObject([200, { removed: 1 }])
    const insertion = { kind: 'insert', values: { id: '9' } }
    const mixed = await meta('POST', `${at}/apply`, { changes: [insertion, deletion(1)] })
    expect(mixed.json()).toMatchObject({ code: 'quota_exceeded' })
    const one = await meta('POST', `${at}/apply`, { changes: [deletion(1)] })
    expect(one.statusCode).toBe(200)
    expect(await plane.sql('select id from guarded')).toEqual([{ id: 2 }])
  })

  test('SQL is read only and says why, until somebody has asked for a while to delete', async () => {
    const insert = { query: 'insert into notes values (7)' }
    expect((await meta('POST', '/query', insert)).json()).toMatchObject({ hint: message })
    const restricted = { ...plane.project, restricted: true, mayDelete: true }
    plane.directory.put({ ...restricted, writableUntil: new Date(0).toISOString() })
    expect((await meta('POST', '/query', insert)).json()).toMatchObject({ hint: message })
    await isReadOnly('off')
    plane.directory.put({ ...restricted, writableUntil: '9999-01-01T00:00:00.000Z' })
    const remove = { query: 'delete from notes where id = 1' }
    expect((await meta('POST', '/query', remove)).statusCode).toBe(200)
    // The services of the project go on as before.
    expect((await call('POST', '/rest/v1/notes', { id: 8 })).status).toBe(402)
  })
})
