import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'
import { plainVerbs, touchedSince, touching, tracesOf } from '../testing/rest/plain.ts'

const all = 'insert update delete'

/** As most tables are: each can be changed without any tidying. */
const plainTables: Record<string, string> = {
  everyday: `(id bigint generated always as identity primary key, owner uuid not null default auth.uid(), title text not null
    check (length(title) < 200), tags text[] default '{}', data jsonb, at timestamptz default now(), span int4range,
    slug text generated always as (lower(title)) stored)`,
  older:
    '(id serial primary key, key uuid default gen_random_uuid(), x float default random(), at timestamptz default clock_timestamp())',
  by_extensions: `(id uuid default extensions.uuid_generate_v4() primary key, name extensions.citext unique, names extensions.citext[],
    salt text default extensions.gen_salt('bf'), check (name <> 'nobody'))`,
  moods: "(id int, mood mood default 'good', moods mood[])",
  child: '(id int primary key, parent bigint references everyday on delete cascade)',
  heir: '() inherits (ancestor)',
}
const plainMore = `
  create collation swedish (provider = icu, locale = 'sv');
  create index on everyday (title collate swedish);
  create domain shade as int;
  create function shade_json(shade) returns json language sql return to_json('#' || $1);
  create cast (shade as json) with function shade_json(shade);
  create index on everyday (lower(title)) where length(title) > 3;
  create index on everyday using gin (title extensions.gin_trgm_ops);
  alter table everyday enable row level security;
  create policy own on everyday to authenticated using (owner = (select auth.uid())) with check (owner = auth.uid());
  create policy team on everyday to authenticated using (title = any (array(
    select jsonb_array_elements_text(auth.jwt() -> 'teams'))) and auth.role() = 'authenticated' and auth.email() is not null);
  create policy open on everyday for select to anon using (title = 'open');
  create function public.length(everyday) returns int language sql as 'select 1';`
/** Not plain, and yet of the same kind. */
const otherTables: Record<string, string> = {
  locks_by_extension: "(id int, x text default extensions.dblink_connect('a', 'dbname=b'))",
  sql_by_extension:
    "(x text[] default extensions.regexp_match('a'::extensions.citext, 'b'::extensions.citext))",
  reads_by_extension: '(id int)',
  odd_range: '(id odd_span)',
  odd_super_range: '(id odd_super_span)',
  odd_added_range: '(id odd_added_span)',
  odd_index: '(id int)',
  odd_words: "(id text, words tsvector generated always as (to_tsvector('odd_words', id)) stored)",
  referenced: '(id int primary key)',
}
const otherMore = `
  create policy p on reads_by_extension using (exists (
    select from extensions.crosstab('select touched(1), 1, 1') as t (a int, b int)));
  create index on odd_index (id odd_order);
  create table refers (id int references referenced on update set default);`

