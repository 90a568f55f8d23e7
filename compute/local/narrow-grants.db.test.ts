import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client } from '#kit/postgres/client'
import type { DatabaseAddress } from '../provider.ts'
import { admin, ask, customer, service, specOf, testRef } from '../testing/conformance-project.ts'
import { localHarness, type LocalHarness } from '../testing/local.ts'

/** What an owner of a database may not do with what the platform keeps in it: in a new project, and in one of before. */
let harness: LocalHarness
const fresh = testRef()
const earlier = testRef()
const at = new Map<string, DatabaseAddress>()

beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
  await harness.provider.prepare()
  at.set(fresh, await harness.provider.create(specOf(fresh)))
  const before = await harness.provider.create(specOf(earlier))
  await ask(
    before,
    admin(earlier),
    'grant pg_read_all_data to postgres',
    'alter schema extensions owner to postgres',
    'alter role postgres reset createrole_self_grant',
    'alter role plinth_sql reset createrole_self_grant',
    'alter role postgres replication',
    'create role follower login replication',
  )
  const file = join(harness.folder(earlier), 'project.json')
  const { upgrade: _, ...record } = JSON.parse(await readFile(file, 'utf8')) as { upgrade?: string }
  await writeFile(file, JSON.stringify(record))
  const provider = await harness.reopen()
  for (const ref of [fresh, earlier]) at.set(ref, await provider.start(ref))
})
afterAll(() => harness.close())

