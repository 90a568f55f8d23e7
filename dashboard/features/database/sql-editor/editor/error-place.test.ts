import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeOfError, placeOfFailure } from './error-place.ts'

test('a character counts once, whatever the editor makes of it', () => {
  const text = "select '😀', nope"
  expect(placeOfError({ position: 13 }, { text, sent: text, offset: 0 })).toEqual({
    line: 1,
    column: 14,
    endColumn: 18,
  })
})

test('in a selection the place is that of the whole text', () => {
  const text = 'select 1;\nselect 2;\n  select nope'
  const offset = text.indexOf('select nope')
  expect(placeOfError({ position: 8 }, { text, sent: text.slice(offset), offset })).toEqual({
    line: 3,
    column: 10,
    endColumn: 14,
  })
})

test('no place: none was told, or the text is another by now', () => {
  expect(placeOfError({}, { text: 'a', sent: 'a', offset: 0 })).toBeUndefined()
  expect(placeOfError({ position: 1 }, { text: 'b', sent: 'a', offset: 0 })).toBeUndefined()
})

test('points at the very character, wherever it is', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', ' ', '\n', '😀', 'é', ';')),
      fc.array(fc.constantFrom('a', ' ', '\n', '😀')),
      (before, after) => {
        const text = [...before, '#', ...after].join('')
        const place = placeOfError({ position: before.length + 1 }, { text, sent: text, offset: 0 })
        const line = text.split('\n')[(place?.line ?? 0) - 1] ?? ''
        expect(line.slice((place?.column ?? 0) - 1, (place?.endColumn ?? 0) - 1)).toBe('#')
      },
    ),
  )
})

test('beyond the end it stays at the end', () => {
  expect(placeOfError({ position: 99 }, { text: 'ab', sent: 'ab', offset: 0 })).toEqual({
    line: 1,
    column: 3,
    endColumn: 4,
  })
})

test('a failure without a place is where its statement begins', () => {
  const sent = "select '😀';\ninsert into t values (1)"
  const where = { text: `-- a\n${sent}`, sent, offset: 5 }
  const failed = { error: {}, start: sent.indexOf('insert') }
  expect(placeOfFailure(failed, where)).toEqual({ line: 3, column: 1, endColumn: 7 })
  expect(placeOfFailure({ ...failed, error: { position: 1 } }, where)).toMatchObject({ line: 2 })
})