describe('what is known of a table', () => {
  let known: TestDataPlane
  let request: Ask
  const someone = '11111111-1111-4111-8111-111111111111'
  const me = { as: 'authenticated', claims: { sub: someone, teams: ['a'] } }

  const made = (tables: Record<string, string>) =>
    Object.entries(tables).map(([name, columns]) => `create table ${name} ${columns};`)
  beforeAll(async () => {
    known = await startDataPlane(touching)
    await withClient(known.database.adminConfig, async (client) => {
      for (const name of ['citext', 'pg_trgm', 'dblink', 'tablefunc']) {
        await client.query(`create extension ${name} schema extensions`)
      }
      await client.query('grant execute on all functions in schema extensions to postgres')
      await client.query(`create extension file_fdw; create server files foreign data wrapper file_fdw;
        create foreign table public.far (id text) server files options (filename 'PG_VERSION')`)
    })
    await known.sql(`create type mood as enum ('good', 'bad'); create table ancestor (id int);
      create function less(a int, b int) returns float language sql immutable as 'select a - b';
      create type odd_span as range (subtype = int, subtype_diff = less);
      create extension hstore; create type odd_added_span as range (subtype = int, subtype_diff = less);
      alter extension hstore add type odd_added_span;
      create text search configuration odd_words (copy = english)`)
    await withClient(known.database.adminConfig, (client) =>
      client.query(`create type odd_super_span as range (subtype = int, subtype_diff = less);
        create function odd_cmp(a int, b int) returns int language sql immutable as 'select btint4cmp(b, a)';
        create operator class odd_order for type int using btree as operator 1 >, operator 2 >=, operator 3 =,
          operator 4 <=, operator 5 <, function 1 odd_cmp(int, int)`),
    )
    await known.sql([...made(plainTables), plainMore, ...made(otherTables), otherMore].join('\n'))
    request = restClient(known)
  })
  afterAll(() => known.close())

  test('most are plain, whatever comes with the server', async () => {
    const found = await plainVerbs(known)
    for (const name of Object.keys(plainTables)) {
      expect(`${name}: ${found[name]}`).toBe(
        `${name}: ${name === 'everyday' ? 'insert update' : all}`,
      )
    }
    expect(found).toMatchObject({
      ancestor: '',
      far: '',
      locks_by_extension: '',
      sql_by_extension: '',
      reads_by_extension: '',
      odd_range: '',
      odd_super_range: '',
      odd_added_range: '',
      odd_index: '',
      odd_words: '',
      referenced: 'insert delete',
      refers: all,
    })
  })

  test('their writes are followed by no tidying, unlike those of a function', async () => {
    const tidied = async () =>
      Number(
        (
          await known.sql(`select coalesce(sum(calls), 0)::int as n from extensions.pg_stat_statements
            where query = 'select pg_advisory_unlock_all()' and dbid = (select oid from pg_database where datname = current_database())`)
        )[0]?.['n'],
      )
    const status = async (...args: Parameters<Ask>) => (await request(...args)).status
    await request('GET /everyday', me)
    const before = await tidied()
    const headers = { prefer: 'return=representation' }
    expect(await status('POST /everyday', { ...me, body: { title: 'a' }, headers })).toBe(201)
    expect(await status('PATCH /everyday?title=eq.a', { ...me, body: { tags: ['b'] } })).toBe(204)
    const upsert = { prefer: 'resolution=merge-duplicates,return=headers-only' }
    expect(await status('POST /older', { body: { id: 1 }, headers: upsert })).toBe(201)
    expect(await status('POST /older', { body: { id: 1 }, headers: upsert })).toBe(200)
    expect(await status('PUT /child?id=eq.1', { body: { id: 1 } })).toBe(204)
    expect(await status('DELETE /child?id=eq.1&select=id', { headers })).toBe(200)
    expect(await status('POST /moods', { body: { id: 1, moods: ['bad'] }, headers })).toBe(201)
    expect(await status('POST /rpc/touched', { body: { x: 1 } })).toBe(200)
    await expect.poll(tidied).toBeGreaterThan(before)
    expect(await tidied()).toBe(before + 1)
  })

  test('a trigger that comes later', async () => {
    await request('POST /moods', { body: { id: 2 } })
    await known.sql('create trigger t after insert on moods for each row execute function touch()')
    expect((await request('POST /moods', { body: { id: 3 } })).status).toBe(201)
    // The next request may be the first with the changed schema, which ends what came in between.
    const later = async () => {
      await request('POST /moods', { body: { id: 4 } })
      return tracesOf(known)
    }
    await expect.poll(later).toBe(0)
    expect((await plainVerbs(known))['moods']).toBe('update delete')
  })

  test('a function that is another later', async () => {
    await known.sql(`create function calm() returns int language sql as 'select 1';
      create table calmed (id int, n int default calm())`)
    await expect
      .poll(async () => (await request('POST /calmed', { body: { id: 1 } })).status)
      .toBe(201)
    await known.sql(
      "create or replace function calm() returns int language sql as 'select touched(1)'",
    )
    await touchedSince(known)
    await request('POST /calmed', { body: { id: 1 } })
    expect(await touchedSince(known)).toBe(true)
    await expect.poll(() => tracesOf(known)).toBe(0)
  })

  test('a function that looks at every request', async () => {
    const target = `alter role authenticator in database ${known.database.name}`
    await withClient(known.database.adminConfig, async (client) => {
      await client.query(
        `create function public.look() returns void language sql as 'select public.touched(1)'`,
      )
      await client.query(`${target} set pgrst.db_pre_request = 'public.look'`)
      await client.query('notify pgrst')
    })
    await request('GET /unknown_on_purpose')
    await touchedSince(known)
    expect((await request('POST /moods', { body: { id: 5 } })).status).toBe(201)
    expect(await touchedSince(known)).toBe(true)
    await expect.poll(() => tracesOf(known)).toBe(0)
    await withClient(known.database.adminConfig, (client) => client.query(`${target} reset all`))
  })

  const asOwner = (sql: string) => `set local role postgres; ${sql}; reset role`
  test.each([
    ['auth.uid() with another owner', 'alter function auth.uid() owner to dashboard_user', all],
    ['a role that acts as its owner', 'grant supabase_auth_admin to postgres', all],
    [
      'an operator that calls an extension',
      asOwner(
        `create operator public.@> (leftarg = text, rightarg = text, function = extensions.similarity)`,
      ),
      '',
    ],
    [
      'an operator that a superuser has made',
      `create function public.odd_like(a text, b text) returns bool language sql return true;
      create operator public.@> (leftarg = text, rightarg = text, function = public.odd_like)`,
      '',
    ],
  ])('%s leaves less that is plain', async (_, change, older) => {
    await withClient(known.database.adminConfig, async (client) => {
      // Undone: roles are of the whole server.
      await client.query('begin')
      await client.query(change)
      const found = await plainVerbs(known, client)
      await client.query('rollback')
      expect(found).toMatchObject({ everyday: '', older })
    })
  })
})
