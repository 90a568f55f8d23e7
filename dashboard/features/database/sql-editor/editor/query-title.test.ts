import { expect, test } from 'vitest'
import { retitled, titleOfText } from './query-title.ts'
import { emptyValues } from '../running/query-values.ts'

test.each<[string, string | undefined]>([
  ['', undefined],
  [' ;\n', undefined],
  ['select title\n  from books', 'select title from books'],
  ['-- Sales by month\nselect 1', 'Sales by month'],
  ['-----\n/* x */ select 1; select 2', 'select 1'],
  ['\\d books', '\\d books'],
  ['\\x\nbegin; set a to b; select 1', 'select 1'],
  ['begin', 'begin'],
  [`select ${'😀'.repeat(100)}`, `select ${'😀'.repeat(40)}…`],
])('%j is called %j', (sql, title) => {
  expect(titleOfText(sql)).toBe(title)
})

test('a text names its query until somebody else does', () => {
  const first = { ...emptyValues, ...retitled(emptyValues, 'select 1') }
  expect(first.name).toBe('select 1')
  const second = { ...first, ...retitled(first, 'select 2') }
  expect(second.name).toBe('select 2')
  expect({ ...second, ...retitled(second, '') }.name).toBe('Untitled query')
  expect(retitled({ ...second, name: 'Mine' }, 'select 3')).toEqual({ sql: 'select 3' })
})
