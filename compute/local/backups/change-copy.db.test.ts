import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BranchMask } from '#contract/projects/branch-masks'
import { admin, ask, customer, specOf, testRef } from '../../testing/conformance-project.ts'
import { CopyRefusedError, type CopyChanges, type DatabaseAddress } from '../../provider.ts'
import { localHarness, type LocalHarness } from '../../testing/local.ts'

/** Each waits for real servers, beside whatever else the machine does. */
const patience = { timeout: 120_000 }

const run = promisify(execFile)
let harness: LocalHarness
let ref: string
let at: DatabaseAddress
let orders = 0

/** Short enough that no value is compressed, and like nothing else in a cluster. */
const secret = 'zqsecretqz'
const backups = () => {
  if (!harness.provider.backups) throw new Error('This provider keeps no backups')
  return harness.provider.backups
}
const sql = (...statements: string[]) => ask(at, customer(ref), ...statements)
const mask = (column: string, kind: BranchMask['kind'], text = ''): BranchMask => {
  const [schema = '', table = '', name = ''] = column.split('.')
  return { schema, table, column: name, kind, text }
}
/** A copy with these changes; whoever gets it has to destroy it. */
async function copyWith(changes: CopyChanges) {
  const id = String((orders += 1))
  await backups().make({ ref, id }, specOf(ref).passwords.admin)
  try {
    return await copyOf(id, changes)
  } finally {
    await backups().remove({ ref, id })
  }
}
async function copyOf(id: string, changes: CopyChanges) {
  const copy = testRef()
  const there = await backups().restore(specOf(copy), { ref, id }, `order ${id}`, changes)
  return {
    copy,
    ask: (...statements: string[]) => ask(there, customer(copy), ...statements),
    asAdmin: (...statements: string[]) => ask(there, admin(copy), ...statements),
  }
}
/** Files of a stopped copy that have the secret in them. */
async function filesWith(copy: string, text: string): Promise<string[]> {
  await harness.provider.stop(copy)
  const folder = harness.folder(copy)
  const found = await run('grep', ['-r', '-l', '-a', text, folder]).catch((error: unknown) => {
    const { code } = Object.assign({ code: undefined }, error)
    // Nothing was found.
    if (code === 1) return { stdout: '' }
    throw error
  })
  return found.stdout.split('\n').filter(Boolean)
}

beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
  await harness.provider.prepare()
  ref = testRef()
  at = await harness.provider.create(specOf(ref))
  await sql(
    `create table people (id int primary key, email text not null unique, phone varchar(40), note text, age int, code varchar(8),
      town text generated always as (upper(note)) stored)`,
    `insert into people (id, email, phone, note, age, code)
     select n, '${secret}-' || n || '@mail.example', '${secret}' || n, '${secret}', n, 'abc' from generate_series(1, 300) n`,
    'create index people_lower on people (lower(email))',
    'create statistics people_words (mcv) on note, phone from people',
    `create materialized view known as select email from people`,
    `create table friends (id int primary key, email text references people (email))`,
    `create table parts (id int, word text not null) partition by range (id)`,
    `create table parts_low partition of parts for values from (0) to (100)`,
    `insert into parts select n, '${secret}' from generate_series(1, 50) n`,
    'analyze',
  )
  await ask(
    at,
    admin(ref),
    `insert into auth.users (id, email, phone, raw_user_meta_data)
     values ('00000000-0000-4000-8000-000000000001', '${secret}@users.example', '${secret}9', '{"email": "${secret}@users.example", "name": "Ada"}')`,
    `insert into auth.identities (provider_id, user_id, provider, identity_data)
     values ('00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001', 'email', '{"sub": "x", "email": "${secret}@users.example"}')`,
    `insert into auth.audit_log_entries (id, payload) values (gen_random_uuid(), '{"actor_username": "${secret}@users.example"}')`,
  )
})
afterAll(() => harness.close())

const all: BranchMask[] = [
  mask('public.people.email', 'fake_email'),
  mask('public.people.phone', 'hash'),
  mask('public.people.note', 'fixed', 'hidden'),
  mask('public.parts.word', 'empty'),
  mask('auth.users.email', 'fake_email'),
  mask('auth.users.phone', 'null'),
]

