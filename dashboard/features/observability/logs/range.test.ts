import { expect, test } from 'vitest'
import { choiceOf, day, denialOf, fixedRange, localText, rangeOf, widerThan } from './range.ts'

const now = Date.UTC(2026, 0, 8, 12)
const hour = day / 24

test.each([
  [{ from: 'yesterday', to: '2026-01-08T12:00:00Z' }],
  [{ from: '2026-01-08T12:00:00Z' }],
  [{ from: '2026-01-08T12:00:00Z', to: '2026-01-08T12:00:00Z' }],
  [{ from: '2026-01-08T12:00:00Z', to: '2026-01-08T11:00:00Z' }],
])('what is no range leaves the hour before now: %o', (choice) => {
  expect(fixedRange(choice)).toBeUndefined()
  expect(rangeOf(choice, now)).toEqual({ from: now - hour, to: now })
})

test('a preset ends now, and two moments stay where they are', () => {
  expect(rangeOf({ range: '3d' }, now)).toEqual({ from: now - 3 * day, to: now })
  const fixed = { from: now - 2 * hour, to: now - hour }
  expect(rangeOf({ range: '3d', ...choiceOf(fixed) }, now + day)).toEqual(fixed)
})

test('what a plan does not keep names the first plan that does', () => {
  expect(denialOf(day, 1)).toBeUndefined()
  expect(denialOf(3 * day, 1)).toBe('The Pro plan keeps logs for 7 days')
  expect(denialOf(8 * day, 7)).toBe('The Team plan keeps logs for 28 days')
  expect(denialOf(200 * day, 90)).toBe('Logs are kept for 90 days')
  expect(denialOf(7 * day, 7)).toBeUndefined()
})

test('who finds nothing is offered the next longer range, as far as it is kept', () => {
  expect(widerThan({ from: now - hour, to: now }, 1)).toBe('3h')
  expect(widerThan({ from: now - day, to: now }, 1)).toBeUndefined()
  expect(widerThan({ from: now - day, to: now }, 7)).toBe('3d')
})

test('a time that is put into the field of the browser and read again is the same', () => {
  expect(new Date(localText(now)).getTime()).toBe(now)
})
