import { expect, test } from 'vitest'
import { splitStatements } from '#contract/database/sql/sql-statements'
import { isExpression } from './parser.ts'
import { limitSingleSelect } from './run/text-script.ts'

test.each([
  '0',
  'now()',
  'nextval(\'public."a b_seq"\'::regclass)',
  "'x' || -- a comment\n 'y'",
  'price > 0 and (select true)',
  "case when a then 'b' else 'c' end",
  'array[1, 2]::int[]',
  'select true',
  'exists (select from t where (a) or (b))',
])('%s is an expression', async (text) => {
  expect(await isExpression(text)).toBe(true)
})

test.each([
  '',
  '0; drop table t',
  '0), drop column c, add d int default (0',
  '0), (1',
  '0) or (1',
  "'(') or (true) or (')' = ')'",
  '0, 1',
  'all 0',
  '0) from t where (true',
  '0) as x, (1',
  '0) union select (1',
  '0) limit (1',
  '0) -- ',
  '0 /*',
  "'open",
  'select 1; select 2',
  '*',
])('%s is refused as an expression', async (text) => {
  expect(await isExpression(text)).toBe(false)
})

const limit = (sql: string, rows: number | null = 100) =>
  limitSingleSelect(splitStatements(sql), rows)

test.each([
  ['select * from t', 'select * from t\nlimit 100'],
  ['select 1; -- done', 'select 1\nlimit 100'],
  ['with a as (select 1) select * from a', 'with a as (select 1) select * from a\nlimit 100'],
  ['(select 1) union (select 2 limit 1)', '(select 1) union (select 2 limit 1)\nlimit 100'],
  ['table t', 'table t\nlimit 100'],
  ['values (1), (2)', 'values (1), (2)\nlimit 100'],
  ['select 1 for update', 'select 1 for update\nlimit 100'],
])('%s gets a limit', async (sql, expected) => {
  expect(await limit(sql)).toBe(expected)
})

test.each([
  'select 1 limit 5',
  'select 1 fetch first row only',
  'select 1 offset 5',
  'select 1; select 2',
  'select 1 into u',
  'with a as (select 1) insert into t select * from a',
  'explain select 1',
  'delete from t returning *',
  'selec 1',
  '',
])('%s is left as it is', async (sql) => {
  expect(await limit(sql)).toBeUndefined()
})

test('no limit is no limit', async () => {
  expect(await limit('select 1', null)).toBeUndefined()
})
