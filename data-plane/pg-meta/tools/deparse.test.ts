import { parse } from 'libpg-query'
import { expect, test } from 'vitest'
import { deparse } from './deparse.ts'

const roundTrip = async (sql: string) => deparse({ ...(await parse(sql)) })

test.each([
  'select 1',
  "select a.*, -1, 0, 1.50, 'it''s', E'a\\\\b', null, true, b'01', $1 from a",
  'select distinct on (a, b) a as "X", count(*) filter (where b) from public.t as x group by a having count(*) > 1 order by a desc nulls last, b offset 2 limit 3',
  'select count(distinct a), sum(b) over (partition by c order by d), rank() over w from t window w as (order by a)',
  'select * from a join b on a.id = b.id left join (c cross join d) using (x) natural join e, lateral f(1, variadic g) with ordinality as t(x, y)',
  'select * from (a join b on true) as j where a = any (array[1, 2]) and not (b or c) or d is not null and e is true',
  "select a between 1 and 2, b not in (1, 2), c like 'x%', d not ilike 'y', e is distinct from f, nullif(g, 0)",
  'select case a when 1 then 2 else 3 end, case when b then c end, coalesce(a, b), greatest(1, 2), least(3)',
  'select (a).b, (c)[1], (d)[1:2], (e).*, array(select 1), row(1, 2), (1, 2), current_date, current_timestamp(3)',
  "select a::int, b::numeric(10, 2)[], '1 day'::interval, x collate \"C\", extract(year from y), a -> 'b' #>> '{c}', @ z",
  'select 1 union all (select 2 intersect select 3) order by 1 limit all',
  'with recursive n (i) as (select 1 union all select i + 1 from n), m as materialized (delete from t returning *) select * from n, m',
  'select exists (select 1), a in (select 2), b = all (select 3), (select 4), percentile_cont(0.5) within group (order by a) from t for update of t skip locked',
  'values (1, 2), (3, default)',
  'insert into a (b, "C d") overriding system value values (1, default) on conflict (b) where c do update set b = excluded.b where a.b <> 1 returning *, a.b as x',
  'insert into a select * from b on conflict do nothing',
  'insert into only_a default values on conflict on constraint k do nothing',
  'update only a as x set b = 1, c = default from d where x.id = d.id returning old.b',
  'delete from a using b where a.id = b.id; select f(x => 1), operator_test where a operator(public.=) b',
  'select xmlelement(name a)',
  'select sum(a) over (order by b rows between 1 preceding and current row) from t',
  "create table if not exists a (b int primary key generated always as identity, c text default 'x' not null check (c <> ''), unique (b, c)) partition by range (b)",
  'alter table t add column d int references b (c) on delete cascade, drop constraint x, enable row level security',
  'create unique index concurrently i on t using btree (lower(a) text_pattern_ops desc nulls last) include (b) where c',
  'create policy p on t as restrictive for update to anon, authenticated using (auth.uid() = a) with check (b > 0)',
  "create or replace function f(a int default 1, out b text) language plpgsql stable security definer set search_path = '' as $$ begin end $$",
  'create constraint trigger t after update of a on x deferrable initially deferred for each row when (old.a is distinct from new.a) execute function f()',
  "create type e as enum ('a', 'b''c'); create domain d as text check (value ~ '^x'); create extension if not exists pg_trgm with schema extensions",
  'create view v with (security_invoker) as select 1; create materialized view m as select 1 with no data',
  "grant select (a), update on t to anon; revoke all on schema s from public; comment on column t.a is 'it''s'",
  'do $$ begin perform 1; end $$',
  'explain (analyze, buffers) select 1',
  'create table "Ünïcode" ("select" int, "a""b" text)',
])('%s', async (sql) => {
  // The same tree comes out of what is written, or it would be refused.
  expect(await roundTrip(sql)).not.toBe('')
})

test('a text of it reads as people write', async () => {
  expect(await roundTrip('SELECT a, "B" FROM   x WHERE (a = 1) AND "B" IS NULL')).toBe(
    'SELECT a, "B" FROM x WHERE a = 1 AND "B" IS NULL',
  )
})

test('a kind of node that no parser makes is refused by name', async () => {
  await expect(deparse({ stmts: [{ stmt: { MadeUpStmt: {} } }] })).rejects.toThrow('MadeUpStmt')
})

test('a part that is left out is not made up', async () => {
  const { stmts = [] } = await parse('select a from t')
  const text = JSON.stringify(stmts).replace('"relname":"t"', '"relname":"t; drop table x"')
  const sql = await deparse({ stmts: JSON.parse(text) as unknown })
  expect(sql).toContain('"t; drop table x"')
  const list = JSON.stringify(stmts).replace('"SETOP_NONE"', '"SETOP_UNION"')
  await expect(deparse({ stmts: JSON.parse(list) as unknown })).rejects.toMatchObject({
    code: 'invalid_input',
  })
})

test.each([
  {},
  { stmts: [] },
  { stmts: 1 },
  { stmts: [1] },
  { stmts: [{ stmt: { SelectStmt: 1 } }] },
  { stmts: [{}] },
])('what is no tree is refused: %j', async (ast) => {
  await expect(deparse(ast)).rejects.toMatchObject({ code: 'invalid_input' })
})

test('a tree that is too deep is refused, not followed to the end', async () => {
  let deep: object = { A_Const: { ival: { ival: 1 } } }
  for (let level = 0; level < 20_000; level += 1)
    deep = { BoolExpr: { boolop: 'NOT_EXPR', args: [deep] } }
  const stmts = [{ stmt: { SelectStmt: { targetList: [{ ResTarget: { val: deep } }] } } }]
  await expect(deparse({ stmts })).rejects.toThrow('too deep')
})
