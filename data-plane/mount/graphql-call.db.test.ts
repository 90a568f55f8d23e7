import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'

const ada = '11111111-1111-4111-8111-111111111111'
let plane: TestDataPlane
beforeAll(async () => {
  plane = await startDataPlane(`
    create table notes (id int primary key, owner uuid not null default auth.uid(), text text);
    alter table notes enable row level security;
    create policy own on notes for all to authenticated using (owner = auth.uid());
    grant select, insert on notes to authenticated, service_role;
    insert into notes values (1, '${ada}', 'a'), (2, gen_random_uuid(), 'b');
    create function graphql(query text) returns text language sql as $$ select 'mine: ' || query $$;
  `)
})
afterAll(() => plane.close())

const clientOf = (key: string, bearer?: string) =>
  createClient(plane.url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    // The types of ws and of the DOM differ in parts that are not used here.
    realtime: { transport: WebSocket as never },
    ...(bearer ? { accessToken: () => Promise.resolve(bearer) } : {}),
  })
const userOf = (sub: string) =>
  clientOf(plane.project.anonKey, plane.token({ role: 'authenticated', sub }))

const profile = { 'content-profile': 'graphql_public' }
async function post(body: unknown, headers: Record<string, string> = profile, query = '') {
  const response = await fetch(`${plane.url}/rest/v1/rpc/graphql${query}`, {
    method: 'POST',
    headers: { apikey: plane.project.serviceKey, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const { status } = response
  return { status, headers: response.headers, json: (await response.json()) as unknown }
}
const query = '{ notesCollection { edges { node { id } } } }'
const found = (...ids: number[]) => ({
  data: { notesCollection: { edges: ids.map((id) => ({ node: { id } })) } },
})

test('what is no call of the function is refused as by the database', async () => {
  expect(await post({ query, wrong: 1 })).toMatchObject({
    status: 404,
    json: { code: 'PGRST202' },
  })
  expect(await post('{')).toMatchObject({ status: 400, json: { code: 'PGRST102' } })
  expect(await post([query])).toMatchObject({ status: 400, json: { code: 'PGRST102' } })
  expect(await post({ query }, { ...profile, accept: 'image/png' })).toMatchObject({ status: 406 })
  expect(
    await post({ query }, { ...profile, authorization: 'Bearer no.token.here' }),
  ).toMatchObject({
    status: 401,
  })
  expect(await post({ query: 'x'.repeat(4 * 1024 * 1024) })).toMatchObject({ status: 413 })
  expect(await post({ query, variables: { deep: JSON.parse('['.repeat(200) + ']'.repeat(200)) } }))
    // Nested deeper than a request may be.
    .toMatchObject({ status: 400, json: { code: 'PGRST102' } })
})

test('what is wrong with a document comes as errors of GraphQL', async () => {
  for (const body of [{}, { query: '{' }, { query: '{ none }' }, { query, variables: [] }]) {
    const { status, json } = await post(body)
    expect(status).toBe(200)
    expect(json).toMatchObject({ errors: [{ message: expect.any(String) }] })
  }
})

test('each caller sees through the client what their policies allow', async () => {
  const call = async (client: ReturnType<typeof clientOf>) =>
    client.schema('graphql_public').rpc('graphql', { query })
  expect((await call(userOf(ada))).data).toEqual(found(1))
  expect((await call(clientOf(plane.project.serviceKey))).data).toEqual(found(1, 2))
  expect((await call(clientOf(plane.project.anonKey))).data).toEqual(found())
})

test('variables, a named operation and a change, as one transaction of the caller', async () => {
  const client = userOf(ada).schema('graphql_public')
  const document = `
    query One($id: Int!) { notesCollection(filter: { id: { eq: $id } }) { edges { node { id } } } }
    mutation Add($text: String!) {
      insertIntonotesCollection(objects: [{ id: 3, text: $text }]) { records { id text } }
    }`
  const one = await client.rpc('graphql', {
    query: document,
    operationName: 'One',
    variables: { id: 1 },
    extensions: {},
  })
  expect(one).toMatchObject({ error: null, data: found(1) })
  const added = await client.rpc('graphql', {
    query: document,
    operationName: 'Add',
    variables: { text: 'c' },
  })
  expect(added.data).toEqual({
    data: { insertIntonotesCollection: { records: [{ id: 3, text: 'c' }] } },
  })
  expect(await plane.sql('select owner from notes where id = 3')).toEqual([{ owner: ada }])
})

test('a GET reads and changes nothing', async () => {
  const client = clientOf(plane.project.serviceKey).schema('graphql_public')
  const read = await client.rpc(
    'graphql',
    {
      query:
        'query ($id: Int!) { notesCollection(filter: { id: { eq: $id } }) { edges { node { id } } } }',
      variables: JSON.stringify({ id: 2 }),
    },
    { get: true },
  )
  expect(read.data).toEqual(found(2))
  const change = 'mutation { insertIntonotesCollection(objects: [{ id: 9 }]) { affectedCount } }'
  expect((await client.rpc('graphql', { query: change }, { get: true })).status).toBe(405)
  expect(await plane.sql('select id from notes where id = 9')).toEqual([])
})

test('a function of the same name in another schema is the customer’s own', async () => {
  expect(await post({ query: 'x' }, {})).toMatchObject({ status: 200, json: 'mine: x' })
})

test('the answer has the form of one that the database makes', async () => {
  const { headers } = await post(
    { query },
    { ...profile, accept: 'application/vnd.pgrst.object+json', prefer: 'count=exact' },
  )
  expect(headers.get('content-type')).toBe('application/vnd.pgrst.object+json; charset=utf-8')
  expect(headers.get('content-range')).toBe('0-0/1')
  expect(headers.get('content-profile')).toBe('graphql_public')
})

test('a project that does not expose graphql_public has no such function', async () => {
  await plane.sql(`alter role authenticator set pgrst.db_schemas = 'public'; notify pgrst`)
  try {
    await expect.poll(() => post({ query })).toMatchObject({ status: 406 })
  } finally {
    await plane.sql('alter role authenticator reset pgrst.db_schemas; notify pgrst')
  }
  await expect.poll(() => post({ query })).toMatchObject({ status: 200 })
})

test('in SQL it answers with an error of GraphQL that says where GraphQL is answered', async () => {
  const [row] = await plane.sql(`select graphql_public.graphql(query => '{ a }') as answer`)
  expect(row).toEqual({
    answer: { data: null, errors: [{ message: expect.stringContaining('/graphql/v1') }] },
  })
  // Their own objects of the same names bend nothing.
  await plane.sql(`
    create function public.jsonb_build_object(text, text, text, jsonb) returns jsonb language sql as 'select ''{}''::jsonb';
    set search_path = public, pg_catalog`)
  const [again] = await plane.sql(`select graphql_public.graphql(query => '{ a }') as answer`)
  expect(again).toEqual(row)
  for (const change of [
    'drop function graphql_public.graphql',
    'drop schema graphql_public cascade',
    'create function graphql_public.graphql(text) returns int language sql as $$ select 1 $$',
    'create or replace function graphql_public.graphql("operationName" text default null, query text default null, variables jsonb default null, extensions jsonb default null) returns jsonb language sql as $$ select \'{}\'::jsonb $$',
  ])
    await expect(plane.sql(change)).rejects.toThrow(/must be owner|permission denied/)
})
