import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LintReport, type Lint } from '#contract/observability/advisors'
import { fixOf } from '#contract/ddl/advisor-fixes'
import { quoteIdent, qualified } from '#contract/ddl/sql-text'
import { hostileName } from '#contract/testing/tables'
import type { LintName } from '#contract/observability/lints'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create table parent (id int primary key);
    alter table parent enable row level security;
    create policy all_of_it on parent for select using (true)`)
})
afterAll(() => meta.close())

async function report(login?: 'plinth_read_only'): Promise<LintReport> {
  const { status, body } = await meta.call('GET', 'advisors', undefined, login)
  expect(status, JSON.stringify(body)).toBe(200)
  return LintReport.parse(body)
}
const findings = async (name: LintName) => (await report()).lints.filter((l) => l.name === name)

type Defect = { name: LintName; build: string; mend: string; says: RegExp }
const token = (claims: object) =>
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2lnbmF0dXJlc2lnbmF0dXJl`

/** Each is built and found, then mended and gone. Names are as hostile as they come. */
const defects: Defect[] = [
  {
    name: 'no_primary_key',
    build: 'create table "No ""key" (n int); alter table "No ""key" enable row level security',
    mend: 'alter table "No ""key" add primary key (n); create policy p on "No ""key" using (true)',
    says: /"No ""key"/,
  },
  {
    name: 'rls_disabled_in_public',
    build: 'create table "öffen lich" (n int primary key)',
    mend: 'alter table "öffen lich" enable row level security',
    says: /"öffen lich"/,
  },
  {
    name: 'rls_enabled_no_policy',
    build: 'create table silent (n int primary key); alter table silent enable row level security',
    mend: 'create policy loud on silent using (true)',
    says: /silent/,
  },
  {
    name: 'policy_exists_rls_disabled',
    build: 'create table asleep (n int primary key); create policy p on asleep using (true)',
    mend: 'alter table asleep enable row level security',
    says: /has a policy/,
  },
  {
    name: 'unindexed_foreign_keys',
    build: 'create table child (id int primary key, "the parent" int references parent)',
    mend: 'create index on child ("the parent")',
    says: /child/,
  },
  {
    name: 'unused_index',
    build: 'create table rare (id int primary key, n int); create index "rare index" on rare (n)',
    mend: 'drop index "rare index"',
    says: /"rare index"/,
  },
  {
    name: 'duplicate_index',
    build:
      'create table twice (id int primary key, n int); create index a on twice (n); create index b on twice (n)',
    mend: 'drop index b',
    says: /a, b/,
  },
  {
    name: 'auth_rls_initplan',
    build: `create table slow (owner uuid primary key); alter table slow enable row level security;
      create policy "mine only" on slow using (owner = auth.uid())`,
    mend: 'alter policy "mine only" on slow using (owner = (select auth.uid()))',
    says: /"mine only"/,
  },
  {
    name: 'rls_references_user_metadata',
    build: `create table trusting (id int primary key); alter table trusting enable row level security;
      create policy staff on trusting using ((select auth.jwt()) -> 'user_metadata' ->> 'role' = 'staff')`,
    mend: `alter policy staff on trusting using ((select auth.jwt()) -> 'app_metadata' ->> 'role' = 'staff')`,
    says: /staff/,
  },
  {
    name: 'multiple_permissive_policies',
    build: `create table many (id int primary key); alter table many enable row level security;
      create policy one on many for select to authenticated using (true);
      create policy two on many to authenticated using (false)`,
    mend: 'drop policy one on many',
    says: /select by authenticated: one, two/,
  },
  {
    name: 'security_definer_view',
    build: 'create view "pl ain""" as select 1 as n',
    mend: 'alter view "pl ain""" set (security_invoker = on)',
    says: /pl ain/,
  },
  {
    name: 'auth_users_exposed',
    build: 'create view people as select id, email from auth.users',
    mend: 'revoke all on people from anon, authenticated',
    says: /people/,
  },
  {
    name: 'materialized_view_in_api',
    build: 'create materialized view kept as select 1 as n',
    mend: 'revoke all on kept from anon, authenticated',
    says: /kept/,
  },
  {
    name: 'function_search_path_mutable',
    build: `create function loose(text, "a b" int) returns int language sql as 'select 1'`,
    mend: `alter function loose(text, int) set search_path = ''`,
    says: /loose\(text, "a b" integer\)/,
  },
  {
    name: 'unsupported_reg_types',
    build: 'create table regs (id int primary key, f regprocedure)',
    mend: 'alter table regs alter f type text',
    says: /regprocedure/,
  },
  {
    name: 'fkey_to_auth_unique',
    build: 'create table mails (id int primary key, phone text references auth.users (phone))',
    mend: 'alter table mails drop constraint mails_phone_fkey',
    says: /mails_phone_fkey/,
  },
  {
    name: 'leaked_service_key',
    build: `create function leaky() returns text language sql set search_path = '' as $$ select '${token({ role: 'service_role' })}' $$`,
    mend: `create or replace function leaky() returns text language sql set search_path = '' as $$ select '${token({ role: 'anon' })}' $$`,
    says: /leaky/,
  },
]

