import { expect, test } from 'vitest'
import { titleOf } from './result-titles.ts'

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
