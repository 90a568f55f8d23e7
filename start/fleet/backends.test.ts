import { expect, test } from 'vitest'
import { createBackends } from './backends.ts'

const several = (count: number, next: () => number) => Array.from({ length: count }, next)

test('each has its turn', () => {
  const { next } = createBackends([1, 2, 3])
  const asked = several(6, next)
  for (const port of [1, 2, 3]) expect(asked.filter((one) => one === port)).toHaveLength(2)
})

test('one that could not be reached is left out for half a second', () => {
  let at = 0
  const { next, leaveOut } = createBackends([1, 2, 3], () => at)
  leaveOut(2)
  expect(several(6, next)).not.toContain(2)
  at = 500
  expect(several(3, next)).toContain(2)
})

test('one that ends is left out until it serves again, whatever is heard of it meanwhile', () => {
  let at = 0
  const { next, leaveOut, serves } = createBackends([1, 2], () => at)
  serves(1, false)
  leaveOut(1)
  at = 1_000_000
  expect(several(4, next)).toEqual([2, 2, 2, 2])
  serves(1, true)
  expect(new Set(several(2, next))).toEqual(new Set([1, 2]))
})

test('while all are left out one of them is asked all the same', () => {
  const { next, leaveOut } = createBackends([1, 2], () => 0)
  leaveOut(1)
  leaveOut(2)
  expect([1, 2]).toContain(next())
})
