import { expect, test } from 'vitest'
import type { RowFilter } from '#contract/database/rows/table-rows'
import { added, groupsOf, removed, replaced, turned } from './filter-groups.ts'

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
