import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  frozenCount,
  frozenInGrid,
  moved,
  plainLayout,
  resized,
  shownColumns,
  withHidden,
} from './layout.ts'

const columns = ['a', 'b', 'c', 'd'].map((name) => ({ name }))
const names = (layout = plainLayout) =>
  shownColumns(columns, layout, []).map((at) => columns[at]?.name)

test('columns are shown in their own order, but for those that were moved or hidden', () => {
  expect(names()).toEqual(['a', 'b', 'c', 'd'])
  expect(names({ ...plainLayout, order: ['c', 'gone'], hidden: ['b'] })).toEqual(['c', 'a', 'd'])
})

test('hiding everything hides nothing', () => {
  expect(names({ ...plainLayout, hidden: ['a', 'b', 'c', 'd'] })).toHaveLength(4)
})

test('a column goes where it is dragged, whatever is hidden', () => {
  const layout = { ...plainLayout, hidden: ['b'] }
  expect(names(moved(columns, layout, [], [2, 0]))).toEqual(['d', 'a', 'c'])
  expect(names(moved(columns, layout, [], [0, 2]))).toEqual(['c', 'd', 'a'])
  expect(names(moved(columns, layout, [], [9, 0]))).toEqual(['a', 'c', 'd'])
})

test('moving never loses or doubles a column', () => {
  const at = fc.integer({ min: 0, max: 3 })
  fc.assert(
    fc.property(fc.array(fc.tuple(at, at), { maxLength: 8 }), (steps) => {
      const layout = steps.reduce((now, step) => moved(columns, now, [], step), plainLayout)
      expect(names(layout).toSorted()).toEqual(['a', 'b', 'c', 'd'])
    }),
    { numRuns: 1000 },
  )
})

test('a width is kept within reason, and what was hidden can be shown again', () => {
  expect(resized(plainLayout, 'a', 3.4).widths).toEqual({ a: 40 })
  const hidden = withHidden(withHidden(plainLayout, 'a', true), 'a', true)
  expect(hidden.hidden).toEqual(['a'])
  expect(withHidden(hidden, 'a', false).hidden).toEqual([])
})

test('the primary key comes first and stays at the left, until somebody arranges the columns', () => {
  const shown = (layout = plainLayout, keys = ['c', 'b']) =>
    shownColumns(columns, layout, keys).map((at) => columns[at]?.name)
  expect(shown()).toEqual(['c', 'b', 'a', 'd'])
  expect(frozenCount(plainLayout, shown(), ['c', 'b'])).toBe(2)
  const apart = moved(columns, plainLayout, ['c', 'b'], [1, 3])
  expect(shown(apart)).toEqual(['c', 'a', 'd', 'b'])
  expect(frozenCount(apart, shown(apart), ['c', 'b'])).toBe(1)
  expect(frozenCount({ ...apart, frozen: 0 }, shown(apart), ['c', 'b'])).toBe(0)
  expect(frozenCount({ ...apart, frozen: 3 }, shown(apart), ['c', 'b'])).toBe(3)
  expect(frozenCount(plainLayout, ['a', 'b'], [])).toBe(0)
})

test('what is frozen leaves something to scroll, and room for it', () => {
  const grid = (...widths: number[]) =>
    widths.map((width, at) => ({ name: 'abcd'[at] ?? '', width }))
  expect(frozenInGrid(plainLayout, grid(200, 200, 100), ['a', 'b'])).toBe(2)
  expect(frozenInGrid(plainLayout, grid(200, 300, 100), ['a', 'b'])).toBe(1)
  expect(frozenInGrid(plainLayout, grid(600, 300), ['a'])).toBe(0)
  expect(frozenInGrid(plainLayout, grid(100), ['a'])).toBe(0)
  expect(frozenInGrid({ ...plainLayout, frozen: 2 }, grid(400, 400, 400), ['a'])).toBe(2)
})
