import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { importData } from './data.ts'
import { applyPieces } from './apply.ts'
import type { Run } from './parts.ts'
import { finishAfter, importAfter, importBefore } from './schema.ts'
import { startTwoDatabases, type TwoDatabases } from '../testing/import/two-databases.ts'

let world: TwoDatabases

/** What only a superuser makes, or what belongs to somebody else. */
const asAdmin = [
  `create extension file_fdw`,
  `create server files foreign data wrapper file_fdw`,
  `create function public.watch() returns event_trigger language plpgsql as $$ begin end $$`,
  `create event trigger watching on ddl_command_end execute function public.watch()`,
  `create operator public.### (leftarg = int, rightarg = int, function = int4pl)`,
  `create text search dictionary public.plain (template = simple)`,
  // A row that breaks the rule behind the back of it, as restores of half a database leave them.
  `create table public.parents (id int primary key)`,
  `create table public.children (id int primary key, parent int constraint of_parent references public.parents)`,
  `alter table public.parents owner to postgres`,
  `alter table public.children owner to postgres`,
  `set session_replication_role = replica`,
  `insert into public.children values (1, 99)`,
  `reset session_replication_role`,
]
const own = [
  `create table public.fine (id int primary key)`,
  `insert into public.fine select generate_series(1, 20)`,
  `create table auth.own_table ()`,
  `create table public.refers (id int primary key, it regclass)`,
  `insert into public.refers select n, case when n > 10 then 'auth.own_table'::regclass end from generate_series(1, 20) n`,
  `create function auth.mine() returns int language sql as 'select 1'`,
  `create domain public.short as text check (length(value) < 5)`,
  `create table public.picky (id int primary key, note text check (note <> current_setting('import.refused', true)))`,
  `insert into public.picky values (1, 'x')`,
  `alter role authenticator in database {database} set pgrst.db_schemas = 'public, app'`,
]

beforeAll(async () => {
  world = await startTwoDatabases([])
  await withClient(world.source.adminConfig, async (client) => {
    for (const statement of asAdmin) await client.query(statement)
    await client.query('grant usage, create on schema auth to postgres')
  })
  await withClient(world.source.configFor('postgres'), async (client) => {
    for (const statement of own)
      await client.query(statement.replace('{database}', `"${world.source.name}"`))
  })
})
afterAll(() => world.end())

async function importAll(run: Run) {
  await importBefore(run)
  await importData(run)
  await finishAfter(run, await importAfter(run))
}

test('what cannot come over is told by its name and with its reason, and nothing else is missing', async () => {
  const report = await world.run(importAll)
  expect(report.left_out.map(({ kind, name }) => `${kind}: ${name}`).toSorted()).toEqual([
    'event trigger: watching',
    'extension: file_fdw',
    'foreign key: of_parent on public.children',
    'foreign server: files',
    'object in a service schema: function auth.mine()',
    'object in a service schema: table auth.own_table',
    `operator: public."###"`,
    `rows: "public"."refers"`,
    `setting: authenticator in ${world.source.name}: pgrst.db_schemas`,
    'text search dictionary: public.plain',
  ])
  const reason = (kind: string) => report.left_out.find((one) => one.kind === kind)?.reason
  expect(reason('rows')).toBe('after 7 rows: relation "auth.own_table" does not exist')
  expect(reason('foreign key')).toContain('made, but not valid')
  expect(reason('extension')).toContain('permission denied')
  // What failed has not taken anything else with it.
  for (const [table, count] of [
    ['fine', 20],
    ['children', 1],
    ['picky', 1],
  ] as const)
    expect(await world.rows('target', `select count(*)::int from public.${table}`)).toEqual([
      { count },
    ])
  const valid = `select convalidated from pg_constraint where conname = 'of_parent'`
  expect(await world.rows('target', valid)).toEqual([{ convalidated: false }])
  const again = await world.run(importAll)
  expect(again.left_out.map(({ name }) => name).toSorted()).toEqual(
    report.left_out.map(({ name }) => name).toSorted(),
  )
})

test('a source that slips a second statement in gets none carried out', async () => {
  const { result } = await world.run(({ target, state }) =>
    applyPieces(target, state, [
      {
        kind: 'table',
        name: 'evil',
        sql: ['create table public.evil (id int); drop table public.fine'],
      },
      { kind: 'table', name: 'last', sql: ['create table public.last () inherits (public.first)'] },
      { kind: 'table', name: 'first', sql: ['create table public.first (id int)'] },
    ]),
  )
  expect(result.failed).toMatchObject([
    {
      piece: { name: 'evil' },
      code: '42601',
      reason: expect.stringContaining('multiple commands'),
    },
  ])
  expect(result.made.map(({ name }) => name)).toEqual(['first', 'last'])
  expect(
    await world.rows(
      'target',
      `select to_regclass('public.evil') as evil, to_regclass('public.fine')::text as fine`,
    ),
  ).toEqual([{ evil: null, fine: 'public.fine' }])
})

test('the source is read and nothing of it can be changed', async () => {
  await expect(
    world.run(({ source }) => source.query('create table public.mark ()')),
  ).rejects.toThrow('read-only transaction')
})