/** By the repair that is offered, where there is one; by hand where a person has to decide. */
async function mend({ mend: byHand }: Defect, lint: Lint | undefined): Promise<void> {
  const fix = lint && fixOf(lint)
  if (!fix) return void (await meta.sql(byHand))
  const { status, body } = await meta.call('POST', 'changes', fix)
  expect(status, JSON.stringify(body)).toBe(200)
}

const reports = { clean: [] as Lint[], built: [] as Lint[], mended: [] as Lint[] }
const ofDefect = (lints: readonly Lint[], { name, says }: Defect) =>
  lints.filter((lint) => lint.name === name && says.test(lint.detail))

/** All at once: a look at a database costs more than building one more defect in it. */
beforeAll(async () => {
  reports.clean = (await report()).lints
  for (const { build } of defects) await meta.sql(build)
  reports.built = (await report()).lints
  for (const defect of defects) await mend(defect, ofDefect(reports.built, defect)[0])
  reports.mended = (await report()).lints
})

test.each(defects)('$name is found, and gone when it is mended', (defect) => {
  expect(ofDefect(reports.clean, defect)).toEqual([])
  expect(ofDefect(reports.built, defect)).toHaveLength(1)
  expect(ofDefect(reports.mended, defect)).toEqual([])
})

/** Apart from the names of the other tests, and still no longer than Postgres takes. */
const prefixed = (prefix: string) =>
  hostileName
    .filter((name) => new TextEncoder().encode(name).length + prefix.length <= 63)
    .map((name) => prefix + name)

test('whatever things are called: the repairs that are offered work, and nothing is left to find', async () => {
  await fc.assert(
    fc.asyncProperty(prefixed('t '), prefixed('c '), async (table, column) => {
      const name = qualified('public', table)
      // What a run that failed has left behind is not the next one's fault.
      await meta.sql(`drop table if exists ${name}`)
      await meta.sql(
        `create table ${name} (id int primary key, ${quoteIdent(column)} int references parent);
         create policy ${quoteIdent(column)} on ${name} using (current_setting('a.b', true) = 'x')`,
      )
      const about = async () =>
        (await report()).lints.filter((lint) => lint.metadata['name'] === table)
      // The second round sees what the first could not: only with row level security on do policies cost anything.
      for (const round of ['first', 'second'])
        for (const lint of await about()) {
          const fix = lint.name === 'unused_index' ? undefined : fixOf(lint)
          const done = fix && (await meta.call('POST', 'changes', fix))
          expect(done?.status ?? 200, `${round} ${JSON.stringify([lint, done?.body])}`).toBe(200)
        }
      expect((await about()).map((lint) => lint.name)).toEqual(['unused_index'])
      await meta.sql(`drop table ${name}`)
    }),
    { numRuns: 4 },
  )
})

