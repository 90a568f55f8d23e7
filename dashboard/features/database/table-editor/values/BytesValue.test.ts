import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOf, hexOf, hexRows, imageKind } from './BytesValue.tsx'

test('bytes are what they were after a way through their text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20_000 }), (bytes) => {
      expect(bytesOf(hexOf(bytes))).toEqual(bytes)
    }),
    { numRuns: 100 },
  )
  expect(hexOf(new Uint8Array([0, 255, 10]))).toBe('\\x00ff0a')
  expect(bytesOf('\\xAB')).toEqual(new Uint8Array([171]))
})

test.each(['plain', '\\xabc', '\\xzz', ''])('%j is no text of bytes', (text) => {
  expect(bytesOf(text)).toBeUndefined()
})

test.each([
  ['\\x89504e470d0a1a0a0000', 'image/png'],
  ['\\xffd8ffe000104a46', 'image/jpeg'],
  ['\\x474946383961', 'image/gif'],
  ['\\x52494646000000005745425056', 'image/webp'],
  ['\\x0000001c66747970617669660000', 'image/avif'],
  ['\\x3c737667', undefined],
  ['\\x', undefined],
])('%s is %s', (text, type) => {
  expect(imageKind(bytesOf(text) ?? new Uint8Array())?.type).toBe(type)
})

test('the first bytes are shown by place, digits and text', () => {
  const bytes = new TextEncoder().encode('Hello, bytes of a file\n')
  expect(hexRows(bytes, 256)).toEqual([
    '000000  48 65 6c 6c 6f 2c 20 62 79 74 65 73 20 6f 66 20  Hello, bytes of ',
    '000010  61 20 66 69 6c 65 0a                             a file.',
  ])
  expect(hexRows(bytes, 16)).toHaveLength(1)
})
