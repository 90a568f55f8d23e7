import { expect, test } from 'vitest'
import { percentText, timeText } from './amounts.ts'

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
