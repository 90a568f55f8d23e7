import { describe, expect, test } from 'vitest'
import type { Names, Place } from './capabilities.ts'
import { ask, loginsOf, service, specOf, type Login } from './conformance-project.ts'
import { serviceRoles, type DatabaseAddress } from '../provider.ts'

export type OfProject = () => { ref: string; at: DatabaseAddress }

/** What a login becomes; the three of the data API are their request role from the start. */
const sessionRoles = (names: Names): Record<(typeof serviceRoles)[number], string> => ({
  authenticator: 'authenticator',
  authenticator_anon: 'anon',
  authenticator_authenticated: 'authenticated',
  authenticator_service_role: 'service_role',
  supabase_auth_admin: 'supabase_auth_admin',
  supabase_storage_admin: 'supabase_storage_admin',
  plinth_storage: 'supabase_storage_admin',
  supabase_realtime_admin: 'supabase_realtime_admin',
  plinth_realtime: 'supabase_realtime_admin',
  plinth_sql: names.customer,
  plinth_read_only: 'plinth_read_only',
})

/** Every role comes in with its own password, over the socket, and with no other. */
export function loginTests(project: OfProject, { names, without }: Place): void {
  const { customer, admin } = loginsOf(names)
  const whoAmI = 'select current_user::text'

  test.each(serviceRoles)('%s logs in with the service password only', async (role) => {
    const { ref, at } = project()
    expect(await ask(at, service(ref, role), whoAmI)).toBe(sessionRoles(names)[role])
    for (const password of [customer(ref).password, 'wrong', role])
      await expect(ask(at, { role, password }, whoAmI)).rejects.toThrow(/authentication failed/)
  })
  test('the customer logs in with the right password only', async () => {
    const { ref, at } = project()
    expect(await ask(at, customer(ref), whoAmI)).toBe(names.customer)
    const wrong = { ...customer(ref), password: 'postgres' }
    await expect(ask(at, wrong, whoAmI)).rejects.toThrow(/authentication failed/)
  })
  if (!without.includes('sockets'))
    test('the superuser comes in over the socket, with a password', async () => {
      const { ref, at } = project()
      expect(await ask(at, admin(ref), whoAmI)).toBe(names.admin)
      await expect(ask(at, { ...admin(ref), password: '' }, whoAmI)).rejects.toThrow(/password/)
    })
  if (!without.includes('sockets'))
    test('nobody comes in around the gateway: the server has no address of its own', async () => {
      const { ref, at } = project()
      expect(await ask(at, admin(ref), 'show listen_addresses')).toBe('')
      for (const host of ['127.0.0.1', '::1']) {
        const direct = { socketDir: host, port: at.port }
        await expect(ask(direct, customer(ref), whoAmI), host).rejects.toThrow(
          /ECONNREFUSED|EADDRNOTAVAIL/,
        )
      }
    })
  test.each(['anon', 'authenticated', 'service_role', 'dashboard_user'])(
    '%s cannot log in',
    async (role) => {
      const { ref, at } = project()
      const login = service(ref, role)
      await expect(ask(at, login, whoAmI)).rejects.toThrow(/authentication failed|not permitted/)
    },
  )
}

/** Roads to the operating system, to the superuser or to the platform's own objects. All are closed to the customer. */
const escapes = ({ customer, admin }: Names) => [
  `set role ${admin}`,
  `set session authorization ${admin}`,
  `alter role ${customer} superuser`,
  `create role evil superuser`,
  `grant ${admin} to ${customer}`,
  `grant pg_execute_server_program to ${customer}`,
  `grant pg_read_server_files to ${customer}`,
  `alter role ${admin} password 'known'`,
  `alter role supabase_auth_admin password 'known'`,
  `alter role authenticator_anon set role = 'service_role'`,
  `grant supabase_auth_admin to ${customer}`,
  `copy (select 1) to program 'id'`,
  `create temp table out (line text); copy out from program 'id'`,
  `create temp table passwd (line text); copy passwd from '/etc/passwd'`,
  `copy (select 1) to '/tmp/plinth-escape'`,
  `select pg_read_file('postgresql.conf')`,
  `select pg_ls_dir('.')`,
  `select lo_import('/etc/passwd')`,
  `alter system set fsync = off`,
  `set temp_file_limit = -1`,
  `set log_min_error_statement = error`,
  `select pg_reload_conf()`,
  `create extension file_fdw`,
  `create extension dblink`,
  `create extension plpython3u`,
  `create function evil() returns int language c as '/tmp/evil', 'evil'`,
  `load '/tmp/evil.so'`,
  `create event trigger evil on ddl_command_end execute function extensions.notify_schema_change()`,
  `drop event trigger plinth_schema_change`,
  `create or replace function extensions.notify_schema_change() returns event_trigger language plpgsql as 'begin end'`,
  `create or replace function auth.uid() returns uuid language sql as 'select null::uuid'`,
  `drop schema auth cascade`,
  `create table auth.mine (id int)`,
  `create subscription evil connection 'host=127.0.0.1' publication evil`,
  `create language plpython3u`,
  `create tablespace evil location '/tmp'`,
  `update pg_authid set rolsuper = true where rolname = 'postgres'`,
  `delete from pg_database`,
]

