import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attacks, startHostileDatabase, type HostileDatabase } from '#kit/testing/hostile-database'
import { startDataPlane, testRef, type TestDataPlane } from './testing/data-plane.ts'

const internalToken = 'a token that only our own programs know'
const word = 'attack_now'

let plane: TestDataPlane
let database: HostileDatabase

beforeAll(async () => {
  plane = await startDataPlane(
    `create table books (id int primary key, title text);
     grant select on books to anon`,
  )
  database = await startHostileDatabase(plane.database, word)
  const at = { ...plane.project.database, host: '127.0.0.1', port: database.port }
  plane.directory.put({ ...plane.project, database: at })
})
afterAll(async () => {
  await plane.close()
  await database.close()
})

type Expected = { status: number; text: string }
type Path = {
  ask(word: string): Promise<Response>
  calm: number
  tooLarge: Expected
  broken: Expected
}

const post = (path: string, body: object, headers: Record<string, string>) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
const asOwner = { authorization: `Bearer ${internalToken}`, 'x-plinth-login': 'postgres' }
const metaUrl = (path: string) => `${new URL(plane.url).origin}/internal/pg-meta/${testRef}/${path}`
const key = (role: 'anonKey' | 'serviceKey') => ({
  apikey: plane.project[role],
  authorization: `Bearer ${plane.project[role]}`,
})

const paths: Record<string, Path> = {
  'a query of the dashboard': {
    ask: (word) => post(metaUrl('query'), { query: `select '${word}' as said` }, asOwner),
    calm: 200,
    tooLarge: { status: 400, text: '"code":"RESULT_SIZE_EXCEEDED"' },
    broken: { status: 503, text: '"code":"project_unreachable"' },
  },
  'a run of the SQL editor': {
    ask: (word) =>
      post(
        metaUrl('query/run'),
        { id: crypto.randomUUID(), query: `select '${word}' as said` },
        asOwner,
      ),
    calm: 200,
    // Values of any size are cut as they pass, and rows without end are not kept.
    tooLarge: { status: 200, text: '"type":"rows"' },
    broken: { status: 200, text: '"code":"08006"' },
  },
  'the data API': {
    ask: (word) =>
      fetch(`${plane.url}/rest/v1/books?title=eq.${word}`, { headers: key('anonKey') }),
    calm: 200,
    tooLarge: { status: 400, text: '"code":"54000"' },
    broken: { status: 503, text: '"code":"PGRST001"' },
  },
  GraphQL: {
    ask: (word) =>
      post(
        `${plane.url}/graphql/v1`,
        {
          query: `{ booksCollection(filter: {title: {eq: "${word}"}}) { edges { node { id } } } }`,
        },
        key('anonKey'),
      ),
    calm: 200,
    // Beside what the other fields of the answer say.
    tooLarge: { status: 200, text: '"code":"54000"' },
    broken: { status: 503, text: 'PGRST001' },
  },
  storage: {
    ask: (word) => fetch(`${plane.url}/storage/v1/bucket/${word}`, { headers: key('serviceKey') }),
    calm: 400,
    tooLarge: { status: 400, text: 'InvalidRequest' },
    broken: { status: 503, text: 'DatabaseUnavailable' },
  },
  'signing in': {
    ask: (word) =>
      post(
        `${plane.url}/auth/v1/token?grant_type=password`,
        { email: `${word}@example.com`, password: 'Str0ng-enough!' },
        key('anonKey'),
      ),
    calm: 400,
    tooLarge: { status: 400, text: 'validation_failed' },
    broken: { status: 503, text: '' },
  },
}

describe.each(Object.entries(paths))('%s', (name, { ask, calm, tooLarge, broken }) => {
  const isStream = name === 'a run of the SQL editor'
  const all = [
    ...(isStream ? [] : Object.entries(attacks.tooLarge)).map((one) => [...one, tooLarge] as const),
    ...Object.entries(attacks.broken).map((one) => [...one, broken] as const),
  ]
  test.each(all)('%s', async (_, attack, expected) => {
    database.attackWith(attack)
    const answer = await ask(word)
    const text = await answer.text()
    expect(text).toContain(expected.text)
    expect(answer.status).toBe(expected.status)
    database.attackWith(undefined)
    expect((await ask(word)).status).toBe(calm)
  })
})

test.each([
  'a kind that does not exist',
  'a length of nothing',
  'a length below nothing',
  'an error without an end',
  'nothing at all',
  'a reset',
])('an export: %s', async (name) => {
  const [books] = await plane.sql("select 'books'::regclass::oid::int as id")
  const ask = () =>
    post(
      metaUrl(`entities/${Number(books?.['id'])}/export`),
      { format: 'csv', filters: [{ column: 'title', operator: '=', value: word }], sort: [] },
      asOwner,
    )
  database.attackWith(attacks.broken[name])
  const answer = await ask()
  expect(await answer.text()).toContain('"code":"project_unreachable"')
  expect(answer.status).toBe(503)
  database.attackWith(undefined)
  expect(await (await ask()).text()).toBe('id,title\n')
})

test('a value that is nested more deeply than it can be written is refused', async () => {
  const nested = "select (repeat('[', 5000) || repeat(']', 5000))::json as deep"
  const answer = await post(metaUrl('query'), { query: nested }, asOwner)
  expect(await answer.json()).toMatchObject({
    code: 'RESULT_SIZE_EXCEEDED',
    message: 'A value of the result is nested too deeply',
  })
  expect(answer.status).toBe(400)
})

test('a real value that is too large is refused, and its connection is not used again', async () => {
  const ask = (bytes: number) =>
    post(metaUrl('query'), { query: `select repeat('x', ${bytes}) as text` }, asOwner)
  expect(await (await ask(70_000_000)).json()).toMatchObject({
    code: 'RESULT_SIZE_EXCEEDED',
    message: 'A value is larger than 64 MiB',
  })
  expect(await (await ask(3)).json()).toEqual([{ text: 'xxx' }])
})
