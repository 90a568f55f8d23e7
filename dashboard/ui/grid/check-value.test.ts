import fc from 'fast-check'
import { expect, test } from 'vitest'
import { problemOf, spread } from './check-value.ts'

test.each([
  ['number', '12.50'],
  ['number', '-1e-30'],
  ['number', 'NaN'],
  ['number', '-Infinity'],
  ['number', '-$1,234.50'],
  ['uuid', '{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}'],
  ['json', '{"a": [1, null]}'],
  ['bytes', '\\x00ff'],
  ['bytes', 'plain'],
  ['list', '{1,NULL}'],
  ['list', '[0:1]={1,2}'],
  ['moment', 'infinity'],
  ['text', ''],
] as const)('%s takes %s', (editor, text) => {
  expect(problemOf(editor, text)).toBeUndefined()
})

test.each([
  ['number', 'twelve'],
  ['number', '1x2'],
  ['uuid', '123'],
  ['json', '{a: 1}'],
  ['bytes', '\\xabc'],
  ['list', '1,2'],
] as const)('%s refuses %s', (editor, text) => {
  expect(problemOf(editor, text)).toBeTruthy()
})

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
