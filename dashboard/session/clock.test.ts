import { expect, test } from 'vitest'
import { isSkewed, skewOf } from './clock.ts'

const server = '2025-11-18T09:00:00.000Z'
const at = Date.parse(server)

test('the travel time of the request is not skew', () => {
  expect(skewOf(server, at - 500, at + 500)).toBe(0)
})

test('more than two minutes, either way', () => {
  expect(isSkewed(skewOf(server, at + 120_000, at + 120_000))).toBe(false)
  expect(isSkewed(skewOf(server, at + 120_001, at + 120_001))).toBe(true)
  expect(isSkewed(skewOf(server, at - 120_001, at - 120_001))).toBe(true)
})

test('a time that cannot be read is no reason for alarm', () => {
  expect(isSkewed(skewOf('soon', at, at))).toBe(false)
})
