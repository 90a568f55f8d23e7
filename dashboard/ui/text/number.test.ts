import fc from 'fast-check'
import { expect, test } from 'vitest'
import { counted, numberText, percentText, timeText, bytesText } from './number.ts'

test.each([
  [0, '0 bytes'],
  [1023, '1,023 bytes'],
  [1024, '1 kB'],
  [8192, '8 kB'],
  [1_300_000_000, '1.2 GB'],
  [2 ** 80, '1,073,741,824 PB'],
])('%d is %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})

test.each([
  [0.04, '0.04 ms'],
  [4.13, '4.1 ms'],
  [186.4, '186 ms'],
  [1640, '1.6 s'],
])('%d ms are %s', (ms, text) => {
  expect(timeText(ms)).toBe(text)
})

test.each([
  [0, '0.00%'],
  [0.000_01, '<0.01%'],
  [0.0023, '0.23%'],
  [0.7138, '71.4%'],
  [1, '100.0%'],
])('a share of %d is %s', (share, text) => {
  expect(percentText(share)).toBe(text)
})

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