/** What a role may do, and above all what it may not. */
export function privilegeTests(project: OfProject, { names, without }: Place): void {
  const { customer, admin } = loginsOf(names)
  const refused = /permission denied|must be|only |not allowed|denied to|no schema|restricted/i

  test.each(escapes(names))('the customer is refused: %s', async (statement) => {
    const { ref, at } = project()
    await expect(ask(at, customer(ref), statement)).rejects.toThrow(refused)
  })
  if (!without.includes('wrappers'))
    test('the customer reaches other databases by a wrapper, with a password and not as the server', async () => {
      const { ref, at } = project()
      const steps = [
        'create extension postgres_fdw with schema extensions',
        `create server elsewhere foreign data wrapper postgres_fdw options (host '${at.socketDir}', port '${at.port}', dbname 'postgres')`,
        `create user mapping for postgres server elsewhere options (user 'supabase_admin')`,
        'create foreign table stolen (rolname text) server elsewhere options (schema_name $$pg_catalog$$, table_name $$pg_authid$$)',
      ]
      for (const step of steps) await ask(at, customer(ref), step)
      await expect(ask(at, customer(ref), 'select count(*) from stolen')).rejects.toThrow(
        /password/i,
      )
      for (const option of ['add password_required $$false$$', 'add sslkey $$/etc/passwd$$'])
        await expect(
          ask(
            at,
            customer(ref),
            `alter user mapping for postgres server elsewhere options (${option})`,
          ),
        ).rejects.toThrow(/superuser/)
      await ask(at, customer(ref), 'drop extension postgres_fdw cascade')
    })
  test('the customer is no superuser, owns the database and works in it', async () => {
    const { ref, at } = project()
    const superuser = 'select rolsuper from pg_roles where rolname = current_user'
    expect(await ask(at, customer(ref), superuser)).toBe(false)
    const work = [
      'create schema shop; create table shop.items (id int)',
      'create role clerk login',
      'create extension citext with schema extensions',
      'alter publication supabase_realtime add table shop.items',
      'drop schema shop cascade; drop role clerk',
      'set role anon',
    ]
    await ask(at, customer(ref), ...work)
  })

  describe('a login of the data API', () => {
    const climbs: [string, string][] = [
      ['authenticator_anon', 'service_role'],
      ['authenticator_anon', 'authenticated'],
      ['authenticator_anon', names.customer],
      ['authenticator_authenticated', 'service_role'],
      ['authenticator_service_role', 'supabase_auth_admin'],
      ['authenticator', names.customer],
      ['supabase_auth_admin', 'service_role'],
    ]
    test.each(climbs)('%s cannot become %s', async (role, target) => {
      const { ref, at } = project()
      const login = service(ref, role)
      await expect(ask(at, login, `set role ${target}`)).rejects.toThrow(/permission denied/)
      const config = `select set_config('role', '${target}', false)`
      await expect(ask(at, login, config)).rejects.toThrow(/permission denied/)
      const session = `set session authorization ${target}`
      await expect(ask(at, login, session)).rejects.toThrow(/permission denied/)
    })
    test('has nothing more behind its role', async () => {
      const { ref, at } = project()
      await ask(
        at,
        customer(ref),
        'create table hidden as select 1 as n; revoke all on hidden from anon',
      )
      const anon = service(ref, 'authenticator_anon')
      const read = 'select n from hidden'
      await expect(ask(at, anon, read)).rejects.toThrow(/permission denied/)
      expect(await ask(at, anon, 'reset role', 'select current_user::text')).toBe('anon')
      await expect(ask(at, anon, 'set role none', read)).rejects.toThrow(/permission denied/)
    })
    test('sees a new table of the customer at once, filtered by row level security', async () => {
      const { ref, at } = project()
      const uid = '00000000-0000-4000-8000-000000000001'
      const make = `create table notes (owner uuid, body text); alter table notes enable row level security;
        create policy own on notes using (owner = auth.uid()); insert into notes values ('${uid}', 'mine'), (null, 'other')`
      await ask(at, customer(ref), make)
      const count = 'select count(*)::int from notes'
      const claims = `set request.jwt.claims = '${JSON.stringify({ sub: uid, role: 'authenticated' })}'`
      const user = service(ref, 'authenticator_authenticated')
      expect(await ask(at, user, count)).toBe(0)
      expect(await ask(at, user, claims, count)).toBe(1)
      expect(await ask(at, service(ref, 'authenticator_service_role'), count)).toBe(2)
      expect(await ask(at, user, claims, 'select auth.role()')).toBe('authenticated')
    })
  })

  test('a member who may only read reads everything and changes nothing', async () => {
    const { ref, at } = project()
    await ask(at, customer(ref), 'create table readable as select 5 as n')
    const reader: Login = service(ref, 'plinth_read_only')
    expect(await ask(at, reader, 'select n from readable')).toBe(5)
    await ask(at, customer(ref), 'create schema shelf', 'create table shelf.book as select 7 as n')
    expect(await ask(at, reader, 'select n from shelf.book')).toBe(7)
    for (const secret of ['pg_authid', 'pg_shadow', 'auth.users'])
      await expect(ask(at, reader, `select 1 from ${secret}`), secret).rejects.toThrow(/permission/)
    const writable = 'set default_transaction_read_only = off'
    const writes = [
      'insert into readable values (6)',
      'create table mine (id int)',
      'drop table readable',
    ]
    for (const write of writes) {
      await expect(ask(at, reader, write), write).rejects.toThrow(/read-only/)
      await expect(ask(at, reader, writable, write), write).rejects.toThrow(/permission|owner/)
    }
  })
  if (!without.includes('known superuser'))
    test('passwords are kept as verifiers', async () => {
      const { ref, at } = project()
      const stored =
        "select string_agg(distinct split_part(rolpassword, '$', 1), ',') from pg_authid"
      expect(await ask(at, admin(ref), stored)).toBe('SCRAM-SHA-256')
      expect(specOf(ref).passwords.postgres).not.toContain('SCRAM')
    })
}
