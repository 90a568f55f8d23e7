import { expect, test } from 'vitest'
import { cellText, fit } from './draw-cell.ts'

test('what is no value is said in faint words', () => {
  expect(cellText({ text: null })).toEqual({ text: 'NULL', faint: true })
  expect(cellText({ text: '' })).toEqual({ text: 'EMPTY', faint: true })
  expect(cellText({ text: null, look: 'auto' })).toEqual({ text: 'auto', faint: true })
  expect(cellText({ text: 'NULL' })).toEqual({ text: 'NULL', faint: false })
})

test.each([
  ['short', 10, 'short'],
  ['exactly', 7, 'exactly'],
  ['too long', 5, 'too …'],
  ['two\nlines', 20, 'two lines'],
  ['x', 0, 'x'],
])('%j in %i characters is %j', (text, characters, shown) => {
  expect(fit(text, characters)).toBe(shown === 'x' ? 'x…' : shown)
})
