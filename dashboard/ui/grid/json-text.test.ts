import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spread } from './json-text.ts'

test('JSON over several lines is the same JSON, to the last digit', () => {
  expect(spread('{"n":12345678901234567890.10,"l":[],"o":{},"t":"a\\"{b"}')).toBe(
    '{\n  "n": 12345678901234567890.10,\n  "l": [],\n  "o": {},\n  "t": "a\\"{b"\n}',
  )
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(spread(text))).toEqual(JSON.parse(text))
    }),
    { numRuns: 1000 },
  )
})
