import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, customer, specOf, testRef } from '../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../testing/local.ts'
import { upgradeSql } from '#start/tenants'

let harness: LocalHarness
beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
})
afterAll(() => harness.close())

/** The platform comes back as a version that needs `sql`. */
async function comeBackWith(...sql: string[]) {
  harness.options.upgradeSql = sql
  return harness.reopen()
}
const count = `select count(*)::int from pg_class where relname in ('newer', 'newest')`
const additions = `create table if not exists public.newer (id int);
  do $$ begin perform 1;

  end $$;
  grant all on public.newer to postgres;`

test('a project of an earlier version is given what is new, once, and keeps what it has', async () => {
  const ref = testRef()
  const first = await harness.provider.create(specOf(ref))
  await ask(first, customer(ref), 'create table kept as select 1 as id')
  // Its record is one of before there were any.
  const file = join(harness.folder(ref), 'project.json')
  const { upgrade: _, ...before } = JSON.parse(await readFile(file, 'utf8')) as { upgrade?: string }
  await writeFile(file, JSON.stringify(before))
  // Its server goes on while the platform is replaced.
  const newer = await comeBackWith(additions)
  const at = await newer.start(ref)
  expect(await ask(at, customer(ref), count)).toBe(1)
  expect(await ask(at, customer(ref), 'select id from kept')).toBe(1)
  await ask(at, customer(ref), 'drop table newer')
  await newer.restart(ref)
  expect(await ask(at, customer(ref), count)).toBe(0)
  const newest = await comeBackWith(additions, 'create table public.newest (id int)')
  expect(await ask(await newest.start(ref), customer(ref), count)).toBe(2)
})

test('nothing of a tenant runs while a project is brought up to this version', async () => {
  const ref = testRef()
  const at = await harness.provider.create(specOf(ref))
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
  const newer = await comeBackWith(
    ...upgradeSql(),
    'create table public.newest (at timestamptz default now()); grant all on public.newest to postgres',
  )
  const later = await newer.start(ref)
  await ask(later, customer(ref), 'insert into public.newest default values')
  expect(await ask(later, customer(ref), 'select at is not null from public.newest')).toBe(true)
  expect(await ask(later, customer(ref), 'select count(*)::int from public.ran')).toBe(0)
})

test('where it fails, nothing of it has happened, and the project starts all the same', async () => {
  const ref = testRef()
  await harness.provider.create(specOf(ref))
  const broken = await comeBackWith('create table public.newest (id int); select no_such_thing')
  const at = await broken.start(ref)
  expect(await ask(at, customer(ref), count)).toBe(0)
  const mended = await comeBackWith('create table public.newest (id int)')
  expect(await ask(await mended.start(ref), customer(ref), count)).toBe(1)
})

test('a new project has everything already', async () => {
  const provider = await comeBackWith('create table public.newest (id int)')
  const ref = testRef()
  const at = await provider.create(specOf(ref))
  await provider.restart(ref)
  expect(await ask(at, customer(ref), count)).toBe(0)
})
