import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinValues, splitValues } from './filter-values.ts'
import { readJsonPath } from './json-path.ts'

test('values survive being one text', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (values) => {
      expect(splitValues(joinValues(values))).toEqual(values)
    }),
  )
})

test.each([
  ['a, b ,c', ['a', 'b', 'c']],
  ['"a, b", ""', ['a, b', '']],
  ['"a ""b"""', ['a "b"']],
  [',,', []],
  ['"a', undefined],
])('%s is a list of values', (text, values) => {
  expect(splitValues(text)).toEqual(values)
})

test.each([
  ['a', ['a']],
  ['a.b[0].c', ['a', 'b', '0', 'c']],
  ['[2][-1]', ['2', '-1']],
  ['"odd.key".""', ['odd.key', '']],
  ['"a ""b""[0]"', ['a "b"[0]']],
  ['first name.$x', ['first name', '$x']],
  ['', undefined],
  ['a.', undefined],
  ['.a', undefined],
  ['a..b', undefined],
  ['a[b]', undefined],
  ['a[0', undefined],
  ['a]', undefined],
  ['a:b', undefined],
  ['"a', undefined],
  ['a"b"', undefined],
  ['a\0', undefined],
])('%s is a path', (text, path) => {
  expect(readJsonPath(text)).toEqual(path)
})