test('a list that does not fit leaves no copy, and says why', patience, async () => {
  const refused: [BranchMask[], RegExp][] = [
    [[mask('public.people.gone', 'null')], /public\.people\.gone does not exist/],
    [[mask('public.nobody.email', 'null')], /public\.nobody\.email does not exist/],
    [[mask('public.people.email', 'hash'), mask('public.people.gone', 'null')], /gone does not/],
    [[mask('public.friends.email', 'hash')], /part of a foreign key/],
    [[mask('public.people.town', 'empty')], /generated/],
    [[mask('public.people.age', 'hash')], /not a text/],
    [[mask('public.people.code', 'hash')], /holds 8 characters/],
    [[mask('public.parts.word', 'null')], /cannot be null/],
    [[mask('public.parts.id', 'null')], /partition key/],
    [[mask('public.known.email', 'hash')], /not a column of a table/],
    [[mask('storage.objects.name', 'hash')], /belongs to the platform/],
    [[mask('auth.users.encrypted_password', 'hash')], /belongs to the platform/],
    [[mask('public.people.email', 'hash')], /part of a foreign key/],
  ]
  const id = String((orders += 1))
  await backups().make({ ref, id }, specOf(ref).passwords.admin)
  for (const [masks, why] of refused) {
    const before = await harness.provider.list()
    const made = copyOf(id, { rows: true, masks })
    await expect(made, String(why)).rejects.toThrow(CopyRefusedError)
    await expect(made, String(why)).rejects.toThrow(why)
    expect(await harness.provider.list()).toEqual(before)
  }
  await backups().remove({ ref, id })
  await sql('drop table friends')
})

test(
  'no value of before is in a copy: not in tables, views, statistics, or any of its files',
  patience,
  async () => {
    const made = await copyWith({ rows: true, masks: all })
    try {
      expect(await made.ask('select count(*)::int from people')).toBe(300)
      expect(
        await made.ask(
          `select count(*)::int from people where email = format('user-%s@example.com', id)`,
        ),
      ).toBe(300)
      expect(
        await made.ask('select count(distinct phone)::int from people where length(phone) = 32'),
      ).toBe(300)
      expect(
        await made.ask(
          `select count(*)::int from people where note = 'hidden' and town = 'HIDDEN'`,
        ),
      ).toBe(300)
      expect(await made.ask(`select count(*)::int from parts where word = ''`)).toBe(50)
      expect(await made.ask(`select email || phone from auth.users`)).toBe(null)
      expect(await made.ask(`select email = 'user-' || id || '@example.com' from auth.users`)).toBe(
        true,
      )
      expect(await made.ask(`select raw_user_meta_data ->> 'name' from auth.users`)).toBe('Ada')
      expect(
        await made.ask(
          `select i.email = u.email from auth.identities i join auth.users u on u.id = i.user_id`,
        ),
      ).toBe(true)
      expect(
        await made.ask(
          `select count(*)::int from pg_stats where most_common_vals::text like '%${secret}%' or histogram_bounds::text like '%${secret}%'`,
        ),
      ).toBe(0)
      await expect(made.ask('select * from known')).rejects.toThrow(/has not been populated/)
      await made.ask('refresh materialized view known')
      expect(await made.ask(`select count(*)::int from known where email like '${secret}%'`)).toBe(
        0,
      )
      // Nobody is left who did it.
      expect(
        await made.asAdmin(
          `select count(*)::int from pg_roles where rolname like 'plinth_changer%'`,
        ),
      ).toBe(0)
      expect(
        await made.asAdmin(
          `select count(*)::int from pg_class c, aclexplode(c.relacl) a where a.grantee not in (select oid from pg_roles) and a.grantee <> 0`,
        ),
      ).toBe(0)
      expect(await filesWith(made.copy, secret)).toEqual([])
      expect(await filesWith(made.copy, secret.toUpperCase())).toEqual([])
    } finally {
      await harness.provider.destroy(made.copy)
    }
    // The project itself is as it was, and its files have it: so the look at files finds what there is.
    expect(await sql(`select count(*)::int from people where email like '${secret}%'`)).toBe(300)
    const plain = await copyWith({ rows: true, masks: [] })
    expect(await plain.ask(`select count(*)::int from people where email like '${secret}%'`)).toBe(
      300,
    )
    expect((await filesWith(plain.copy, secret)).length).toBeGreaterThan(0)
    await harness.provider.destroy(plain.copy)
  },
)

