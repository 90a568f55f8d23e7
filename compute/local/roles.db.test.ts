import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#kit/log'
import { projectMigrations, webhookSchema } from '#start/tenants'
import { checkedProvider } from '../checked.ts'
import type { Provider } from '../provider.ts'
import { admin, ask, customer, specOf, testRef } from '../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../testing/local.ts'
import { withReader } from './admin-session.ts'

let harness: LocalHarness
let lines: Record<string, unknown>[] = []
const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)

/** The provider as the platform uses it; `settled` waits for the looks. */
function checked(provider: Provider, passwordOf = (ref: string) => specOf(ref).passwords.admin) {
  const { log } = harness.options
  return checkedProvider(provider, (ref) => Promise.resolve(passwordOf(ref)), log)
}
type Reported = { found: string; repaired?: boolean }
/** What the operator is told, each with whether it was repaired. */
const reported = () => {
  const findings = lines.flatMap(({ findings, msg }): Reported[] =>
    Array.isArray(findings) ? (findings as Reported[]) : [{ found: String(msg) }],
  )
  return Object.fromEntries(findings.map(({ found, repaired }) => [found, repaired]))
}

beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
  harness.options.log = createLog('test', 'error', { write })
  await harness.reopen()
})
afterAll(() => harness.close())

async function started(ref: string) {
  lines = []
  const { provider, settled } = checked(await harness.reopen())
  const at = await provider.restart(ref)
  await settled()
  return at
}

test('what a break-out has left is found, taken away where that is safe, and told', async () => {
  const ref = testRef()
  const at = await (await harness.reopen()).create(specOf(ref))
  await ask(
    at,
    customer(ref),
    'create role climber login createrole',
    'create role friend',
    'grant friend to climber',
  )
  await ask(
    at,
    admin(ref),
    'alter role climber superuser',
    'alter role "postgres" superuser',
    'grant supabase_auth_admin to friend',
    'grant pg_execute_server_program to climber with admin option',
    'set role climber',
    'grant pg_execute_server_program to friend',
    'reset role',
    'grant pg_monitor to postgres with admin option',
    'grant pg_read_all_data to postgres',
    'alter role plinth_sql createrole',
    'alter schema auth owner to climber',
    'create function public.door() returns void language sql security definer as $$ select $$',
    // Nothing of it runs in the session that looks.
    'create table public.ran (who text)',
    `create function public.came() returns event_trigger language plpgsql as $$ begin
       insert into public.ran values (session_user); end $$`,
    'create event trigger came on login execute function public.came()',
    'alter event trigger came enable always',
    'delete from public.ran',
  )
  const later = await started(ref)
  expect(reported()).toEqual({
    '"climber" is superuser': true,
    '"postgres" is superuser': true,
    '"friend" is a member of "supabase_auth_admin"': true,
    '"climber" is a member of "pg_execute_server_program"': true,
    '"friend" is a member of "pg_execute_server_program"': true,
    '"postgres" may hand on "pg_monitor"': true,
    '"postgres" is a member of "pg_read_all_data"': true,
    '"plinth_sql" has createrole': false,
    'the schema "auth" belongs to "climber"': false,
    'the function "public"."door" acts as "supabase_admin"': false,
    'public.ran belongs to "supabase_admin"': false,
    'there is an event trigger "came"': false,
  })
  for (const line of lines) expect(line).toMatchObject({ level: 50, ref })
  const supers = `select string_agg(rolname, ',') from pg_roles where rolsuper`
  expect(await ask(later, customer(ref), supers)).toBe('supabase_admin')
  const who = `select coalesce(string_agg(who, ','), '') from public.ran where who <> 'postgres'`
  // This session itself is the only one of the superuser that ran it.
  expect(await ask(later, admin(ref), who)).toBe('supabase_admin')
  // What the customer made stays.
  const friends = "select pg_has_role('climber', 'friend', 'member')"
  expect(await ask(later, customer(ref), friends)).toBe(true)
  const mayRun = "select pg_has_role('friend', 'pg_execute_server_program', 'member')"
  expect(await ask(later, customer(ref), mayRun)).toBe(false)
  // Only what nobody repaired is told again, and the project runs.
  await started(ref)
  expect(Object.values(reported())).toEqual([false, false, false, false, false])
})

test('what only a superuser can have changed of rights, settings and languages is told', async () => {
  const ref = testRef()
  const at = await (await harness.reopen()).create(specOf(ref))
  await ask(
    at,
    admin(ref),
    'grant select on pg_catalog.pg_authid to postgres',
    'grant execute on function pg_catalog.pg_read_file(text) to public',
    'grant set on parameter session_preload_libraries to anon',
    "alter role plinth_sql set session_preload_libraries = 'auto_explain'",
    "alter role supabase_auth_admin set search_path = 'public'",
    "update pg_catalog.pg_language set lanpltrusted = true where lanname = 'c'",
    'alter event trigger plinth_kept_objects disable',
    'alter table auth.users owner to postgres',
    'create view public.verifiers as select * from pg_catalog.pg_authid',
  )
  await started(ref)
  expect(Object.keys(reported()).toSorted()).toEqual([
    '"anon" may set session_preload_libraries',
    '"everybody" has rights on pg_read_file(text)',
    '"plinth_sql" has the setting session_preload_libraries=auto_explain',
    '"postgres" has rights on pg_authid',
    '"supabase_auth_admin" has the setting search_path=public',
    'auth.users belongs to "postgres"',
    'everybody may write functions in the language c',
    'public.verifiers belongs to "supabase_admin"',
    'the event trigger "plinth_kept_objects" is switched off',
  ])
  await harness.provider.destroy(ref)
})

