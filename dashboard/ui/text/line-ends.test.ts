import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromField, inField } from './line-ends.ts'

const text = fc
  .array(fc.constantFrom('a', 'b', '\r\n', '\n', '\r', '😀', ' '), { maxLength: 12 })
  .map((parts) => parts.join(''))

test('looking at a text in a field changes nothing of it', () => {
  fc.assert(
    fc.property(text, (before) => {
      expect(fromField(before, inField(before))).toBe(before)
    }),
  )
})

test('what a field says is what the text becomes, but for its line ends', () => {
  fc.assert(
    fc.property(text, text, (before, next) => {
      expect(inField(fromField(before, inField(next)))).toBe(inField(next))
    }),
  )
})

test('what was put into the middle changes nothing beside it', () => {
  fc.assert(
    fc.property(text, text, text, (left, right, put) => {
      // A line end that is cut in two would be another one.
      fc.pre(!(left.endsWith('\r') && (right.startsWith('\n') || put.startsWith('\n'))))
      const typed = inField(left) + 'x' + inField(right)
      expect(fromField(left + right, typed)).toBe(`${left}x${right}`)
    }),
  )
})

test.each([
  ['one\r\ntwo', 'one\ntwo\nthree', 'one\r\ntwo\r\nthree'],
  ['one\ntwo', 'one\ntwo\nthree', 'one\ntwo\nthree'],
  ['one\r\ntwo\nthree', 'one\ntwo\nthree!', 'one\r\ntwo\nthree!'],
  ['one\rtwo', '', ''],
  ['', 'a\nb', 'a\nb'],
  ['\ra\n', '\n\n', '\r\r'],
])('%j, in which somebody types %j', (before, typed, after) => {
  expect(fromField(before, typed)).toBe(after)
})
