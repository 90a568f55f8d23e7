import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { waitUntil } from '#kit/postgres/processes'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Runs statements in one session; the answer is the first column of the last one's first row. */
function ask(role: string, ...statements: string[]): Promise<unknown> {
  return withClient(database.configFor(role), async (client) => {
    let answer: unknown
    for (const sql of statements) {
      const result = await client.query<Record<string, unknown>>(sql)
      // Several statements in one text give a list of results.
      answer = Array.isArray(result) ? undefined : Object.values(result.rows[0] ?? {})[0]
    }
    return answer
  })
}

const uid = '00000000-0000-4000-8000-00000000000a'
const claims = JSON.stringify({ sub: uid, role: 'authenticated', email: 'ada@example.com' })

test.each([
  ['auth.uid()::text', uid],
  ['auth.role()', 'authenticated'],
  ['auth.email()', 'ada@example.com'],
  ['auth.jwt()', JSON.parse(claims)],
])('%s reads the claims of the request, and is null without any', async (call, expected) => {
  const role = 'authenticator_anon'
  expect(await ask(role, `set request.jwt.claims = '${claims}'`, `select ${call}`)).toEqual(
    expected,
  )
  expect(await ask(role, `select ${call}`)).toBeNull()
  expect(await ask(role, "set request.jwt.claims = ''", `select ${call}`)).toBeNull()
})

test('the older form of the claims is understood', async () => {
  const set = [`set request.jwt.claim.sub = '${uid}'`, "set request.jwt.claim.role = 'anon'"]
  expect(await ask('authenticator_anon', ...set, 'select auth.uid()::text')).toBe(uid)
  expect(await ask('authenticator_anon', ...set, 'select auth.role()')).toBe('anon')
})

test.each([
  ['a new table', 'create table watched (id int)', 1],
  [
    'two changes in one transaction',
    'begin; create table a1 (); alter table a1 add b int; commit',
    1,
  ],
  ['a grant', 'grant select on watched to anon', 1],
  ['a comment', "comment on table watched is 'now with a comment'", 1],
  ['a new function', 'create function f() returns int language sql as $$ select 1 $$', 1],
  ['a dropped table', 'drop table a1', 1],
  ['a change that is taken back', 'begin; create table a2 (); rollback', 0],
  ['a temporary table', 'create temp table passing (id int); drop table passing', 0],
  ['rows', 'insert into watched values (1)', 0],
])('the data API hears of schema changes: %s', async (_, sql, expected) => {
  await withClient(database.configFor('authenticator'), async (listener) => {
    const heard: (string | undefined)[] = []
    listener.on('notification', ({ payload }) => heard.push(payload))
    await listener.query('listen pgrst')
    await ask('postgres', sql, "notify pgrst, 'end of test'")
    expect(await waitUntil(() => heard.includes('end of test'), 5000)).toBe(true)
    expect(heard.filter((payload) => payload === 'reload schema')).toHaveLength(expected)
  })
})

test.each(['anon', 'authenticated', 'service_role'])(
  '%s reaches what the customer makes',
  async (role) => {
    const suffix = role
    const make = `create table t_${suffix} (id int generated always as identity, v int);
    create function f_${suffix}() returns int language sql as 'select 1'; create sequence s_${suffix}`
    await ask('postgres', make)
    const login = `authenticator_${role}`
    expect(await ask(login, `insert into t_${suffix} (v) values (3) returning v`)).toBe(3)
    expect(await ask(login, `select f_${suffix}()`)).toBe(1)
    expect(await ask(login, `select nextval('s_${suffix}')::int`)).toBe(1)
    await expect(ask(login, `create table mine_${suffix} (id int)`)).rejects.toThrow(
      /permission denied/,
    )
  },
)

test('requests of visitors and users end in time', async () => {
  const timeout = 'show statement_timeout'
  expect(await ask('authenticator_anon', timeout)).toBe('3s')
  expect(await ask('authenticator_authenticated', timeout)).toBe('8s')
  expect(await ask('authenticator_service_role', timeout)).toBe('0')
})

test('extensions work without naming their schema', async () => {
  expect(await ask('postgres', "select crypt('a', gen_salt('bf', 4)) is not null")).toBe(true)
  expect(await ask('postgres', 'select uuid_generate_v4() is not null')).toBe(true)
  expect(await ask('postgres', 'select count(*) > 0 from pg_stat_statements')).toBe(true)
})

test('the customer fills and empties the publication for realtime', async () => {
  await ask(
    'postgres',
    'create table shown ()',
    'alter publication supabase_realtime add table shown',
  )
  const count =
    "select count(*)::int from pg_publication_tables where pubname = 'supabase_realtime'"
  expect(await ask('postgres', count)).toBe(1)
  await ask('postgres', 'alter publication supabase_realtime drop table shown')
  expect(await ask('postgres', count)).toBe(0)
})

test('a service role owns its schema and can enter no other', async () => {
  await ask('supabase_auth_admin', 'create table auth.probe ()', 'drop table auth.probe')
  await ask('supabase_storage_admin', 'create table storage.probe ()', 'drop table storage.probe')
  const foreign = ask('supabase_auth_admin', 'create table storage.probe ()')
  await expect(foreign).rejects.toThrow(/permission denied/)
})
