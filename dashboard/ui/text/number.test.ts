import fc from 'fast-check'
import { expect, test } from 'vitest'
import { counted, numberText } from './number.ts'

test.each([
  [0, 0, '0'],
  [999, 0, '999'],
  [1000, 0, '1,000'],
  [-1_234_567, 0, '-1,234,567'],
  [1234.5, 1, '1,234.5'],
  [12, 1, '12'],
  [0.0625, 4, '0.0625'],
])('%d with %d decimals is %s', (value, decimals, text) => {
  expect(numberText(value, decimals)).toBe(text)
})

test('whole numbers are written as the browser writes them', () => {
  const whole = fc.maxSafeInteger().filter((value) => value !== 0)
  fc.assert(
    fc.property(whole, (n) => {
      expect(numberText(n)).toBe(n.toLocaleString('en'))
    }),
  )
})

test('one of a kind, and more', () => {
  expect(counted(1, 'row')).toBe('1 row')
  expect(counted(12_000, 'row')).toBe('12,000 rows')
  expect(counted(2, 'index', 'indexes')).toBe('2 indexes')
})
