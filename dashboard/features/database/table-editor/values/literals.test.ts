import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moved, readArray, writeArray, readComposite, writeComposite } from './literals.ts'

test.each([
  ['(a,1)', ['a', '1']],
  ['("b, c",)', ['b, c', null]],
  ['("",)', ['', null]],
  [String.raw`("a""b","c\\d")`, ['a"b', String.raw`c\d`]],
  ['("(nested,""x y"")",2)', ['(nested,"x y")', '2']],
  [' ( a , b ) ', [' a ', ' b ']],
])('%s has its fields', (text, fields) => {
  expect(readComposite(text, 2)).toEqual(fields)
})

test.each(['', 'a,b', '(a,b', '(a)', '(a,b,c)', '("a,b)', '(a)b,c)', String.raw`(a,b\)`])(
  '%j is not two fields',
  (text) => {
    expect(readComposite(text, 2)).toBeUndefined()
  },
)

test('whatever the fields hold is read as it was written', () => {
  const field = fc.option(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('"', '\\', '(', ')', ',', ' ', '\n', 'a') }),
    ),
  )
  fc.assert(
    fc.property(fc.array(field, { minLength: 1, maxLength: 6 }), (fields) => {
      expect(readComposite(writeComposite(fields), fields.length)).toEqual(fields)
    }),
    { numRuns: 1000 },
  )
})

test('items survive being one text', () => {
  const items = fc.array(fc.option(fc.oneof(fc.string(), fc.constantFrom('NULL', 'null', '', ' '))))
  fc.assert(
    fc.property(items, (all) => {
      expect(readArray(writeArray(all))).toEqual(all)
    }),
  )
})

test.each<[string, (string | null)[] | undefined]>([
  ['{}', []],
  [' { } ', []],
  ['{a,"b, c",NULL,""}', ['a', 'b, c', null, '']],
  [String.raw`{"a\"b","c\\d"}`, ['a"b', String.raw`c\d`]],
  ['{ a b , null , "NULL" }', ['a b', null, 'NULL']],
  ['{1,-2.5}', ['1', '-2.5']],
  ['{"a\nb"}', ['a\nb']],
  ['{{1,2},{3,4}}', undefined],
  ['[0:1]={1,2}', undefined],
  ['{a,}', undefined],
  ['{,a}', undefined],
  ['{"a"b}', undefined],
  ['{"a}', undefined],
  ['a,b', undefined],
  ['', undefined],
])('%s has these items', (text, items) => {
  expect(readArray(text)).toEqual(items)
})

test('what Postgres prints is written the same way', () => {
  for (const text of ['{}', '{a,"b, c",NULL,""}', String.raw`{"a\"b","c\\d","{x}","null"}`])
    expect(writeArray(readArray(text) ?? [])).toBe(text)
})

test('an item moves by one place and stays within the list', () => {
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(moved(['a', null, 'c'], 1, 0)).toEqual([null, 'a', 'c'])
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
  expect(moved(['a', 'b'], 1, 2)).toEqual(['a', 'b'])
})
