import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchLoop } from '#kit/testing/loop-watch'
import { csvBombs, formBombs, graphqlBombs, jsonBombs, send } from './testing/bombs.ts'
import { startDataPlane, testRef, type TestDataPlane } from './testing/data-plane.ts'

/** Everybody's requests go through one loop: nothing that somebody sends may hold it for long. Milliseconds. */
const longest = 100
const megabyte = 1024 * 1024

let plane: TestDataPlane
let loop: ReturnType<typeof watchLoop>
beforeAll(async () => {
  plane = await startDataPlane(`
    create table things (id int primary key, name text);
    create table documents (content jsonb);
    create function of_json(json) returns int language sql immutable return 1;
    create function named(id int) returns int language sql immutable return 1;
    insert into things values (1, 'one');
    grant all on things, documents to anon, authenticated, service_role;
  `)
  loop = watchLoop()
  await warmUp()
})
afterAll(async () => {
  loop.stop()
  await plane.close()
})

type As = 'anon' | 'service_role' | 'ours'
function headersOf(as: As, type: string): Record<string, string> {
  const key = as === 'service_role' ? plane.project.serviceKey : plane.project.anonKey
  const token = as === 'ours' ? 'a token that only our own programs know' : key
  return {
    apikey: key,
    authorization: `Bearer ${token}`,
    'content-type': type,
    ...(as === 'ours' ? { 'x-plinth-login': 'postgres' } : {}),
  }
}

const origin = () => plane.url.slice(0, -testRef.length - 1)
const at = (path: string) => (path.startsWith('/internal') ? origin() + path : plane.url + path)

/** Answered with a success or a refusal of the client, and nobody waited for it. */
async function expectHarmless(as: As, path: string, type: string, body: string, method?: string) {
  const bytes = Buffer.from(body)
  const { result: reply, held } = await loop.duringRequest(
    () => send(at(path), headersOf(as, type), bytes, method),
    longest,
  )
  expect(reply.status, reply.text.slice(0, 300)).toBeLessThan(500)
  expect(held, `${reply.status} ${reply.text.slice(0, 100)}`).toBeLessThan(longest)
  return reply
}

/** What is read, compiled and connected at first use is no bomb. */
async function warmUp(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    for (const [path, type, body] of everywhere) {
      await send(
        at(path),
        headersOf(path.startsWith('/internal') ? 'ours' : 'anon', type),
        Buffer.from(body),
      )
    }
  }
}

const json = 'application/json'
const meta = `/internal/pg-meta/${testRef}`
const everywhere: [path: string, type: string, body: string][] = [
  ['/rest/v1/things', json, '[{"id":1},{"id":2}]'],
  ['/rest/v1/rpc/of_json', json, '[1]'],
  ['/graphql/v1', json, '{"query":"{ __schema { types { name } } }"}'],
  ['/graphql/v1', json, '{"query":"{ thingsCollection { edges { node { id } } } }"}'],
  ['/auth/v1/token?grant_type=password', json, '{"email":"a@example.com","password":"x"}'],
  ['/auth/v1/otp', json, '{}'],
  ['/storage/v1/object/list/a', json, '{"prefix":""}'],
  ['/realtime/v1/api/broadcast', json, '{"messages":[{"topic":"a","event":"b","payload":{}}]}'],
  [`${meta}/query`, json, '{"query":"select 1"}'],
]

describe.each(['anon', 'service_role'] as const)('the data API, as %s', (as) => {
  const bytes = as === 'anon' ? megabyte - 100_000 : 24 * megabyte
  const bombs = jsonBombs(bytes)
  test.each(Object.entries(bombs))('JSON: %s', async (_, body) => {
    await expectHarmless(as, '/rest/v1/things', json, body)
  })
  test.each(['many keys', 'rows of the same key', 'numbers'])(
    'JSON of a function: %s',
    async (name) => {
      await expectHarmless(as, '/rest/v1/rpc/of_json', json, bombs[name] ?? '')
      await expectHarmless(as, '/rest/v1/rpc/named', json, bombs[name] ?? '')
    },
  )
  test.each(Object.entries(csvBombs(bytes)))('CSV: %s', async (_, body) => {
    await expectHarmless(as, '/rest/v1/things', 'text/csv', body)
  })
  test.each(Object.entries(formBombs(bytes)))('a form: %s', async (_, body) => {
    const form = 'application/x-www-form-urlencoded'
    await expectHarmless(as, '/rest/v1/things', form, body)
    await expectHarmless(as, '/rest/v1/rpc/named', form, body)
  })
})

test('who shows no more than the public key sends a megabyte at most', async () => {
  const body = JSON.stringify({ id: 2, name: 'x'.repeat(megabyte) })
  const refused = await expectHarmless('anon', '/rest/v1/things', json, body)
  expect(refused).toMatchObject({ status: 413 })
  expect(JSON.parse(refused.text)).toMatchObject({ code: 'PGRST102' })
  expect(await expectHarmless('service_role', '/rest/v1/things', json, body)).toMatchObject({
    status: 201,
  })
})

const services: [path: string, bytes: number, method?: string][] = [
  ['/auth/v1/token?grant_type=password', megabyte],
  ['/auth/v1/signup', megabyte],
  ['/auth/v1/otp', megabyte],
  ['/auth/v1/verify', megabyte],
  ['/graphql/v1', 4 * megabyte],
  ['/storage/v1/object/list/a', megabyte],
  ['/storage/v1/object/a', megabyte, 'DELETE'],
  ['/storage/v1/bucket', megabyte],
  ['/realtime/v1/api/broadcast', 3 * megabyte],
  ['/realtime/v1/api/broadcast/a/events/b', 3 * megabyte],
  [`${meta}/query`, megabyte],
  [`/internal/graphql/${testRef}`, 4 * megabyte],
]
describe.each(services)('%s', (path, bytes, method) => {
  const as = path.startsWith('/internal') ? 'ours' : 'anon'
  test.each(Object.entries(jsonBombs(bytes - 4096)))('%s', async (_, body) => {
    await expectHarmless(as, path, json, body, method)
    await expectHarmless(
      as,
      path,
      json,
      `{"data":${body},"query":"select 1","messages":[]}`,
      method,
    )
  })
})

describe('GraphQL', () => {
  test.each(Object.entries(graphqlBombs))('%s', async (_, query) => {
    await expectHarmless('anon', '/graphql/v1', json, JSON.stringify({ query }))
  })
  test.each(Object.entries(jsonBombs(megabyte)))('variables: %s', async (_, value) => {
    const query =
      'query ($a: thingsFilter) { thingsCollection(filter: $a) { edges { node { id } } } }'
    const body = `{"query":${JSON.stringify(query)},"variables":{"a":${value}}}`
    await expectHarmless('anon', '/graphql/v1', json, body)
  })
})

describe('addresses', () => {
  const address = 15_000
  test.each([
    ['conditions inside each other', `and=${'(and'.repeat(address / 4)}`],
    ['embeds inside each other', `select=${'a('.repeat(address / 2)}`],
    ['many columns', `select=${'id,'.repeat(address / 3)}id`],
    ['many conditions', 'id=eq.1&'.repeat(address / 8)],
    ['many orders', `order=${'id,'.repeat(address / 3)}id`],
    ['a long list', `id=in.(${'1,'.repeat(address / 2)}1)`],
    ['steps into JSON', `name${'->a'.repeat(address / 3)}=eq.1`],
    ['quotes', `name=in.(${'%22'.repeat(address / 3)})`],
  ])('%s', async (_, query) => {
    await expectHarmless('anon', `/rest/v1/things?${query}`, json, '', 'GET')
  })
})
