import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readComposite, writeComposite } from './composite.ts'

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
