import { expect, test } from 'vitest'
import {
  before,
  choiceOf,
  day,
  denialOf,
  fixedRange,
  keptMs,
  localText,
  rangeOf,
  widerThan,
} from './range.ts'

const now = Date.UTC(2026, 0, 8, 12)
const hour = day / 24

test.each([
  [{ from: 'yesterday', to: '2026-01-08T12:00:00Z' }],
  [{ from: '2026-01-08T12:00:00Z' }],
  [{ from: '2026-01-08T12:00:00Z', to: '2026-01-08T12:00:00Z' }],
  [{ from: '2026-01-08T12:00:00Z', to: '2026-01-08T11:00:00Z' }],
])('what is no range leaves the hour before now: %o', (choice) => {
  expect(fixedRange(choice)).toBeUndefined()
  expect(rangeOf(choice, now, Infinity)).toEqual({ from: now - hour, to: now })
})

test('a preset ends now, and two moments stay where they are', () => {
  expect(rangeOf({ range: '3d' }, now, Infinity)).toEqual({ from: now - 3 * day, to: now })
  const fixed = { from: now - 2 * hour, to: now - hour }
  expect(rangeOf({ range: '3d', ...choiceOf(fixed) }, now + day, Infinity)).toEqual(fixed)
})

test('what is not kept any more is no part of a range, and a time that is gone as a whole stays', () => {
  expect(rangeOf({ range: '7d' }, now, day)).toEqual({ from: now - day, to: now })
  const old = { from: now - 3 * day, to: now - 2 * day }
  expect(rangeOf(choiceOf(old), now, day)).toEqual(old)
  expect(rangeOf(choiceOf(old), now, 2.5 * day)).toEqual({ from: now - 2.5 * day, to: old.to })
})

test('what a plan does not keep names the first plan that does', () => {
  expect(denialOf(day, 'edge_logs', day)).toBeUndefined()
  expect(denialOf(3 * day, 'edge_logs', day)).toBe('The Pro plan keeps these logs for 7 days')
  expect(denialOf(8 * day, 'edge_logs', 7 * day)).toBe('The Team plan keeps these logs for 28 days')
  expect(denialOf(200 * day, 'edge_logs', 90 * day)).toBe('These logs are kept for 90 days')
  expect(denialOf(3 * hour, 'auth_audit_logs', hour)).toBe(
    'The Pro plan keeps these logs for 7 days',
  )
  expect(denialOf(2 * hour, 'edge_logs', hour * 1.2)).toBe(
    'The Free plan keeps these logs for 1 day',
  )
})

test('the audit of Auth is kept for a time of its own', () => {
  expect(keptMs('edge_logs', 1)).toBe(day)
  expect(keptMs('auth_audit_logs', 1)).toBe(hour)
  expect(keptMs('auth_audit_logs', 90)).toBe(90 * day)
  expect(keptMs('auth_audit_logs', 3)).toBe(3 * day)
})

test('who finds nothing is offered the next longer range, as far as it is kept', () => {
  expect(widerThan({ from: now - hour, to: now }, day)).toBe('3h')
  expect(widerThan({ from: now - day, to: now }, day)).toBeUndefined()
  expect(widerThan({ from: now - day, to: now }, 7 * day)).toBe('3d')
})

test('a time that is put into the field of the browser and read again is the same', () => {
  expect(new Date(localText(now)).getTime()).toBe(now)
})

test('the time before is as long, and ends where this one begins', () => {
  expect(before({ from: 10, to: 14 })).toEqual({ from: 6, to: 10 })
})
