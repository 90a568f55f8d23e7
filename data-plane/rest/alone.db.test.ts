import { PostgrestClient } from '@supabase/postgrest-js'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { signToken } from '../testing/data-plane.ts'
import { createPlainDatabase, jwtSecret, startAlone } from '../testing/rest/alone.ts'
import type { PlainDatabase, Roles, TestAlone } from '../testing/rest/alone.ts'

let plain: PlainDatabase
let roles: Roles
const running: TestAlone[] = []
beforeAll(async () => {
  plain = await createPlainDatabase(
    ({ anon, user }) => `
    create table books (id int primary key, title text not null, author int);
    insert into books select i, 'Title ' || i, i % 2 from generate_series(1, 5) i;
    grant select on books to ${anon};
    grant all on books to ${user};
    create table secrets (id int);
    grant select on secrets to ${user};
    create schema inventory;
    create table inventory.parts (id int primary key);
    insert into inventory.parts values (7);
    grant usage on schema inventory to ${anon};
    grant select on inventory.parts to ${anon};
    create function who() returns json language sql stable as $$ select json_build_object('user', current_user,
      'session', session_user, 'claims', current_setting('request.jwt.claims', true)::json,
      'setting', current_setting('app.settings.greeting', true), 'path', current_setting('search_path')) $$;
    create function stay() returns text language plpgsql volatile as $$ begin
      perform set_config('role', '${user}', false); return current_user; end $$;
    create schema checks;
    grant usage on schema checks to ${anon}, ${user};
    create function checks.look() returns void language plpgsql as $$ begin
      if current_setting('request.headers')::json->>'x-become' is not null then
        perform set_config('role', '${user}', true); end if;
      if current_setting('request.headers')::json->>'x-forbidden' is not null then
        raise sqlstate 'PT403' using message = 'not today'; end if; end $$;
    create function checks.configure() returns void language sql as
      $$ select set_config('pgrst.db_schemas', 'inventory', true), set_config('pgrst.jwt_aud', 'shop', true) $$;
    create function describe() returns json language sql stable as $$ select '{"swagger":"mine"}'::json $$`,
  )
  ;({ roles } = plain)
})
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
  await plain.sql(['alter role', roles.login, 'reset all'].join(' '))
})
afterAll(() => plain.drop())

async function start(settings: Record<string, string> = {}): Promise<TestAlone> {
  const server = await startAlone(plain, settings)
  running.push(server)
  return server
}

test('who shows no token is the anonymous role, and there is none without the setting', async () => {
  const { ask } = await start()
  expect(await ask('GET /books?id=eq.1')).toMatchObject({
    status: 200,
    json: [{ id: 1, title: 'Title 1', author: 1 }],
  })
  expect(await ask('GET /secrets')).toMatchObject({ status: 401, json: { code: '42501' } })
  expect(await ask('POST /books', { body: { id: 9, title: 'x' } })).toMatchObject({ status: 401 })
  const closed = await start({ 'db-anon-role': '' })
  const refused = await closed.ask('GET /books')
  expect(refused).toMatchObject({ status: 401, json: { code: 'PGRST302' } })
  expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  expect((await closed.ask('GET /books', { as: roles.user })).status).toBe(200)
})

test('a token names the role, which the one login takes for one transaction', async () => {
  const { ask } = await start({ 'db-pool': '1' })
  const who = () => ask('GET /rpc/who', { as: roles.user, claims: { sub: 'ada' } })
  expect((await who()).json).toMatchObject({
    user: roles.user,
    session: roles.login,
    claims: { role: roles.user, sub: 'ada' },
  })
  expect((await ask('GET /rpc/who')).json).toMatchObject({ user: roles.anon })
  expect(await ask('GET /secrets', { as: roles.user })).toMatchObject({ status: 200, json: [] })
  expect(await ask('PATCH /secrets', { as: roles.user, body: { id: 1 } })).toMatchObject({
    status: 403,
    json: { code: '42501' },
  })
})

