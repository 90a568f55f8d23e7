import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalOf, decimalText, dividedBy, sumOf } from './decimal.ts'

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
