import fc from 'fast-check'
import { expect, test } from 'vitest'
import { covered, emptied, laid, pasted, readBlock, writeBlock } from './use-clipboard.ts'

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

const cell = fc.option(
  fc.oneof(
    fc.constantFrom('', '=1+1', '"', '""', '\t', '\n', '\r\n', '\r', 'a"b', '<b>', "'; --", ' '),
    fc.string({ unit: 'binary' }),
  ),
)
const block = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
  .chain(([rows, columns]) =>
    fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
      minLength: rows,
      maxLength: rows,
    }),
  )
  .filter((rows) => rows.length > 1 || (rows[0]?.length ?? 0) > 1)

test('a block of any values comes back from the clipboard as it was, NULL and empty text apart', () => {
  fc.assert(
    fc.property(block, (values) => {
      // A lone row of NULLs at the end is the one thing that a clipboard cannot hold.
      const last = values.at(-1)
      if (last?.length === 1 && last[0] === null) return
      expect(readBlock(writeBlock(values))).toEqual(values)
    }),
    { numRuns: 1000 },
  )
})

test.each<[string, (string | null)[][]]>([
  [
    'a\tb\r\nc\td\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['1\t\t3', [['1', null, '3']]],
  ['"two\nlines"\tx\n', [['two\nlines', 'x']]],
  ['"not closed\tx', [['"not closed', 'x']]],
  ['"quoted" and more', [['"quoted" and more']]],
  ['""\t', [['', null]]],
  ['one', [['one']]],
])('%j is read as spreadsheets mean it', (text, values) => {
  expect(readBlock(text)).toEqual(values)
})

test('a single cell is copied as plain text', () => {
  expect(writeBlock([['{"a": "b\tc"}']])).toBe('{"a": "b\tc"}')
})

test('a block fills a selection it fits into, and is laid once where it does not', () => {
  expect(laid([['x']], { columns: 2, rows: 2 })).toEqual([
    ['x', 'x'],
    ['x', 'x'],
  ])
  expect(laid([['a', 'b']], { columns: 4, rows: 1 })).toEqual([['a', 'b', 'a', 'b']])
  expect(laid([['a'], ['b']], { columns: 1, rows: 3 })).toEqual([['a'], ['b']])
  expect(laid([], { columns: 1, rows: 1 })).toEqual([])
})
