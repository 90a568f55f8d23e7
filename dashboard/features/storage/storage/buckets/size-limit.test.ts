import { expect, test } from 'vitest'
import { bytesOf, limitOf } from './size-limit.ts'

test.each([
  [1, { text: '1', unit: 'bytes' }],
  [2048, { text: '2', unit: 'KB' }],
  [50 * 1024 ** 2, { text: '50', unit: 'MB' }],
  [3 * 1024 ** 3, { text: '3', unit: 'GB' }],
] as const)('%i bytes, there and back', (bytes, limit) => {
  expect(limitOf(bytes)).toEqual(limit)
  expect(bytesOf(limit)).toBe(bytes)
})

test('nothing is no limit, and what is no size is none', () => {
  expect(bytesOf(limitOf(null))).toBeNull()
  expect(bytesOf({ text: '1,5', unit: 'KB' })).toBe(1536)
  for (const text of ['0', '-1', 'x', '1e99']) expect(bytesOf({ text, unit: 'MB' })).toBeNaN()
})
