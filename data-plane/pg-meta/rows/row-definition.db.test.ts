import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

async function idOf(name: string): Promise<number> {
  const [row] = await meta.sql(`select '${name}'::regclass::oid::int as id`)
  return Number(row?.['id'])
}
const definition = async (name: string) => {
  const { status, body } = await meta.call('GET', `entities/${await idOf(name)}/definition`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as { sql: string; realtime: boolean | null }
}

test('what is not there has no definition', async () => {
  expect((await meta.call('GET', 'entities/1/definition')).status).toBe(404)
})

test('a definition makes the same table, view and partitioned table again, whatever their names', async () => {
  await meta.sql(`
    create table "or""ders; --" (
      id int8 generated always as identity primary key, "it's" text default 'it''s' collate "C", n numeric(10, 2) not null,
      twice numeric generated always as (n * 2) stored, self int8 references "or""ders; --" on delete cascade,
      l text[] default '{}', unique ("it's", n), check (n > 0)
    );
    create index "odd index" on "or""ders; --" (lower("it's")) where n > 3;
    alter table "or""ders; --" enable row level security;
    create policy "one 'p'" on "or""ders; --" as restrictive for update to postgres, public using (n > 1) with check (n > 2);
    create function touched() returns trigger language plpgsql as 'begin return new; end';
    create trigger touch before update on "or""ders; --" for each row execute function touched();
    comment on table "or""ders; --" is 'It''s'; comment on column "or""ders; --".n is 'a; b';
    create view seen with (security_invoker = true) as select id, n from "or""ders; --";
    create materialized view kept as select 1 as one;
    create table parted (day date, v int) partition by range (day)`)
  for (const name of ['"or""ders; --"', 'seen', 'kept', 'parted']) {
    const before = await definition(name)
    const what = name === 'seen' ? 'view' : name === 'kept' ? 'materialized view' : 'table'
    const views = name.startsWith('"') ? 'drop view if exists seen;' : ''
    await meta.sql(`${views} drop ${what} ${name}; ${before.sql}`)
    expect((await definition(name)).sql).toBe(before.sql)
    if (views)
      await meta.sql(
        'create view seen with (security_invoker = true) as select id, n from "or""ders; --"',
      )
  }
})

test('it says whether changes are sent to clients', async () => {
  await meta.sql('create table heard (a int primary key)')
  await meta.sql(`do $$ begin
    if not exists (select from pg_publication where pubname = 'supabase_realtime') then create publication supabase_realtime; end if; end $$`)
  expect((await definition('heard')).realtime).toBe(false)
  await meta.sql('alter publication supabase_realtime add table heard')
  expect((await definition('heard')).realtime).toBe(true)
})

test('the list of a schema is sorted and narrowed by kind, part by part, and warns of views with rights of their owner', async () => {
  await meta.sql(`create schema many;
    do $$ begin for i in 1..120 loop execute format('create table many.t%s (a int)', lpad(i::text, 3, '0')); end loop; end $$;
    create view many.a_definer as select 1 as one;
    create view many.b_invoker with (security_invoker = on) as select 1 as one;
    create materialized view many.c_kept as select 1 as one`)
  type List = { total: number; entities: { name: string; security_definer: boolean }[] }
  const list = async (query: string) =>
    (await meta.call('GET', `entities?schema=many&${query}`)).body as List
  const all: string[] = []
  for (let offset = 0; offset < 123; offset += 50) {
    const { total, entities } = await list(`sort=kind&limit=50&offset=${offset}`)
    expect(total).toBe(123)
    all.push(...entities.map(({ name }) => name))
  }
  expect(new Set(all).size).toBe(123)
  expect(all.slice(-3)).toEqual(['a_definer', 'b_invoker', 'c_kept'])
  expect((await list('limit=1')).entities).toMatchObject([{ name: 'a_definer' }])
  const views = await list('kinds=view,materialized_view')
  expect(views.entities.map((one) => [one.name, one.security_definer])).toEqual([
    ['a_definer', true],
    ['b_invoker', false],
    ['c_kept', false],
  ])
  expect((await meta.call('GET', 'entities?schema=many&kinds=;drop')).status).toBe(400)
})