test('a role that a function keeps for the session is not the next one’s, nor that of the catalogs', async () => {
  const { ask } = await start({ 'db-pool': '1' })
  expect(await ask('POST /rpc/stay', { as: roles.user })).toMatchObject({ json: roles.user })
  expect((await ask('GET /rpc/who')).json).toMatchObject({ user: roles.anon })
  expect((await ask('GET /secrets')).status).toBe(401)
})

test('rows, transactions, plans and settings of the operator', async () => {
  const { ask } = await start({
    'db-max-rows': '2',
    'db-tx-end': 'rollback-allow-override',
    'db-aggregates-enabled': 'true',
    'db-plan-enabled': 'TRUE',
    'server-timing-enabled': '1',
    'app.settings.greeting': 'hello',
  })
  const read = await ask('GET /books')
  expect(read.json).toHaveLength(2)
  expect(read.headers.get('server-timing')).toMatch(/^jwt;dur=/)
  const write = { as: roles.user, body: { id: 50, title: 'x' } }
  expect((await ask('POST /books', write)).status).toBe(201)
  expect((await ask('GET /books?id=eq.50')).json).toEqual([])
  expect((await ask('GET /books?select=id.max()')).json).toEqual([{ max: 5 }])
  expect((await ask('GET /rpc/who')).json).toMatchObject({ setting: 'hello' })
  const plan = { headers: { accept: 'application/vnd.pgrst.plan+json' } }
  expect((await ask('GET /books', plan)).status).toBe(200)
  const plainer = await start()
  expect((await plainer.ask('GET /books')).json).toHaveLength(5)
  // Without a most, guessing is left to the planner.
  await plain.sql('analyze books')
  const guess = await plainer.ask('GET /books?limit=1', { headers: { prefer: 'count=estimated' } })
  expect(guess.headers.get('content-range')).toBe('0-0/5')
  expect((await plainer.ask('GET /books?select=id.max()')).status).toBe(400)
})

test('a function that looks first may refuse, and become another role', async () => {
  const { ask } = await start({ 'db-pre-request': 'checks.look' })
  const headers = { 'x-forbidden': '1' }
  expect(await ask('GET /books', { headers })).toMatchObject({
    status: 403,
    json: { message: 'not today' },
  })
  const became = await ask('GET /rpc/who', { headers: { 'x-become': '1' } })
  expect(became.json).toMatchObject({ user: roles.user })
})

test('two schemas, by profile', async () => {
  const { ask } = await start({ 'db-schemas': 'public, inventory', 'db-extra-search-path': '' })
  const parts = await ask('GET /parts', { headers: { 'accept-profile': 'inventory' } })
  expect(parts).toMatchObject({ status: 200, json: [{ id: 7 }] })
  expect(parts.headers.get('content-profile')).toBe('inventory')
  expect((await ask('GET /parts')).status).toBe(404)
  expect((await ask('GET /rpc/who')).json).toMatchObject({ path: '"public"' })
  const unknown = await ask('GET /parts', { headers: { 'accept-profile': 'checks' } })
  expect(unknown).toMatchObject({ status: 406, json: { code: 'PGRST106' } })
})

test('the root: a description with its address and the section about tokens, or a function', async () => {
  const { ask } = await start({
    'openapi-server-proxy-uri': 'https://example.com/api/',
    'openapi-security-active': 'true',
  })
  expect((await ask('GET /')).json).toMatchObject({
    swagger: '2.0',
    host: 'example.com:443',
    basePath: '/api',
    schemes: ['https'],
    security: [{ JWT: [] }],
    securityDefinitions: { JWT: { in: 'header', name: 'Authorization', type: 'apiKey' } },
  })
  const plainer = (await (await start()).ask('GET /')).json
  expect(plainer).not.toHaveProperty('security')
  expect(plainer).not.toHaveProperty('host')
  const own = await start({ 'db-root-spec': 'describe' })
  const headers = { accept: 'application/openapi+json' }
  expect((await own.ask('GET /', { headers })).json).toEqual({ swagger: 'mine' })
})

