import { expect, test } from 'vitest'
import type { Column } from '#contract/pg-meta-shapes'
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
  ])
})

test('text is only counted', () => {
  expect(rangeFigures(select(1, 0, 1, 4), model, columns)).toEqual([['Cells', '4']])
})

test('a huge selection is only counted', () => {
  expect(rangeFigures(select(0, 0, 1000, 1000), model, columns)).toEqual([['Cells', '1,000,000']])
})
