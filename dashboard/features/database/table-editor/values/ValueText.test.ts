import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exactPieces } from './ValueText.tsx'

const shown = (text: string) =>
  exactPieces(text)
    .map((piece) => piece.sign ?? piece.text)
    .join('')

test.each([
  ['one two', 'one two'],
  [' one  two ', '·one··two·'],
  ['a\tb', 'a⇥b'],
  ['a \r\nb\n', 'a·␍↵b↵'],
  ['a\u00a0b', 'a⍽b'],
  ['   ', '···'],
  ['', ''],
])('%j reads %s', (text, as) => {
  expect(shown(text)).toBe(as)
})

test('nothing is lost of any text', () => {
  const text = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r', 'a', '\u00a0', 'é') })
  fc.assert(
    fc.property(text, (one) => {
      expect(
        exactPieces(one)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(one)
      expect(shown(one)).not.toMatch(/^ | $|[\t\n\r]/)
    }),
    { numRuns: 1000 },
  )
})