test('pages of some origins only', async () => {
  const { ask } = await start({
    'server-cors-allowed-origins': 'https://a.example, https://b.example',
  })
  const from = async (origin: string) =>
    (await ask('GET /books', { headers: { origin } })).headers.get('access-control-allow-origin')
  expect(await from('https://b.example')).toBe('https://b.example')
  expect(await from('https://c.example')).toBeNull()
  const asked = { origin: 'https://a.example', 'access-control-request-method': 'POST' }
  const preflight = await ask('OPTIONS /books', { headers: asked })
  expect(preflight.status).toBe(200)
  expect(preflight.headers.get('access-control-allow-credentials')).toBe('true')
  const open = await start()
  expect((await open.ask('GET /books')).headers.get('access-control-allow-origin')).toBe('*')
})

test('bodies have a largest size', async () => {
  const { ask } = await start({ 'server-max-body-size': '40' })
  const body = { id: 60, title: 'x'.repeat(50) }
  expect((await ask('POST /books', { as: roles.user, body })).status).toBe(413)
})

test('settings in the database come before all others, and a notice reads them anew', async () => {
  const { ask } = await start({ 'db-max-rows': '4', 'jwt-aud': 'other' })
  expect((await ask('GET /books')).json).toHaveLength(4)
  const set = async (name: string, value: string) => {
    await plain.sql(
      ['alter role', roles.login, 'set', `pgrst.${name}`, '=', `'${value}'`].join(' '),
    )
    await plain.sql("notify pgrst, 'reload config'")
    await ask('GET /unknown_on_purpose')
  }
  await set('db_max_rows', '1')
  expect((await ask('GET /books')).json).toHaveLength(1)
  await set('db_schemas', 'inventory')
  expect((await ask('GET /parts')).json).toEqual([{ id: 7 }])
  await set('db_anon_role', roles.user)
  expect((await ask('GET /parts')).status).toBe(401)
  // What cannot be used changes nothing.
  await set('db_max_rows', 'many')
  expect((await ask('GET /parts', { as: roles.anon })).status).toBe(200)
  const without = await start({ 'db-config': 'false' })
  expect((await without.ask('GET /books')).json).toHaveLength(5)
})

test('a function of the database can make the settings', async () => {
  const { ask } = await start({ 'db-pre-config': 'checks.configure' })
  await plain.sql(['grant usage on schema checks to', roles.login].join(' '))
  await ask('GET /books')
  expect(await ask('GET /parts')).toMatchObject({ status: 200, json: [{ id: 7 }] })
  const other = await ask('GET /parts', { as: roles.anon, claims: { aud: 'elsewhere' } })
  expect(other).toMatchObject({ status: 401, json: { message: 'JWT not in audience' } })
})

test('the schema is read anew by notice', async () => {
  const { ask } = await start()
  expect((await ask('GET /later')).status).toBe(404)
  const made = ['create table later (id int)', `grant select on later to ${roles.anon}`]
  await plain.sql([...made, "notify pgrst, 'reload schema'"].join(';'))
  expect((await ask('GET /later')).status).toBe(200)
})

test('the public client, unmodified', async () => {
  const { url } = await start({ 'db-tx-end': 'commit-allow-override' })
  const token = signToken({ role: roles.user }, jwtSecret)
  const client = new PostgrestClient(url, { headers: { Authorization: `Bearer ${token}` } })
  const made = await client.from('books').insert({ id: 70, title: 'Made' }).select().single()
  expect(made).toMatchObject({ status: 201, data: { id: 70, title: 'Made' } })
  await client.from('books').delete().eq('id', 1).rollback()
  const read = await client.from('books').select('id', { count: 'exact' }).in('id', [1, 70])
  expect(read).toMatchObject({ count: 2, error: null })
  expect((await client.from('books').delete().eq('id', 70)).status).toBe(204)
  expect(await client.rpc('who')).toMatchObject({ data: { user: roles.user } })
})

test('addresses that are none', async () => {
  const { ask } = await start()
  expect(await ask('GET /books/1')).toMatchObject({ status: 404, json: { code: 'PGRST125' } })
  expect(await ask('GET /%E0%A4%A')).toMatchObject({ status: 404, json: { code: 'PGRST125' } })
  expect(await ask('PROPFIND /books')).toMatchObject({ status: 405, json: { code: 'PGRST117' } })
})
