import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectMigrations } from '#start/tenants'
import { admin, ask, customer, specOf, testRef } from '../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../testing/local.ts'

let harness: LocalHarness
beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
})
afterAll(() => harness.close())

/** The platform comes back as a version that has these beside what there is. */
async function comeBackWith(further: Record<string, string>) {
  const more = Object.entries(further).map(([name, sql]) => ({ name, sql }))
  harness.options.migrations = [...projectMigrations(), ...more]
  return harness.reopen()
}
/** Its record says that nothing is known of what it has. */
async function forget(ref: string) {
  const file = join(harness.folder(ref), 'project.json')
  const { upgrade: _, ...before } = JSON.parse(await readFile(file, 'utf8')) as { upgrade?: string }
  await writeFile(file, JSON.stringify(before))
}
const count = `select count(*)::int from pg_class where relname in ('newer', 'newest')`
const additions = `create table if not exists public.newer (id int);
  do $$ begin perform 1;

  end $$;
  grant all on public.newer to postgres;`
const newest = 'create table public.newest (id int)'

test('a project of an earlier version is given what is new, once, and keeps what it has', async () => {
  const ref = testRef()
  const first = await harness.provider.create(specOf(ref))
  await ask(first, customer(ref), 'create table kept as select 1 as id')
  // Its record is one of before there were any.
  await forget(ref)
  // Its server goes on while the platform is replaced.
  const newer = await comeBackWith({ '900-newer.sql': additions })
  const at = await newer.start(ref)
  expect(await ask(at, customer(ref), count)).toBe(1)
  expect(await ask(at, customer(ref), 'select id from kept')).toBe(1)
  await ask(at, customer(ref), 'drop table newer')
  await newer.restart(ref)
  expect(await ask(at, customer(ref), count)).toBe(0)
  const later = await comeBackWith({ '900-newer.sql': additions, '901-newest.sql': newest })
  expect(await ask(await later.start(ref), customer(ref), count)).toBe(1)
  const names = 'select count(*)::int from extensions.plinth_migrations where checksum is not null'
  expect(await ask(await later.start(ref), customer(ref), names)).toBe(
    projectMigrations().length + 2,
  )
})

test('nothing of a tenant runs while a project is brought up to this version', async () => {
  const ref = testRef()
  harness.options.migrations = projectMigrations()
  const at = await (await harness.reopen()).create(specOf(ref))
  // What a tenant may do: act as the owner of the realtime tables, and say what names mean in their database.
  await ask(
    at,
    customer(ref),
    'create table ran (who text); grant all on ran to public',
    `create function run() returns trigger language plpgsql as $$ begin
       insert into public.ran values (session_user); return null; end $$`,
    `create function now() returns timestamptz language plpgsql as $$ begin
       insert into public.ran values (session_user); return null; end $$`,
    'grant usage on schema public to supabase_realtime_admin',
    'set role supabase_realtime_admin',
    'create trigger run before insert or update or delete on realtime.schema_migrations for each statement execute function public.run()',
    'alter table realtime.schema_migrations enable always trigger run',
    'create trigger run before insert or update or delete on realtime.messages for each statement execute function public.run()',
    'alter table realtime.messages enable always trigger run',
    'reset role',
    'alter database postgres set search_path = public, pg_catalog',
  )
  // All of it runs again, and not only what is new.
  await forget(ref)
  const newer = await comeBackWith({
    '900-newest.sql':
      'create table public.newest (at timestamptz default now()); grant all on public.newest to postgres',
  })
  const later = await newer.start(ref)
  await ask(later, customer(ref), 'insert into public.newest default values')
  expect(await ask(later, customer(ref), 'select at is not null from public.newest')).toBe(true)
  expect(await ask(later, customer(ref), 'select count(*)::int from public.ran')).toBe(0)
})

test('where it fails, nothing of that migration has happened, the project starts all the same and says why; others are given it', async () => {
  harness.options.migrations = projectMigrations()
  const provider = await harness.reopen()
  const [ref, other] = [testRef(), testRef()]
  const before = await provider.create(specOf(ref))
  await provider.create(specOf(other))
  await ask(before, customer(ref), 'create view newest as select 1 as id')
  expect(provider.upgradeFailure?.(ref)).toBeUndefined()
  const further = { '900-newer.sql': additions, '901-newest.sql': newest }

  const broken = await comeBackWith(further)
  const at = await broken.start(ref)
  expect(await ask(at, customer(ref), 'select id from newest')).toBe(1)
  expect(broken.upgradeFailure?.(ref)).toEqual({
    reason: '901-newest.sql could not be applied: relation "newest" already exists',
    at: expect.stringMatching(/^\d{4}-/),
  })
  expect(await ask(await broken.start(other), customer(other), count)).toBe(2)
  expect(broken.upgradeFailure?.(other)).toBeUndefined()

  // Each start tries again, and goes on where it failed.
  await ask(at, customer(ref), 'drop view newest')
  expect(await ask(await broken.restart(ref), customer(ref), count)).toBe(2)
  expect(broken.upgradeFailure?.(ref)).toBeUndefined()
})

test('a table of the name that records are kept by is not taken for it', async () => {
  harness.options.migrations = projectMigrations()
  const provider = await harness.reopen()
  const ref = testRef()
  const at = await provider.create(specOf(ref))
  // As it was before there were records, when somebody had a table of that name.
  await ask(at, admin(ref), 'drop table extensions.plinth_migrations')
  const made = 'create table extensions.plinth_migrations (name text primary key)'
  await ask(at, customer(ref), made)
  await forget(ref)
  const later = await harness.reopen()
  const still = await later.start(ref)
  expect(later.upgradeFailure?.(ref)?.reason).toMatch(
    /^extensions\.plinth_migrations is not the table in which the platform keeps/,
  )
  const rows = 'select count(*)::int from extensions.plinth_migrations'
  expect(await ask(still, customer(ref), rows)).toBe(0)
  await ask(still, customer(ref), 'alter table extensions.plinth_migrations rename to mine')
  expect(await ask(await later.restart(ref), customer(ref), rows)).toBe(projectMigrations().length)
  expect(later.upgradeFailure?.(ref)).toBeUndefined()
})

test('the customer reads what was applied, and changes nothing of it', async () => {
  const ref = testRef()
  const at = await harness.provider.create(specOf(ref))
  for (const sql of [
    'insert into extensions.plinth_migrations (name) values (1)',
    'delete from extensions.plinth_migrations',
    'drop table extensions.plinth_migrations',
    'create trigger run before insert on extensions.plinth_migrations execute function suppress_redundant_updates_trigger()',
  ])
    await expect(ask(at, customer(ref), sql)).rejects.toThrow(/permission denied|must be owner/)
})

test('a new project has everything already', async () => {
  const provider = await comeBackWith({ '900-newest.sql': newest })
  const ref = testRef()
  const at = await provider.create(specOf(ref))
  expect(await ask(at, customer(ref), count)).toBe(1)
  await provider.restart(ref)
  expect(provider.upgradeFailure?.(ref)).toBeUndefined()
})
