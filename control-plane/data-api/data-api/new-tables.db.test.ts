import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import ws from 'ws'
import { startWorld, type World } from '../../testing/world.ts'

/** What a new table is open to, in a project as it is made: private until it is granted. */
let world: World
let url: string
let anon: SupabaseClient
let server: SupabaseClient

beforeAll(async () => {
  world = await startWorld()
  url = `/platform/projects/${world.ref}/config/postgrest`
  const { url: endpoint, anonKey, serviceKey } = world.project
  // The two packages declare the same constructor differently.
  const options = { realtime: { transport: ws as never } }
  anon = createClient(endpoint, anonKey, options)
  server = createClient(endpoint, serviceKey, options)
})
afterAll(() => world.end())

const choose = async (changes: object) => {
  expect((await world.ada.call('PATCH', url, changes)).status).toBe(200)
}
const secured = async (table: string) => {
  const [row] = await world.sql(
    `select relrowsecurity as on from pg_class where oid = '${table}'::regclass`,
  )
  return row?.['on']
}
const refused = { error: { code: '42501' }, status: 401 }

test('a new project says so, and its tables begin secured and with nobody let in but servers', async () => {
  expect((await world.ada.call('GET', url)).body).toMatchObject({ new_tables: 'private' })
  await world.sql(`create table notes (id int generated always as identity primary key, text text);
    insert into notes (text) values ('one');
    create table copied as select * from notes; select * into into_one from notes;
    create view seen as select * from notes;
    create table parted (id int) partition by list (id);
    create table part partition of parted for values in (1)`)
  for (const table of ['notes', 'copied', 'into_one', 'parted', 'part']) {
    expect(await secured(table), table).toBe(true)
    // A partition has no address of its own.
    if (table === 'part') continue
    expect(await anon.from(table).select(), table).toMatchObject(refused)
    expect((await server.from(table).select()).error, table).toBeNull()
  }
  expect(await anon.from('seen').select()).toMatchObject(refused)
  expect(await anon.from('notes').insert({ text: 'mine' })).toMatchObject(refused)
  // A sequence of its own comes with the table.
  expect((await server.from('notes').insert({ text: 'two' })).error).toBeNull()
})

test('a grant lets requests in, and policies the rows', async () => {
  await world.sql('grant select on notes to anon')
  await expect.poll(() => anon.from('notes').select()).toMatchObject({ error: null, data: [] })
  await world.sql("create policy seen on notes for select to anon using (text = 'one')")
  expect((await anon.from('notes').select('text')).data).toEqual([{ text: 'one' }])
})

test('what is open by choice is open at once, and what was there stays as it was', async () => {
  await choose({ new_tables: 'granted' })
  await world.sql('create table open (id int primary key); insert into open values (1)')
  expect(await secured('open')).toBe(false)
  expect((await anon.from('open').select()).data).toEqual([{ id: 1 }])
  expect((await anon.from('open').insert({ id: 2 })).error).toBeNull()
  expect(await anon.from('copied').select()).toMatchObject(refused)
  await choose({ new_tables: 'private' })
  await world.sql('create table closed (id int primary key)')
  expect(await anon.from('closed').select()).toMatchObject(refused)
  expect((await anon.from('open').select()).error).toBeNull()
})

test('it holds in every exposed schema, and in no other', async () => {
  await world.sql(`create schema app; grant usage on schema app to anon, service_role; create schema own;
    create table own.free (id int)`)
  expect(await secured('own.free')).toBe(false)
  await choose({ db_schema: 'public, app', new_tables: 'granted' })
  await world.sql('create table app.open (id int)')
  expect((await anon.schema('app').from('open').select()).error).toBeNull()
  await choose({ new_tables: 'private' })
  await world.sql('create table app.closed (id int); create table own.free_too (id int)')
  expect(await secured('app.closed')).toBe(true)
  expect(await secured('own.free_too')).toBe(false)
  expect(await anon.schema('app').from('closed').select()).toMatchObject(refused)
})

test('the form of a new table begins with what the project gives', async () => {
  const start = async () => {
    const detail = await world.ada.call('GET', `/platform/projects/${world.ref}`)
    const headers = { 'x-connection-encrypted': String(detail.body['connectionString']) }
    const path = `/platform/pg-meta/${world.ref}/table-start?schema=public`
    const { body } = await world.ada.call('GET', path, undefined, headers)
    return Object.fromEntries(
      (body['access'] as { role: string; privileges: string[] }[]).map(({ role, privileges }) => [
        role,
        privileges.length > 0,
      ]),
    )
  }
  const server_only = { anon: false, authenticated: false, service_role: true }
  expect(await start()).toEqual(server_only)
  await choose({ new_tables: 'granted' })
  expect(await start()).toEqual({ anon: true, authenticated: true, service_role: true })
  // The default is taken back by null, like that of any other setting.
  await choose({ new_tables: null })
  expect(await start()).toEqual(server_only)
})
