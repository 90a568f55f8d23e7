import { expect, test } from 'vitest'
import { attend, createTypeAhead, noteKey, typedAhead } from './type-ahead.ts'

const press = (key: string, more = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})

test('keys pressed before the editor is there reach it', () => {
  const ahead = createTypeAhead()
  const keys = ['a', 'b', 'c'].map((key, i) => noteKey(ahead, press(key), 100 + i))
  expect(keys).toEqual([false, true, true])
  expect(noteKey(ahead, press('Enter'), 110)).toBe(true)
  expect(typedAhead(ahead, 'a')).toBe('abc')
  expect(typedAhead(ahead, 'x')).toBe('x')
  const got: string[] = []
  attend(ahead, (key) => got.push(key))
  expect(got).toEqual(['Enter'])
})

test('keys that still go to the grid while the editor is there reach it too', () => {
  const ahead = createTypeAhead()
  const got: string[] = []
  noteKey(ahead, press('a'), 0)
  const leave = attend(ahead, (key) => got.push(key))
  expect(noteKey(ahead, press('b'), 1)).toBe(true)
  expect(noteKey(ahead, press('ArrowUp'), 2)).toBe(false)
  expect(noteKey(ahead, press('Enter'), 2)).toBe(true)
  leave()
  expect(noteKey(ahead, press('c'), 3)).toBe(false)
  expect(got).toEqual(['b', 'Enter'])
})

test("other keys and shortcuts are the grid's own", () => {
  const ahead = createTypeAhead()
  noteKey(ahead, press('a'), 0)
  expect(noteKey(ahead, press('ArrowDown'), 1)).toBe(false)
  expect(noteKey(ahead, press('b'), 2)).toBe(false)
  expect(noteKey(ahead, press('c', { ctrlKey: true }), 3)).toBe(false)
  expect(noteKey(ahead, press('Enter'), 4)).toBe(false)
})

test('an editor that never comes holds nothing up', () => {
  const ahead = createTypeAhead()
  noteKey(ahead, press('a'), 0)
  expect(noteKey(ahead, press('b'), 5000)).toBe(false)
  expect(typedAhead(ahead, 'b')).toBe('b')
})
