import { expect, onTestFinished, test } from 'vitest'
import { createEmptyDatabase } from '#kit/testing/postgres'
import { withClient } from './client.ts'
import { migrate, MigrationError, type Migration, type MigrateOptions } from './migrations.ts'

const inPublic = { table: { schema: 'public', name: 'records' } }

async function database() {
  const made = await createEmptyDatabase()
  onTestFinished(() => made.drop())
  return {
    give: (migrations: Migration[], options: MigrateOptions = inPublic) =>
      withClient(made.adminConfig, (client) => migrate(client, migrations, options)),
    run: (sql: string) => withClient(made.adminConfig, (client) => client.query(sql)),
    /** The first column of each row. */
    ask: async (sql: string) => {
      const { rows } = await withClient(made.adminConfig, (client) =>
        client.query<Record<string, unknown>>(sql),
      )
      return rows.map((row) => Object.values(row)[0])
    },
  }
}

const step = (number: number, sql: string, more: Partial<Migration> = {}): Migration => ({
  name: `000${number}_step.sql`,
  sql,
  ...more,
})
const first = step(1, 'create table one (id int)')
const second = step(2, 'create table two (id int); insert into one values (1)')
const names = 'select name from records order by name'

test('each is applied once, in its order, and recorded with its checksum', async () => {
  const { give, ask } = await database()
  expect(await give([first])).toEqual([first.name])
  expect(await give([first, second])).toEqual([second.name])
  expect(await give([first, second])).toEqual([])
  expect(await ask('select id from one')).toEqual([1])
  expect(await ask(names)).toEqual([first.name, second.name])
  expect(await ask('select distinct length(checksum) from records')).toEqual([32])
})

test('one that fails is named and leaves nothing; those before it stay, and the next attempt goes on there', async () => {
  const { give, ask } = await database()
  const broken = step(2, 'create table two (id int); select no_such_thing')
  const failure = await give([first, broken]).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(MigrationError)
  expect(String(failure)).toContain(
    '0002_step.sql could not be applied: column "no_such_thing" does not exist',
  )
  expect(await ask(names)).toEqual([first.name])
  expect(await ask("select to_regclass('two') is null")).toEqual([true])
  expect(await give([first, second])).toEqual([second.name])
})

test('those that have changed since they were applied are named, and nothing more is applied', async () => {
  const { give, ask } = await database()
  await give([first, second])
  const edited = [
    step(1, 'create table won (id int)'),
    step(2, ''),
    step(3, 'create table three ()'),
  ]
  await expect(give(edited)).rejects.toThrow(
    'Changed since they were applied: 0001_step.sql, 0002_step.sql.',
  )
  expect(await ask("select to_regclass('three') is null")).toEqual([true])
  await expect(give([first, second])).resolves.toEqual([])
})

test('records of before there were checksums are taken over, and nothing is applied twice', async () => {
  const { give, ask } = await database()
  await ask('create table one (id int)')
  await ask(
    'create table records (name text primary key, applied_at timestamptz not null default now())',
  )
  await ask(
    "insert into records (name, applied_at) values ('0001_step.sql', '2026-01-01'), ('old', '2026-01-02')",
  )
  const renamed = step(2, 'create table one (id int)', { formerly: 'old' })
  const third = step(3, 'create table three ()')
  expect(await give([first, renamed, third])).toEqual([third.name])
  expect(await ask('select checksum is not null from records order by name')).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(
    await ask("select applied_at < '2026-01-02' from records where name = '0001_step.sql'"),
  ).toEqual([true])
  await expect(give([step(1, 'select 1'), renamed, third])).rejects.toThrow('0001_step.sql')
})

test('who comes at the same time waits, and finds everything done', async () => {
  const { give } = await database()
  const slow = step(1, 'select pg_sleep(0.3); create table one (id int)')
  const given = await Promise.all([
    give([slow, second]),
    give([slow, second]),
    give([slow, second]),
  ])
  expect(given.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, 0, 2])
})

test('originals make what the records lie in, and are only recorded where the database is older than these', async () => {
  const made = step(1, 'create schema kept', { isOriginal: true })
  const rows = step(3, 'create table rows_of_the_beginning ()', { isOriginal: true })
  const all = [made, step(2, 'create table if not exists kept.two ()'), rows]
  const table = { schema: 'kept', name: 'records' }
  const fresh = await database()
  expect(await fresh.give(all, { table })).toEqual(all.map(({ name }) => name))

  const older = await database()
  await older.ask('create schema kept')
  expect(await older.give(all, { table, has: ({ isOriginal }) => isOriginal === true })).toEqual([
    '0002_step.sql',
  ])
  expect(await older.ask('select name from kept.records order by name')).toEqual(
    all.map(({ name }) => name),
  )
  expect(await older.give(all, { table, has: ({ isOriginal }) => isOriginal === true })).toEqual([])
})

test('what an installation has chosen is given again when it changes, with all that comes behind it', async () => {
  const { give, ask } = await database()
  const chosen = (value: string) =>
    step(2, "create or replace function chosen() returns text return 'nothing'", {
      filled: `create or replace function chosen() returns text return '${value}'`,
    })
  const behind = step(3, "create or replace function other() returns text return chosen() || '!'")
  await give([first, chosen('a'), behind])
  expect(await give([first, chosen('a'), behind])).toEqual([])
  const changed = [{ ...first, isOriginal: true }, chosen('b'), behind]
  expect(await give(changed)).toEqual([chosen('b').name, behind.name])
  expect(await ask('select other()')).toEqual(['b!'])
  expect(await give(changed, { ...inPublic, again: true })).toEqual([chosen('b').name, behind.name])
})

test.each([
  ['a view', 'create view records as select 1 as name'],
  [
    'a table of somebody else',
    'create table records (name text primary key); alter table records owner to postgres',
  ],
  [
    'one with a trigger',
    `create table records (name text primary key, checksum text, filled text);
     create function run() returns trigger language plpgsql as 'begin return new; end';
     create trigger run before insert on records for each row execute function run()`,
  ],
  [
    'one with a rule',
    'create table records (name text primary key, checksum text, filled text); create rule run as on insert to records do also select 1',
  ],
  [
    'one whose column calls a function',
    `create function run() returns text language sql as 'select null::text';
     create table records (name text primary key, checksum text, filled text default run())`,
  ],
  [
    'one with a check',
    'create table records (name text primary key, checksum text, filled text, check (length(name) > 0))',
  ],
])('%s is not where records are kept, and nothing is applied', async (_, hostile) => {
  const { give, run, ask } = await database()
  await run(hostile)
  await expect(give([first])).rejects.toThrow(
    'public.records is not the table in which the platform keeps what was applied: rename or drop what has this name',
  )
  expect(await ask("select to_regclass('one') is null")).toEqual([true])
})
