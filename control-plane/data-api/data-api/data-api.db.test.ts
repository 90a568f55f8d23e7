import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dataApiDefaults } from '#contract/data-api/data-api'
import { newTablesGranted } from '#kit/testing/new-tables'
import { startWorld, type World } from '../../testing/world.ts'

let world: World
let url: string
let v1: string

beforeAll(async () => {
  world = await startWorld(`${newTablesGranted}
    create table books (id int primary key);
    insert into books select generate_series(1, 30);
    create schema app;
    create table app.films (id int primary key);
    insert into app.films values (1);
    create function app.twice(n int) returns int language sql as 'select n * 2';
    create function public.four() returns int language plpgsql as 'begin return twice(2); end';
    grant usage on schema app to anon;
    grant select on all tables in schema public, app to anon`)
  url = `/platform/projects/${world.ref}/config/postgrest`
  v1 = `/v1/projects/${world.ref}/postgrest`
})
afterAll(() => world.end())
beforeEach(async () => {
  const all = {
    db_schema: null,
    db_extra_search_path: null,
    max_rows: null,
    db_pool: null,
    new_tables: null,
    rate_limit: null,
  }
  expect(await set(all)).toMatchObject({ status: 200, body: { ...dataApiDefaults, db_pool: null } })
})

const set = (changes: object, who = world.ada) => who.call('PATCH', url, changes)

