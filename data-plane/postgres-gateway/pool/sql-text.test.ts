import { expect, test } from 'vitest'
import { leavesNothing } from './sql-text.ts'

test.each([
  'set role service_role',
  `select set_config('role', 'anon', false)`,
  `select pg_catalog . set_config ('role', 'anon', false)`,
  `select "set_config"('role', 'anon', false)`,
  `select U&"\\0073et_config"('role', 'anon', false)`,
  'select set_config/* */(1)',
  'select set_config -- \n (1)',
  'select ünknown()',
  'select pg_advisory_lock(1)',
  `select nextval('s')`,
  `insert into t values (nextval('s'))`,
  `with x as (select set_config('a.b', 'c', false)) select * from x`,
  'select 1 into temp t',
  'select 1 into temporary table t',
  'select 1 into local temp t',
  'select 1 into pg_temp.t',
  'begin; set role anon; commit',
  'select 1; set role anon',
  'create temp table t (id int)',
  'declare c cursor with hold for select 1',
  'prepare p as select 1',
  'execute p',
  'listen x',
  'do $$ begin end $$',
  'call p()',
  'copy t to stdout',
  'explain analyze select f()',
  'lock t',
  '',
])('%s may leave something', (sql) => {
  expect(leavesNothing(sql)).toBe(false)
})

test.each([
  'select title from books where id = $1',
  'SELECT count(*), max(id) FROM books WHERE (a = 1 OR b IN (1, 2)) AND exists (select 1);',
  'insert into public.books (id, title) values ($1, $2) on conflict (id) do update set title = $2',
  'update books set title = upper(title) where id = any($1)',
  'delete from books using shelves where books.id = shelves.id returning books.id',
  'with a as (select 1) select * from a',
  'begin',
  'start transaction isolation level serializable',
  'commit',
  'rollback to savepoint a',
])('%s leaves nothing', (sql) => {
  expect(leavesNothing(sql)).toBe(true)
})
