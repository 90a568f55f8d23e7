import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filterOperators, type RowFilter } from '#contract/database/rows/table-rows'
import {
  parseFilter,
  writeFilter,
  added,
  groupsOf,
  removed,
  replaced,
  turned,
} from './filter-text.ts'

/** `a b | c` is a group of a and b, and one of c. */
const read = (text: string): RowFilter[] =>
  text.split(' | ').flatMap((group, at) =>
    group
      .split(' ')
      .filter(Boolean)
      .map((condition, i) => (at > 0 && i === 0 ? { condition, or: true } : { condition })),
  )
const write = (filters: readonly RowFilter[]) =>
  groupsOf(filters)
    .map((group) =>
      group.map(({ filter }) => ('condition' in filter ? filter.condition : '')).join(' '),
    )
    .join(' | ')
const x: RowFilter = { condition: 'x', or: true }

test.each<[string, number | undefined, string]>([
  ['', 0, 'x'],
  ['', undefined, 'x'],
  ['a b', 0, 'a b x'],
  ['a b', undefined, 'a b | x'],
  ['a b | c', 0, 'a b x | c'],
  ['a b | c', 1, 'a b | c x'],
  ['a b | c', undefined, 'a b | c | x'],
])('%s with one more in group %s is %s', (before, group, after) => {
  const filters = added(read(before), x, group)
  expect(write(filters)).toBe(after)
  expect(filters).toEqual(read(after))
})

test.each<[string, number, string]>([
  ['a', 0, ''],
  ['a b | c d', 0, 'b | c d'],
  ['a b | c d', 1, 'a | c d'],
  ['a b | c d', 2, 'a b | d'],
  ['a b | c | d', 2, 'a b | d'],
  ['a | b', 0, 'b'],
])('%s without number %i is %s', (before, at, after) => {
  expect(removed(read(before), at)).toEqual(read(after))
})

test.each<[string, number, string]>([
  ['a b c', 1, 'a | b c'],
  ['a | b c', 1, 'a b c'],
])('%s turned at %i is %s, and back', (before, at, after) => {
  expect(turned(read(before), at)).toEqual(read(after))
  expect(turned(read(after), at)).toEqual(read(before))
})

test('a changed condition stays in its place', () => {
  expect(replaced(read('a | b'), 1, { condition: 'y' })).toEqual(read('a | y'))
  expect(replaced(read('a | b'), 0, x)).toEqual(read('x | b'))
})

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