describe.each([
  ['a new project', fresh],
  ['one of an earlier version', earlier],
])('%s', (_, ref) => {
  const sql = (...texts: string[]) => {
    const address = at.get(ref)
    if (!address) throw new Error(`${ref} does not run`)
    return ask(address, customer(ref), ...texts)
  }

  test.each([
    ['reads the verifiers of passwords', 'select rolpassword from pg_authid'],
    ['reads them by the older name', 'select passwd from pg_shadow'],
    ['copies them', 'copy (select * from pg_authid) to stdout'],
    ['drops what everybody looks for', 'drop schema extensions cascade'],
    ['gives it away', 'alter schema extensions owner to service_role'],
    ['drops an extension of the platform', 'drop extension pgcrypto cascade'],
    [
      'replaces its functions',
      `create or replace function extensions.gen_random_bytes(int) returns bytea language sql as 'select null'`,
    ],
    ['drops what auth is made of', 'drop schema auth cascade'],
  ])('nobody %s', async (_name, text) => {
    await expect(sql(text)).rejects.toThrow(
      /permission denied|must be owner|must be able to SET ROLE/,
    )
  })

  test.each([
    ['a schema with all that is in it', 'drop schema storage cascade'],
    ['a table of a service', 'drop table storage.objects cascade'],
    ['one of realtime', 'drop table realtime.messages cascade'],
    ['a column of one', 'alter table storage.objects drop column metadata'],
    ['a function of a service', 'drop function storage.foldername(text) cascade'],
    [
      'what a role of a service owns',
      'set role supabase_realtime_admin; drop owned by supabase_realtime_admin cascade',
    ],
    [
      'a table, as if it was replicated',
      'set session_replication_role = replica; drop table storage.buckets cascade',
    ],
    ['a table, as its owner', 'set role supabase_realtime_admin; drop table realtime.subscription'],
  ])('nobody drops %s', async (_name, text) => {
    await expect(sql(text)).rejects.toThrow(
      /belongs to the platform and cannot be dropped|permission denied|must be owner of schema/,
    )
    expect(
      await sql(
        "select count(*)::int from pg_class where oid in ('storage.objects'::regclass, 'storage.buckets'::regclass, 'realtime.messages'::regclass, 'realtime.subscription'::regclass)",
      ),
    ).toBe(4)
  })

  test('nobody takes the guard away', async () => {
    for (const text of [
      'drop event trigger plinth_kept_objects',
      'alter event trigger plinth_kept_objects disable',
      'drop function extensions.refuse_drops() cascade',
      'set event_triggers = off',
      `create or replace function extensions.refuse_drops() returns event_trigger language plpgsql as 'begin end'`,
    ])
      await expect(sql(text), text).rejects.toThrow(/must be owner|permission denied/)
  })

  test('policies, triggers and own things there come and go', async () => {
    await sql(
      'create policy mine on storage.objects for select to anon using (true)',
      'drop policy mine on storage.objects',
      'create function public.noted() returns trigger language plpgsql as $$ begin return new; end $$',
      'create trigger noted before insert on storage.objects for each row execute function public.noted()',
      'drop function public.noted() cascade',
      'create table public.own (id int)',
      'drop table public.own',
    )
  })

  test('the guard knows everything that the platform has made there', async () => {
    const address = at.get(ref)
    if (!address) throw new Error(`${ref} does not run`)
    const made = `select string_agg(name, ',' order by name) from (
      select distinct n.nspname || '.' || o.name as name
      from (
        select relnamespace, relname from pg_class
          where relkind in ('r', 'p', 'v', 'm', 'S') and relname !~ '^messages_\\d'
        union all select pronamespace, proname from pg_proc
        union all select typnamespace, typname from pg_type where typtype in ('e', 'd')
      ) o (namespace, name)
      join pg_namespace n on n.oid = o.namespace where n.nspname in ('storage', 'realtime')) found`
    const kept = `select string_agg(name[1], ',' order by name[1])
      from pg_proc, regexp_matches(prosrc, '''((?:storage|realtime)\\.\\w+)''', 'g') name where proname = 'refuse_drops'`
    const known = await ask(address, admin(ref), kept)
    expect(known).toContain('storage.objects,')
    expect(known).toBe(await ask(address, admin(ref), made))
  })

  test.each([
    ['a slot by itself', "select pg_create_logical_replication_slot('mine', 'pgoutput')"],
    ['a physical slot', "select pg_create_physical_replication_slot('mine')"],
    ['a role that streams', 'create role streams replication'],
    ['its own login stream', 'alter role postgres replication'],
    ['the login of realtime its own', 'grant plinth_realtime to postgres'],
    ['itself the owner of slots', 'set role plinth_slots'],
    [
      'a slot with any library',
      "select extensions.create_replication_slot('mine', '/tmp/mine.so')",
    ],
    [
      'a slot with a library of the server',
      "select extensions.create_replication_slot('mine', 'auto_explain')",
    ],
    ['a slot of the platform', "select extensions.create_replication_slot('realtime_mine')"],
    ['nobody else make slots', "set role anon; select extensions.create_replication_slot('mine')"],
  ])('nobody makes %s', async (_name, text) => {
    await expect(sql(text)).rejects.toThrow(/permission denied|not allowed|belong to the platform/)
  })

  test('nobody streams: neither changes nor a copy of the server', async () => {
    const address = at.get(ref)
    if (!address) throw new Error(`${ref} does not run`)
    const { role: user, password } = customer(ref)
    const { socketDir: host, port } = address
    for (const replication of ['true', 'database']) {
      // The types of pg leave `replication` out.
      const login = { host, port, user, password, database: 'postgres', replication }
      const stream = new Client(login)
      await expect(stream.connect(), replication).rejects.toThrow(
        /permission denied to start WAL sender|no pg_hba/,
      )
      await stream.end()
    }
    const streams =
      "select string_agg(rolname, ',' order by rolname) from pg_roles where rolreplication"
    expect(await sql(streams)).toBe('plinth_realtime,plinth_slots,supabase_admin')
  })

  test('changes are read by slots that the customer makes, as many as a project may have', async () => {
    await sql('create table public.followed (id int primary key)')
    await sql("select extensions.create_replication_slot('mine', 'test_decoding')")
    await sql('insert into public.followed values (7)')
    const read = (how: string) =>
      `select string_agg(data, '; ') from extensions.${how}_replication_slot_changes('mine', null, null, 'skip-empty-xacts', '1')`
    expect(await sql(read('peek'))).toContain('INSERT: id[integer]:7')
    expect(await sql(read('get'))).toContain('INSERT: id[integer]:7')
    expect(await sql(read('get'))).toBe(null)
    await sql("select extensions.advance_replication_slot('mine', pg_current_wal_lsn())")
    await sql('create publication followed for table public.followed')
    await sql("select extensions.create_replication_slot('binary_one')")
    await sql('insert into public.followed values (8)')
    const binary = `select sum(length(data))::int > 0 from extensions.get_replication_slot_binary_changes(
      'binary_one', null, null, 'proto_version', '1', 'publication_names', 'followed')`
    expect(await sql(binary)).toBe(true)
    for (const name of ['c', 'd', 'e', 'f'])
      await sql(`select extensions.create_replication_slot('${name}')`)
    await expect(sql("select extensions.create_replication_slot('g')")).rejects.toThrow(
      /has 6 replication slots already/,
    )
    // One of a session is one of them.
    await expect(
      sql("select extensions.create_replication_slot('g', 'pgoutput', true)"),
    ).rejects.toThrow(/has 6 replication slots already/)
    for (const name of ['mine', 'binary_one', 'c', 'd', 'e', 'f'])
      await sql(`select extensions.drop_replication_slot('${name}')`)
    await expect(sql("select extensions.drop_replication_slot('g')")).rejects.toThrow(
      /does not exist/,
    )
    await sql('drop publication followed', 'drop table public.followed')
  })

  test('what the services keep can be read, and extensions installed', async () => {
    for (const table of ['auth.users', 'storage.objects', 'realtime.messages'])
      expect(await sql(`select count(*)::int from ${table}`)).toBe(0)
    await sql('create extension if not exists hstore schema extensions', 'drop extension hstore')
    await sql(
      'create role helper',
      'grant usage on schema extensions to helper',
      'drop owned by helper',
      'drop role helper',
    )
  })

  test.each([
    ['from outside', customer(ref)],
    ['in the dashboard', service(ref, 'plinth_sql')],
  ])('what the customer’s own roles make is the customer’s too: %s', async (_where, login) => {
    const address = at.get(ref)
    if (!address) throw new Error(`${ref} does not run`)
    expect(
      await ask(
        address,
        login,
        'create role maker',
        'grant create on schema public to maker',
        'set role maker',
        'create table public.made as select 1 as id',
        'reset role',
        'select id from public.made',
      ),
    ).toBe(1)
    await sql('drop owned by maker', 'drop role maker')
  })
})
