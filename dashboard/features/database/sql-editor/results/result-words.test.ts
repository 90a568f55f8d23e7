import { expect, test } from 'vitest'
import { durationText, rowsText, titleOf } from './result-words.ts'

test.each([
  [0.01, '0.1 ms'],
  [0.44, '0.4 ms'],
  [1.4, '1 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [59_900, '59.9 s'],
  [59_960, '1 min 0 s'],
  [125_000, '2 min 5 s'],
])('%s ms is %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test('rows are counted with their word', () => {
  expect([0, 1, 12_000].map(rowsText)).toEqual(['0 rows', '1 row', '12,000 rows'])
})

const title = (sql: string, statement: string, command?: string) =>
  titleOf({ start: sql.indexOf(statement), end: sql.length, command, title: undefined }, sql)

test('the comment right above names a result', () => {
  const sql = 'select 1;\n\n-- Weekly revenue \nselect 2'
  expect(title(sql, 'select 2', 'SELECT')).toBe('Weekly revenue')
  expect(title(sql, 'select 1', 'SELECT')).toBe('SELECT')
  expect(title('-- First line\nselect 1', 'select 1')).toBe('First line')
})

test('neither a far comment nor a long one does', () => {
  expect(title('-- Far\n\nselect 1', 'select 1', 'SELECT')).toBe('SELECT')
  expect(title(`-- ${'long '.repeat(9)}\nselect 1`, 'select 1', 'SELECT')).toBe('SELECT')
})

test('until Postgres says what it was, the first word stands', () => {
  expect(title('insert into a values (1)', 'insert')).toBe('INSERT')
  expect(title('(select 1)', '(select')).toBe('Statement')
})
