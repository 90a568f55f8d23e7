import { expect, test } from 'vitest'
import { neighboursOf, stepOf } from './arrangement.ts'

test('the first and the last of a page have one neighbour, somebody of another page none', () => {
  expect(neighboursOf(['a', 'b', 'c'], 'a')).toEqual({ previous: undefined, next: 'b' })
  expect(neighboursOf(['a', 'b', 'c'], 'b')).toEqual({ previous: 'a', next: 'c' })
  expect(neighboursOf(['a', 'b', 'c'], 'c')).toEqual({ previous: 'b', next: undefined })
  expect(neighboursOf(['a', 'b', 'c'], 'x')).toEqual({})
})

const press = (key: string, more = {}) => ({
  key,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...more,
})

test('arrows step through the list, and with Alt from anywhere', () => {
  expect(stepOf(press('ArrowDown'), true)).toBe('next')
  expect(stepOf(press('ArrowUp'), true)).toBe('previous')
  expect(stepOf(press('ArrowDown'), false)).toBeUndefined()
  expect(stepOf(press('ArrowDown', { altKey: true }), false)).toBe('next')
  expect(stepOf(press('Escape'), false)).toBe('close')
  expect(stepOf(press('ArrowDown', { metaKey: true }), true)).toBeUndefined()
  expect(stepOf(press('a'), true)).toBeUndefined()
})
