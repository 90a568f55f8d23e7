import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dangersIn } from './dangers.ts'

const kinds = (sql: string) => dangersIn(sql).map(({ kind }) => kind)

test.each([
  ['drop table a', 'destructive'],
  ['  -- a comment\nDELETE from a where id = 1', 'destructive'],
  ['/* x */ truncate a', 'destructive'],
  ['with gone as (select 1) delete from a using gone', 'destructive'],
  ['explain analyze delete from a', 'destructive'],
  ['explain analyze verbose delete from a', 'destructive'],
  ['explain (analyze, buffers) delete from a', 'destructive'],
  ['update a set b = 1', 'update-without-where'],
  ['update a set b = (select 1 from c where c.x = 1)', 'update-without-where'],
  ["update a set b = 'where'", 'update-without-where'],
  ['alter database postgres with connection limit 0', 'alter-database'],
])('%s', (sql, kind) => {
  expect(kinds(sql)).toEqual([kind])
})

test.each([
  'select 1',
  'update a set b = 1 where c = 2',
  "select 'drop table a'",
  '-- drop table a\nselect 1',
  'insert into a select * from b',
  'explain delete from a',
  'with x as (select 1) update a set b = 1 where c in (select * from x)',
  'select $$ drop table a; $$',
  '',
])('nothing to ask about: %s', (sql) => {
  expect(kinds(sql)).toEqual([])
})

test('each one is named with its own text and line', () => {
  expect(dangersIn('select 1;\n\ndrop table a;\nupdate b set c = 1;')).toEqual([
    { kind: 'destructive', text: 'drop table a', line: 3 },
    { kind: 'update-without-where', text: 'update b set c = 1', line: 4 },
  ])
})

test('never fails, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (sql) => {
      expect(Array.isArray(dangersIn(sql))).toBe(true)
    }),
  )
})
