import { expect, test } from 'vitest'
import { nextRow, windowOf } from './row-window.ts'

test.each([
  [{ top: 0, height: 560 }, 10_000, { from: 0, to: 40 }],
  [{ top: 28_000, height: 560 }, 10_000, { from: 980, to: 1040 }],
  [{ top: 279_440, height: 560 }, 10_000, { from: 9960, to: 10_000 }],
  // The list has become shorter than where it was scrolled to.
  [{ top: 28_000, height: 560 }, 3, { from: 3, to: 3 }],
  [{ top: 0, height: 0 }, 0, { from: 0, to: 0 }],
])('at %o of %d rows those in sight are drawn and some around them', (sight, count, drawn) => {
  expect(windowOf(sight, 28, count)).toEqual(drawn)
})

test('keys move within the rows, and others move nothing', () => {
  expect(nextRow('ArrowDown', -1, 5, 3)).toBe(0)
  expect(nextRow('ArrowUp', -1, 5, 3)).toBe(0)
  expect(nextRow('ArrowUp', 0, 5, 3)).toBe(0)
  expect(nextRow('PageDown', 3, 5, 3)).toBe(4)
  expect(nextRow('End', 0, 5, 3)).toBe(4)
  expect(nextRow('Home', 4, 5, 3)).toBe(0)
  expect(nextRow('ArrowDown', 0, 0, 3)).toBeUndefined()
  expect(nextRow('a', 0, 5, 3)).toBeUndefined()
  expect(nextRow('constructor', 0, 5, 3)).toBeUndefined()
})
