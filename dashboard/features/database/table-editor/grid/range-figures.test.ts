import { expect, test } from 'vitest'
import type { Column } from '#contract/database/pg-meta-shapes'
import { rangeFigures } from './range-figures.ts'

// Only the parts that are read.
const columns = [{ format: 'int4' }, { format: 'text' }] as Column[]
const rows = [
  ['1', 'a'],
  ['2.5', 'b'],
  [null, 'c'],
  ['NaN', '7'],
]
const model = {
  rowCount: 4,
  cellAt: (row: number, at: number) => ({ text: rows[row]?.[at] ?? null }),
}
const select = (column: number, row: number, width: number, height: number) => ({
  rows: [],
  range: { column, row, columns: width, rows: height },
})

test('one cell has no figures, several do', () => {
  expect(rangeFigures({ rows: [], range: undefined }, model, columns)).toBeUndefined()
  expect(rangeFigures(select(0, 0, 1, 1), model, columns)).toBeUndefined()
  expect(rangeFigures(select(0, 0, 2, 4), model, columns)).toEqual([
    ['Cells', '8'],
    ['Sum', '3.5'],
    ['Avg', '1.75'],
    ['NULL', '1'],
    ['Not finite', '1'],
  ])
})

test('numbers that no float holds add up exactly', () => {
  const wide = {
    rowCount: 2,
    cellAt: (row: number) => ({ text: ['9007199254740993', '0.1'][row] ?? null }),
  }
  expect(rangeFigures(select(0, 0, 1, 2), wide, columns)).toEqual([
    ['Cells', '2'],
    ['Sum', '9,007,199,254,740,993.1'],
    ['Avg', '4,503,599,627,370,496.55'],
  ])
})

test('text is only counted', () => {
  expect(rangeFigures(select(1, 0, 1, 4), model, columns)).toEqual([['Cells', '4']])
})

test('a huge selection is only counted', () => {
  expect(rangeFigures(select(0, 0, 1000, 1000), model, columns)).toEqual([['Cells', '1,000,000']])
})
