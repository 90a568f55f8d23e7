import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Column } from '#contract/database/pg-meta-shapes'
import { rangeFigures, decimalOf, decimalText, dividedBy, sumOf } from './range-figures.ts'

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

const sum = (...texts: string[]) =>
  decimalText(sumOf(texts.flatMap((text) => decimalOf(text) ?? [])))

test.each([
  [['0.1', '0.2'], '0.3'],
  [['9223372036854775807', '1'], '9,223,372,036,854,775,808'],
  [['1e20', '1'], '100,000,000,000,000,000,001'],
  [['-1.50', '.5', '1.'], '0'],
  [['2.5e-3', '-0.0025', '7'], '7'],
  [['12345678901234567890.123456789', '0'], '12,345,678,901,234,567,890.123456789'],
])('%j is %s', (texts, expected) => {
  expect(sum(...texts)).toBe(expected)
})

test.each(['', ' ', 'NaN', 'Infinity', '-Infinity', '.', '1e', 'e5', '1,000', '0x10', '1e999'])(
  '%j is no number to add up',
  (text) => expect(decimalOf(text)).toBeUndefined(),
)

test('a mean is rounded half away from zero', () => {
  const mean = (text: string, by: number) => {
    const number = decimalOf(text)
    return number && decimalText(dividedBy(number, by, 4))
  }
  expect(mean('10', 3)).toBe('3.3333')
  expect(mean('20', 3)).toBe('6.6667')
  expect(mean('-20', 3)).toBe('-6.6667')
  expect(mean('0.0001', 2)).toBe('0.0001')
  expect(mean('-0.0001', 2)).toBe('-0.0001')
  expect(mean('1', 8)).toBe('0.125')
})

test('whole numbers of any size add up as they do by hand', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt(), { minLength: 1 }), (numbers) => {
      const expected = numbers.reduce((all, one) => all + one, 0n)
      expect(sum(...numbers.map(String)).replaceAll(',', '')).toBe(String(expected))
    }),
  )
})
