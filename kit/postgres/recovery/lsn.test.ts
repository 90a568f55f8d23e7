import { expect, test } from 'vitest'
import { lsnOf } from './lsn.ts'

test('places in the log are numbers, and what is none is refused', () => {
  expect(lsnOf('0/0')).toBe(0n)
  expect(lsnOf('1/00000001')).toBe(2n ** 32n + 1n)
  expect(lsnOf('16/B374D848') > lsnOf('16/B374D847')).toBe(true)
  expect(lsnOf('A/0') > lsnOf('9/FFFFFFFF')).toBe(true)
  for (const text of ['', '0', '/', '0/G', '0/1/2', '123456789/0'])
    expect(() => lsnOf(text), text).toThrow(TypeError)
})
