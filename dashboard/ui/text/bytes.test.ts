import { expect, test } from 'vitest'
import { bytesText } from './bytes.ts'

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
