import { expect, test } from 'vitest'
import { covered, emptied, pasted } from './use-clipboard.ts'

const range = (column: number, row: number, columns = 1, rows = 1) => ({
  range: { column, row, columns, rows },
  rows: [],
})
const grid = { columns: 3, rowCount: 4, canEdit: (_row: number, column: number) => column !== 1 }

test('ticked rows go before chosen columns, and those before the range', () => {
  const selection = { ...range(1, 1), rows: [3, 0], columns: [2] }
  expect(covered({ ...grid, selection })).toEqual({ rows: [3, 0], columns: [0, 1, 2] })
  expect(covered({ ...grid, selection: { ...selection, rows: [] } })).toEqual({
    rows: [0, 1, 2, 3],
    columns: [2],
  })
  expect(covered({ ...grid, selection: range(1, 2, 2, 9) })).toEqual({
    rows: [2, 3],
    columns: [1, 2],
  })
})

test('a block is pasted from the corner on, past the last row but not past the last column', () => {
  const block = [
    ['a', 'b', 'c'],
    ['d', null, 'f'],
  ]
  expect(pasted(block, { ...grid, selection: range(0, 3) })).toEqual([
    { row: 3, column: 0, text: 'a' },
    { row: 3, column: 2, text: 'c' },
    { row: 4, column: 0, text: 'd' },
    { row: 4, column: 2, text: 'f' },
  ])
  expect(pasted(block, { ...grid, selection: range(2, 0) })).toEqual([
    { row: 0, column: 2, text: 'a' },
    { row: 1, column: 2, text: 'd' },
  ])
})

test('one value fills what is selected', () => {
  expect(pasted([['x']], { ...grid, selection: range(0, 0, 3, 2) })).toHaveLength(4)
  expect(pasted([['x']], { ...grid, selection: { range: undefined, rows: [] } })).toEqual([])
})

test('what is emptied are the chosen cells that can be edited, and no rows that are not there', () => {
  expect(emptied({ ...grid, selection: range(0, 3, 3, 5) })).toEqual([
    { row: 3, column: 0 },
    { row: 3, column: 2 },
  ])
  expect(emptied({ ...grid, selection: { range: undefined, rows: [] } })).toEqual([])
})
