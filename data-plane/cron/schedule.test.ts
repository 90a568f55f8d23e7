import { expect, test } from 'vitest'
import { isTimezone, nextTick } from './schedule.ts'

const at = (text: string) => Date.parse(text)
const next = (schedule: string, after: string, timezone = 'UTC') => {
  const tick = nextTick(schedule, at(after), timezone)
  return tick === undefined ? undefined : new Date(tick).toISOString()
}

test.each([
  ['* * * * *', '2026-11-27T10:00:00Z', '2026-11-27T10:01:00.000Z'],
  ['* * * * *', '2026-11-27T10:00:59.999Z', '2026-11-27T10:01:00.000Z'],
  ['*/15 * * * *', '2026-11-27T10:50:00Z', '2026-11-27T11:00:00.000Z'],
  ['5 4 * * *', '2026-11-27T10:00:00Z', '2026-11-28T04:05:00.000Z'],
  ['0 0 $ * *', '2027-02-01T00:00:00Z', '2027-02-28T00:00:00.000Z'],
  ['0 0 $ * *', '2028-02-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['0 0 29 feb *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00.000Z'],
  ['0 12 * * mon-fri', '2026-11-27T12:00:00Z', '2026-11-30T12:00:00.000Z'],
  ['0 0 * * 7', '2026-11-27T00:00:00Z', '2026-11-29T00:00:00.000Z'],
  // The day of the month or that of the week.
  ['0 0 13 * 5', '2026-11-28T00:00:00Z', '2026-12-04T00:00:00.000Z'],
  ['0 0 13 * 5', '2026-12-11T00:00:00Z', '2026-12-13T00:00:00.000Z'],
  ['10 seconds', '2026-11-27T10:00:03Z', '2026-11-27T10:00:13.000Z'],
  ['1 second', '2026-11-27T10:00:03Z', '2026-11-27T10:00:04.000Z'],
])('%s after %s is due at %s', (schedule, after, due) => {
  expect(next(schedule, after)).toBe(due)
})

test.each([
  '',
  '* * * *',
  '* * * * * *',
  '@daily',
  'nonsense',
  '61 * * * *',
  '0 seconds',
  '0 0 31 2 *',
])('"%s" is never due', (schedule) =>
  expect(next(schedule, '2026-11-27T10:00:00Z')).toBeUndefined(),
)

const berlin = 'Europe/Berlin'
test('a time that a spring day does not have comes as its clocks go on, one that an autumn day has twice comes once', () => {
  // Clocks go from 02:00 to 03:00.
  const spring = '2027-03-27T23:00:00Z'
  const first = next('30 2 * * *', spring, berlin)
  expect(first).toBe('2027-03-28T01:00:00.000Z')
  expect(next('30 2 * * *', first ?? '', berlin)).toBe('2027-03-29T00:30:00.000Z')
  // Clocks go from 03:00 back to 02:00.
  const autumn = next('30 2 * * *', '2027-10-30T22:00:00Z', berlin)
  expect(autumn).toBe('2027-10-31T00:30:00.000Z')
  expect(next('30 2 * * *', autumn ?? '', berlin)).toBe('2027-11-01T01:30:00.000Z')
  expect(next('0 12 * * *', '2027-10-31T00:00:00Z', berlin)).toBe('2027-10-31T11:00:00.000Z')
})

test('time zones that databases know and this machine does not', () => {
  expect(['UTC', berlin, 'GMT', 'Mars/Olympus', 'posixrules', ''].map(isTimezone)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})
