import { expect, test } from 'vitest'
import { checkQuery } from './query-check.ts'

const marked = async (sql: string) =>
  (await checkQuery(sql)).problems.map(({ start, end }) => sql.slice(start, end))
const kinds = async (sql: string) => (await checkQuery(sql)).dangers.map(({ kind }) => kind)

test('the word that the grammar refuses is marked, in every statement that has one', async () => {
  expect(await marked("select '😀', from x;\nselect 1;\nselec 2; select 3 +")).toEqual([
    'from',
    'selec',
    '+',
  ])
  const { problems } = await checkQuery('select 1;\n selec')
  expect(problems[0]?.message).toMatch(/syntax error at or near "selec"/)
})

test('names of parameters, dollar quotes and routines are no problem', async () => {
  const sql = `select :a::int, array[:b] where x = :long_name;
    create function f() returns int language sql begin atomic select 1; select 2; end;
    do $$ begin perform ':x'; end $$;`
  expect(await checkQuery(sql)).toEqual({ problems: [], dangers: [] })
})

test.each<[string, string[]]>([
  ['drop table a', ['destructive']],
  ['drop owned by b', ['destructive']],
  ['drop database d', ['destructive']],
  ['drop role r', ['destructive']],
  ['alter table a drop column b', ['destructive']],
  ['truncate a', ['destructive']],
  ['delete from a where true', ['destructive']],
  ['with d as (delete from a returning *) select * from d', ['destructive']],
  ['copy (delete from a returning *) to stdout', ['destructive']],
  ['merge into a using b on a.i = b.i when matched then delete', ['destructive']],
  ['do $$ begin truncate a; end $$', ['destructive']],
  ['explain analyze delete from a', ['destructive']],
  ['explain (analyze true) delete from a', ['destructive']],
  ['explain (analyze off) delete from a', []],
  ['explain delete from a', []],
  ['update a set x = 1', ['update-without-where']],
  ['with u as (update a set x = 1 returning 1) select 1', ['update-without-where']],
  ['update a set x = 1 where y', []],
  ['alter database d connection limit 1', ['alter-database']],
  ["alter database d set work_mem = '1GB'", ['alter-database']],
  ['create function f() returns void language sql begin atomic delete from a; end', []],
  ["select 'drop table a' -- delete from b", []],
  ['insert into a select 1; drop table a; delete from b', ['destructive', 'destructive']],
])('%s: %j', async (sql, expected) => {
  expect(await kinds(sql)).toEqual(expected)
})

test('a danger says where it is', async () => {
  const { dangers } = await checkQuery('select 1;\n\n  drop table a ;')
  expect(dangers).toEqual([{ kind: 'destructive', text: 'drop table a', line: 3 }])
})
