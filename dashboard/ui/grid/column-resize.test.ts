import { expect, test } from 'vitest'
import { createColumnResize } from './column-resize.ts'

test('a drag keeps its width, though the library fits the column as after a double-click', () => {
  const edge = createColumnResize()
  edge.start(112)
  expect([140, 170].map(edge.takes)).toEqual([true, true])
  edge.end()
  expect(edge.takes(64)).toBe(false)
})

test('a double-click fits the column, also where the hand trembles', () => {
  const edge = createColumnResize()
  edge.start(112)
  expect(edge.takes(113)).toBe(true)
  edge.end()
  expect(edge.takes(64)).toBe(true)
})

test('a double-click after a drag fits the column again', () => {
  const edge = createColumnResize()
  edge.start(112)
  edge.takes(170)
  edge.end()
  edge.start(170)
  edge.end()
  expect(edge.takes(64)).toBe(true)
})
