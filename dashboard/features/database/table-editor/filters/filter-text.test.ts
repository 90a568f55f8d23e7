import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filterOperators } from '#contract/database/rows/table-rows'
import { parseFilter, writeFilter } from './filter-text.ts'

test('filters survive the address, whatever a column is called', () => {
  const filter = fc.record(
    {
      column: fc.string({ minLength: 1 }),
      path: fc.constantFrom('a', 'a.b[0]', '"a:=:b".c', '[1]'),
      operator: fc.constantFrom(...filterOperators),
      value: fc.string(),
    },
    { requiredKeys: ['column', 'operator', 'value'] },
  )
  fc.assert(
    fc.property(filter, (one) => {
      expect(parseFilter(writeFilter(one), [{ name: one.column }])).toEqual(one)
    }),
  )
})

test('conditions survive the address', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
      (condition) => {
        expect(parseFilter(writeFilter({ condition }), [{ name: 'id' }])).toEqual({ condition })
      },
    ),
  )
})

const columns = ['id', 'a', 'a->b', 'a:=:b', 'sql', ':sql'].map((name) => ({ name }))

test.each([
  ['id:~~*:a:b', { column: 'id', operator: '~~*', value: 'a:b' }],
  ['a->b:=:1', { column: 'a->b', operator: '=', value: '1' }],
  ['a->c[0]:=:1', { column: 'a', path: 'c[0]', operator: '=', value: '1' }],
  ['a:=:b:>:3', { column: 'a:=:b', operator: '>', value: '3' }],
  ['a:=:c', { column: 'a', operator: '=', value: 'c' }],
  ['sql:=:1', { column: 'sql', operator: '=', value: '1' }],
  [':sql:=:1', { column: ':sql', operator: '=', value: '1' }],
  [':sql:id = 1', { condition: 'id = 1' }],
])('%s is a filter', (text, filter) => {
  expect(parseFilter(text, columns)).toEqual(filter)
})

test.each([
  '',
  'id',
  'id:',
  ':=:1',
  'id:like:x',
  'id:=',
  'gone:=:1',
  'a->..:=:1',
  ':sql:',
  ':sql: ',
])('%j is no filter', (text) => {
  expect(parseFilter(text, columns)).toBeUndefined()
})