test('what only a superuser can build is found too', async () => {
  const { withClient } = await import('#kit/postgres/client')
  await withClient(meta.db.adminConfig, async (client) => {
    await client.query('create extension citext schema public version "1.4"')
    await client.query('create extension file_fdw schema extensions')
    await client.query(
      "create server files foreign data wrapper file_fdw; create foreign table outside (line text) server files options (filename '/dev/null'); alter foreign table outside owner to postgres; grant select on outside to anon",
    )
  })
  const names = (await report()).lints.map(({ name }) => name)
  expect(names).toContain('extension_in_public')
  expect(names).toContain('extension_versions_outdated')
  expect(names).toContain('foreign_table_in_api')
  await withClient(meta.db.adminConfig, async (client) => {
    await client.query(
      'alter extension citext update; alter extension citext set schema extensions',
    )
    await client.query('drop server files cascade')
  })
  const left = (await report()).lints.map(({ name }) => name)
  for (const name of ['extension_in_public', 'extension_versions_outdated', 'foreign_table_in_api'])
    expect(left).not.toContain(name)
})

test('a table that is mostly room is found until it is rebuilt', async () => {
  await meta.sql(`create table roomy (id int primary key, t text) with (autovacuum_enabled = off);
    insert into roomy select n, repeat('x', 400) from generate_series(1, 40000) n`)
  await meta.sql('delete from roomy where id < 39990')
  await meta.sql('analyze roomy')
  expect(await findings('table_bloat')).toMatchObject([{ metadata: { name: 'roomy' } }])
  // Rows that somebody can still see, such as a worker that counts another table, are taken along.
  await expect
    .poll(async () => {
      await meta.sql('vacuum (full, analyze) roomy')
      return findings('table_bloat')
    })
    .toEqual([])
})

test('who may only read gets the same findings, and the secret itself is never told', async () => {
  await meta.sql(
    `create function leaky_again() returns text language sql as $$ select '${token({ role: 'service_role' })}' $$`,
  )
  const mine = await report()
  expect(await report('plinth_read_only')).toEqual(mine)
  expect(mine.lints.map(({ name }) => name)).toContain('leaked_service_key')
  expect(JSON.stringify(mine)).not.toContain('eyJ')
  expect(new Set(mine.lints.map(({ cache_key }) => cache_key)).size).toBe(mine.lints.length)
})

test('what cannot be known is left out and said', async () => {
  const { lints, skipped } = await report()
  expect(skipped.map(({ name }) => name)).toEqual([
    'auth_otp_long_expiry',
    'auth_otp_short_length',
    'auth_insufficient_mfa_options',
    'auth_leaked_password_protection',
  ])
  expect(lints.filter(({ name }) => name.startsWith('auth_otp'))).toEqual([])
})

test('rules about access leave alone what programs cannot reach', async () => {
  const about = async () =>
    (await report()).lints
      .filter(({ metadata, name }) => metadata['schema'] === 'hidden' && name !== 'no_primary_key')
      .map(({ name, metadata }) => `${name} ${String(metadata['name'])}`)
      .toSorted()
  await meta.sql(`
    create schema hidden;
    create table hidden.open (id int primary key);
    create table hidden.silent (id int primary key); alter table hidden.silent enable row level security;
    create table hidden.asleep (id int primary key); create policy p on hidden.asleep using (true);
    create view hidden.seen as select 1 as n; create materialized view hidden.kept as select 1 as n`)
  expect(await about()).toEqual([])
  // A view of an exposed schema may lead here.
  await meta.sql(`grant usage on schema hidden to authenticated;
    grant select on hidden.silent, hidden.asleep to authenticated`)
  expect(await about()).toEqual([
    'policy_exists_rls_disabled asleep',
    'rls_enabled_no_policy silent',
  ])
  await meta.sql('drop schema hidden cascade')
})