test(
  'code of a tenant that runs while a copy is changed can do nothing there, and what would fire always is refused',
  patience,
  async () => {
    await sql(
      `create table trap (id int primary key, email text)`,
      `insert into trap values (1, '${secret}@trap.example')`,
      `create table caught (who text, what text); grant all on caught to public`,
      // In an index it runs as whoever writes.
      `create function try_it(word text) returns void language plpgsql as $$ begin
       begin
         insert into public.caught values (session_user, word);
       exception when others then null; end;
       begin
         execute 'alter role postgres superuser';
       exception when others then null; end;
       begin
         insert into public.caught select 'reads as ' || current_user, email from auth.users;
       exception when others then null; end; end $$`,
      `create function look(word text) returns text language plpgsql immutable as $$ begin
       perform public.try_it(word); return lower(word); end $$`,
      'create index trap_look on trap (public.look(email))',
      'truncate caught',
      'truncate caught',
      `create function copy_it() returns trigger language plpgsql security definer as $$ begin
       insert into public.caught values ('trigger', old.email); return new; end $$`,
      'create trigger copies before update on trap for each row execute function copy_it()',
      'create rule also as on update to trap do also insert into caught values ($$rule$$, old.email)',
    )
    const masks = [mask('public.trap.email', 'hash')]
    const made = await copyWith({ rows: true, masks })
    try {
      expect(await made.ask(`select count(*)::int from caught where what like '%@trap%'`)).toBe(0)
      // It ran, and was let do what everybody may.
      expect(
        await made.ask(`select count(*) > 0 from caught where who like 'plinth_changer%'`),
      ).toBe(true)
      expect(
        await made.ask(`select count(*)::int from caught where who like 'reads as plinth%'`),
      ).toBe(0)
      expect(await made.ask(`select rolsuper from pg_roles where rolname = 'postgres'`)).toBe(false)
      expect(await made.ask('select length(email) from trap')).toBe(32)
    } finally {
      await harness.provider.destroy(made.copy)
    }
    await sql('alter table trap enable always trigger copies')
    await expect(copyWith({ rows: true, masks })).rejects.toThrow(
      /trigger copies of its table always fires/,
    )
    await sql('alter table trap enable trigger copies', 'alter table trap enable always rule also')
    await expect(copyWith({ rows: true, masks })).rejects.toThrow(
      /rule also of its table always fires/,
    )
    await sql(
      'drop table trap cascade; drop table caught; drop function look(text), try_it(text), copy_it()',
    )
  },
)

test('what a table refuses stops the copy, in words without a value', patience, async () => {
  await sql(
    `create table strict (id int primary key, word text check (word like 'zq%'))`,
    `insert into strict values (1, '${secret}')`,
  )
  const made = copyWith({ rows: true, masks: [mask('public.strict.word', 'hash')] })
  await expect(made).rejects.toThrow(
    'Masking public.strict.word failed: a check of the table refuses the value (strict_word_check)',
  )
  await expect(made).rejects.not.toThrow(secret)
  await sql('drop table strict')
})

test('a copy without rows has everything else, and sequences begin anew', patience, async () => {
  await sql(
    `create table counted (id int generated always as identity, person int references people (id), word text)`,
    `insert into counted (person, word) select n, '${secret}' from generate_series(1, 20) n`,
    `create policy everybody on counted for select using (true)`,
    `create schema supabase_migrations; create table supabase_migrations.schema_migrations (version text, name text, statements text[])`,
    `insert into supabase_migrations.schema_migrations (version, name, statements) values ('20200101000000', 'first', '{}')`,
    `select lo_from_bytea(0, '${secret}'::bytea)`,
  )
  const made = await copyWith({ rows: false, masks: [] })
  try {
    for (const table of ['people', 'counted', 'parts', 'auth.users', 'auth.identities'])
      expect(await made.ask(`select count(*)::int from ${table}`), table).toBe(0)
    expect(
      await made.ask(`select count(*)::int from pg_policies where tablename = 'counted'`),
    ).toBe(1)
    expect(await made.ask(`select name from supabase_migrations.schema_migrations`)).toBe('first')
    expect(
      await made.ask(
        `insert into people (id, email) values (1, 'new'); insert into counted (person) values (1)`,
        'select id from counted',
      ),
    ).toBe(1)
    expect(await made.asAdmin('select count(*)::int from pg_largeobject_metadata')).toBe(0)
    expect(await filesWith(made.copy, secret)).toEqual([])
  } finally {
    await harness.provider.destroy(made.copy)
  }
  expect(await sql('select count(*)::int from counted')).toBe(20)
})