async function rest(path: string, headers: Record<string, string> = {}) {
  const { url: project, anonKey } = world.project
  const response = await fetch(`${project}/rest/v1/${path}`, {
    headers: { apikey: anonKey, ...headers },
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

test.each([
  [{ max_rows: 0 }, 'max_rows'],
  [{ max_rows: 1_000_001 }, 'max_rows'],
  [{ max_rows: 'many' }, 'max_rows'],
  [{ db_pool: -1 }, 'db_pool'],
  [{ db_pool: 1000 }, 'db_pool: the database takes'],
  [{ rate_limit: 0 }, 'rate_limit'],
  [{ new_tables: 'public' }, 'new_tables'],
  [{ db_schema: 'public, pg_catalog' }, 'pg_catalog'],
  [{ db_schema: 'public, nowhere' }, 'db_schema: there is no schema "nowhere"'],
  [{ db_schema: 'x'.repeat(64) }, 'db_schema'],
  [{ db_extra_search_path: 'a\nb' }, 'db_extra_search_path'],
])('%j is refused', async (changes, words) => {
  for (const path of [url, v1]) {
    const refused = await world.ada.call('PATCH', path, changes)
    expect(refused.status).toBe(400)
    expect(refused.body['message']).toContain(words)
  }
})

test('members read it, owners and administrators change it, strangers know nothing of it', async () => {
  for (const path of [url, v1]) {
    expect((await world.stranger.call('GET', path)).status).toBe(404)
    expect((await world.stranger.call('PATCH', path, { max_rows: 5 })).status).toBe(404)
    for (const role of ['Developer', 'Read-only'] as const) {
      expect((await world.as(role).call('PATCH', path, { max_rows: 5 })).status).toBe(403)
    }
    expect((await world.as('Read-only').call('GET', path)).body).not.toHaveProperty('jwt_secret')
    expect(typeof (await world.ada.call('GET', path)).body['jwt_secret']).toBe('string')
    expect((await world.as('Administrator').call('PATCH', path, { max_rows: 7 })).status).toBe(200)
  }
  expect((await world.as('Read-only').call('GET', url)).body).toEqual({
    ...dataApiDefaults,
    max_rows: 7,
    db_pool: null,
    rate_limit: null,
    db_anon_role: 'anon',
    role_claim_key: '.role',
  })
})

test('a schema is reached from the moment in which it is exposed, and no longer than that', async () => {
  const inApp = { 'accept-profile': 'app' }
  expect(await rest('films', inApp)).toMatchObject({ status: 406, body: { code: 'PGRST106' } })
  await set({ db_schema: 'public,app , app' })
  const { body } = await world.ada.call('GET', `/platform/projects/${world.ref}/settings`)
  expect(body['app_config']).toMatchObject({ db_schema: 'public, app' })
  expect(await rest('films', inApp)).toEqual({ status: 200, body: [{ id: 1 }] })
  expect((await world.ada.call('GET', v1)).body['db_schema']).toBe('public, app')
  await set({ db_schema: 'app' })
  await expect.poll(() => rest('films')).toEqual({ status: 200, body: [{ id: 1 }] })
  expect((await rest('books')).status).toBe(404)
  expect((await rest('books', { 'accept-profile': 'public' })).status).toBe(406)
  await set({ db_schema: '' })
  await expect.poll(() => rest('films')).toMatchObject({ status: 406 })
  const graphql = await fetch(`${world.project.url}/graphql/v1`, {
    method: 'POST',
    headers: { apikey: world.project.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  })
  expect(graphql.status).toBe(406)
})

test('rows, search path and connections hold at once, beyond what is usual too', async () => {
  await set({ max_rows: 3, db_pool: 1 })
  await expect.poll(async () => (await rest('books')).body).toHaveLength(3)
  await set({ max_rows: 5000 })
  await world.sql('insert into books select generate_series(31, 1500)')
  await expect.poll(async () => (await rest('books')).body).toHaveLength(1500)
  const many = await Promise.all(Array.from({ length: 20 }, () => rest('books?limit=1')))
  expect(many.every(({ status }) => status === 200)).toBe(true)
  const [sessions] = await world.sql(
    "select count(*) from pg_stat_activity where usename = 'authenticator_anon'",
  )
  expect(sessions).toEqual({ count: 1 })
  expect((await rest('rpc/four')).status).toBe(404)
  await set({ db_extra_search_path: 'public, app' })
  await expect.poll(() => rest('rpc/four')).toEqual({ status: 200, body: 4 })
})

test('a caller who asks too often has to wait, until the limit is taken back', async () => {
  await set({ rate_limit: 2 })
  const statuses = async () => {
    const answers = await Promise.all([1, 2, 3].map(() => rest('books?limit=1')))
    return answers.map(({ status }) => status).toSorted((a, b) => a - b)
  }
  await expect.poll(statuses).toContain(429)
  expect((await world.ada.call('GET', v1)).body).toMatchObject({ rate_limit: 2 })
  await set({ rate_limit: null })
  await expect.poll(statuses).toEqual([200, 200, 200])
})

test('what is said with SQL is the same setting', async () => {
  await world.sql(`
    alter role authenticator set pgrst.db_max_rows = '2';
    alter role authenticator in database postgres set pgrst.db_schemas = 'app';
    notify pgrst, 'reload config'`)
  await expect.poll(() => rest('films')).toEqual({ status: 200, body: [{ id: 1 }] })
  expect((await world.ada.call('GET', v1)).body).toMatchObject({ db_schema: 'app', max_rows: 2 })
  await set({ db_schema: 'public', max_rows: 4 })
  await expect.poll(async () => (await rest('books')).body).toHaveLength(4)
  // A setting that cannot be used leaves what is usual.
  await world.sql(`alter role authenticator set pgrst.db_schemas = 'pg_catalog'; notify pgrst`)
  await expect.poll(() => rest('films', { 'accept-profile': 'app' })).toMatchObject({ status: 406 })
  expect((await rest('books?limit=1')).status).toBe(200)
})

test('a change is written down with what was and what is', async () => {
  await set({ max_rows: 9 })
  const entry = await world.control.db
    .selectFrom('platform.audit_entries')
    .select('change')
    .where('action', '=', 'dataApi.update')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(entry.change).toMatchObject({ before: { max_rows: 1000 }, after: { max_rows: 9 } })
})

test('two who change different settings at once both have their way', async () => {
  const answers = await Promise.all([set({ max_rows: 11 }), set({ db_pool: 3 })])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await world.ada.call('GET', url)).body).toMatchObject({ max_rows: 11, db_pool: 3 })
})

test('an owner who holds up changes of their project holds up nobody else', async () => {
  const held = world.sql(`
    begin;
    alter role authenticator set pgrst.db_max_rows = 5;
    select pg_sleep(60);
    rollback`)
  const isCancelled = expect(held).rejects.toThrow('57014')
  const isHeld = async () =>
    (
      await world.sql(
        `select from pg_stat_activity where query ~ 'pg_sleep\\(60' and wait_event = 'PgSleep'`,
      )
    ).length
  await expect.poll(isHeld).toBe(1)
  // More than the platform database has connections for.
  const changes = Array.from({ length: 40 }, (_, i) => set({ max_rows: 100 + i }))
  const others = await Promise.all(
    Array.from({ length: 10 }, () => world.stranger.call('GET', '/platform/organizations')),
  )
  expect(others.map(({ status }) => status)).toEqual(Array(10).fill(200))
  await world.sql(
    `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'`,
  )
  await isCancelled
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(40).fill(200))
})

test('SQL of tools: refusals, rows, and who may only read', async () => {
  const path = `/v1/projects/${world.ref}/database/query`
  const run = (query: unknown, who = world.ada, more = {}) =>
    who.call('POST', path, { query, ...more })
  expect((await run('')).status).toBe(400)
  expect((await run(7)).status).toBe(400)
  expect((await run('select 1', world.stranger)).status).toBe(404)
  expect(await run('selec 1')).toMatchObject({ status: 400 })
  expect((await run('selec 1')).body['message']).toMatch(
    /^Failed to run sql query: ERROR: {2}42601/,
  )
  const insert = 'insert into app.films values (2) returning id'
  for (const [who, more] of [
    [world.as('Read-only'), {}],
    [world.ada, { read_only: true }],
  ] as const)
    expect((await run(insert, who, more)).status).toBe(400)
  expect((await world.ada.call('POST', `${path}/read-only`, { query: insert })).status).toBe(400)
  expect(await run(insert)).toMatchObject({ status: 201, body: [{ id: 2 }] })
  const counted = await run('select count(*) from app.films where id > $1', world.as('Read-only'), {
    parameters: [1],
  })
  expect(counted).toMatchObject({ status: 201, body: [{ count: 1 }] })
})