test('nothing is found in a new project, nor in what its customer may make', async () => {
  const ref = testRef()
  lines = []
  const { provider, settled } = checked(await harness.reopen())
  const at = await provider.create(specOf(ref))
  await settled()
  await ask(
    at,
    customer(ref),
    'create role staff login createrole createdb bypassrls',
    'create role clerk in role staff, anon, authenticated, service_role, authenticator',
    'grant staff to postgres',
    'create schema app authorization staff',
    'create function public.mine() returns void language sql security definer as $$ select $$',
    'create extension if not exists citext with schema extensions',
    'create function public.noted() returns trigger language plpgsql security definer as $$ begin return new; end $$',
    'create trigger noted after insert on auth.users for each row execute function public.noted()',
    'create trigger noted after insert on storage.objects for each row execute function public.noted()',
    'create policy mine on storage.objects using (true)',
    'create table storage.mine (id int)',
    "alter role authenticator set pgrst.db_max_rows = '10'",
    "alter role anon set statement_timeout = '1s'",
    'alter database postgres set search_path = app, public',
    "set role supabase_realtime_admin; alter role supabase_realtime_admin set statement_timeout = '1min'; reset role",
  )
  await ask(at, customer(ref), webhookSchema())
  // Nor what its backups need.
  const { socketDir: host, port } = at
  const { password } = admin(ref)
  await withReader({ host, port, password }, () => Promise.resolve())
  await started(ref)
  expect(reported()).toEqual({})
})

test('nothing is found in a project of an earlier version that was brought up to this one', async () => {
  const ref = testRef()
  // As it was before storage had a login of its own.
  harness.options.migrations = projectMigrations().filter(
    ({ sql }) => !sql.includes('plinth_storage'),
  )
  await (await harness.reopen()).create(specOf(ref))
  harness.options.migrations = projectMigrations()
  const at = await started(ref)
  const made = "select count(*)::int from pg_roles where rolname = 'plinth_storage'"
  expect(await ask(at, customer(ref), made)).toBe(1)
  expect(reported()).toEqual({})
})

test('what the customer has changed of the platform’s objects is told, and made again at the next start', async () => {
  const ref = testRef()
  const at = await (await harness.reopen()).create(specOf(ref))
  const text = "select prosrc from pg_proc where oid = 'storage.foldername(text)'::regprocedure"
  const before = await ask(at, customer(ref), text)
  await ask(
    at,
    customer(ref),
    `create or replace function storage.foldername(name text) returns text[] language sql as $$ select '{mine}'::text[] $$`,
    'alter function storage.filename(text) rename to file_name',
    'alter table storage.objects disable row level security',
    'alter function realtime.keep_partitions() security invoker',
    'alter table realtime.subscription rename column claims to claims_of',
  )
  await started(ref)
  const changed = [
    'column realtime.subscription.claims',
    'column realtime.subscription.claims_role',
    'function realtime.keep_partitions()',
    'function storage.filename(text)',
    'function storage.foldername(text)',
    'table storage.objects',
  ]
  const words = (outcome: string) => (what: string) =>
    `${what} is not as the platform made it, and ${outcome}`
  expect(Object.keys(reported())).toEqual(changed.map(words('is made again at the next start')))
  // Rows may be in the column, so its name stays; all else is as it was.
  const later = await started(ref)
  expect(Object.keys(reported()).map((line) => line.replace(/ is not as .*/, ''))).toEqual(
    changed.filter((what) => what.startsWith('column')),
  )
  expect(await ask(later, customer(ref), text)).toBe(before)
  // What cannot be mended is tried once for each set of changes, and no project pays for it at each of its starts.
  await started(ref)
  await started(ref)
  expect(Object.keys(reported())).toEqual(changed.slice(0, 2).map(words('was not mended')))
  const again = await ask(
    await started(ref),
    customer(ref),
    'set role supabase_realtime_admin',
    'alter table realtime.subscription rename column claims_of to claims',
    'select 1',
  )
  expect(again).toBe(1)
  await started(ref)
  expect(reported()).toEqual({})
})

test('a look that fails is told and keeps no project from starting', async () => {
  const ref = testRef()
  const bare = await harness.reopen()
  await bare.create(specOf(ref))
  lines = []
  const { provider, settled } = checked(bare, () => 'not the password')
  const at = await provider.restart(ref)
  await settled()
  expect(reported()).toEqual({ [`The roles of project ${ref} could not be looked at`]: undefined })
  expect(lines[0]).toMatchObject({ ref, level: 50 })
  expect(await ask(at, customer(ref), 'select 1')).toBe(1)
  // A server that is down again has nothing to look at.
  await provider.stop(ref)
  lines = []
  await bare.checkRoles?.(ref, specOf(ref).passwords.admin)
  expect(lines).toEqual([])
})
