import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leavesTransaction, splitStatements } from './sql-statements.ts'

const texts = (sql: string) => splitStatements(sql).map((statement) => statement.text)

test.each<[string, string, string[]]>([
  ['nothing', ' \n-- only a comment\n;;/* and another */', []],
  ['two statements', 'select 1; select 2', ['select 1', 'select 2']],
  [
    'a semicolon in a string',
    "select 'a;b', 'it''s; fine'; select 2",
    ["select 'a;b', 'it''s; fine'", 'select 2'],
  ],
  ['a backslash in an ordinary string', "select 'a\\'; select 2", ["select 'a\\'", 'select 2']],
  [
    'a backslash in an escape string',
    "select e'a\\';b'; select 2",
    ["select e'a\\';b'", 'select 2'],
  ],
  ['a quoted name', 'select ";" from "a"";b"; select 2', ['select ";" from "a"";b"', 'select 2']],
  [
    'a dollar quote',
    'do $x$ begin; $$;$$; end $x$; select 2',
    ['do $x$ begin; $$;$$; end $x$', 'select 2'],
  ],
  ['a parameter is no dollar quote', 'select $1; select $2', ['select $1', 'select $2']],
  ['a dollar in a name', 'select a$$b; select 2', ['select a$$b', 'select 2']],
  ['comments', 'select 1 -- a;b\n; /* c; /* nested; */ */ select 2', ['select 1', 'select 2']],
  [
    'a rule with a list of commands',
    'create rule r as on insert to t do also (delete from u; delete from v); select 2',
    ['create rule r as on insert to t do also (delete from u; delete from v)', 'select 2'],
  ],
  [
    'an SQL routine body',
    'create or replace function f() returns int begin atomic select case when true then 1 end; select 2; end; select 3',
    [
      'create or replace function f() returns int begin atomic select case when true then 1 end; select 2; end',
      'select 3',
    ],
  ],
  ['a transaction is no routine body', 'begin; select 1; end', ['begin', 'select 1', 'end']],
  ['an open string', "select 1; select 'open; select 3", ['select 1', "select 'open; select 3"]],
  ['letters of any script', 'select größe; select 名前', ['select größe', 'select 名前']],
])('%s', (_, sql, expected) => {
  expect(texts(sql)).toEqual(expected)
})

test('lines and words are of the statement itself', () => {
  const [first, second] = splitStatements(
    '-- top\n\nselect 1;\n\n/* x */ UPDATE t SET a = (select 1 where true)',
  )
  expect(first).toMatchObject({ line: 3, start: 8, end: 16, words: ['select'] })
  expect(second).toMatchObject({ line: 5, words: ['update', 't', 'set', 'a'] })
})

test('any text is split without loss of what lies inside a statement', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (sql) => {
      let last = 0
      for (const { text, start, end } of splitStatements(sql)) {
        expect(start).toBeGreaterThanOrEqual(last)
        expect(sql.slice(start, end)).toBe(text)
        last = end
      }
    }),
  )
})

test.each([
  ['begin', true],
  ['start transaction', true],
  ['COMMIT and chain', true],
  ['end', true],
  ['rollback', true],
  ["prepare transaction 'a'", true],
  ['rollback to savepoint a', false],
  ['savepoint a', false],
  ['release a', false],
  ['prepare a as select 1', false],
  ["select 'commit'", false],
])('whether a transaction goes on after %j', (sql, leaves) => {
  expect(splitStatements(sql).some(leavesTransaction)).toBe(leaves)
})
