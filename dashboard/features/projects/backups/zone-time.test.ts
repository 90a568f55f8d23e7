import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allZones, momentsOf, momentText, offsetText, ownZone, wallAt } from './zone-time.ts'

const at = (text: string) => Date.parse(text)
const iso = (moments: number[]) => moments.map((ms) => new Date(ms).toISOString())
const of = (day: string, time: string, zone: string) => iso(momentsOf({ day, time }, zone))

test('a clock on the wall is a moment', () => {
  expect(of('2026-11-23', '08:12:05', 'Europe/Berlin')).toEqual(['2026-11-23T07:12:05.000Z'])
  expect(of('2026-07-23', '08:12:05', 'Europe/Berlin')).toEqual(['2026-07-23T06:12:05.000Z'])
  expect(of('2026-11-23', '08:12:05', 'UTC')).toEqual(['2026-11-23T08:12:05.000Z'])
  expect(of('2026-11-23', '00:10:00', 'Asia/Kathmandu')).toEqual(['2026-11-22T18:25:00.000Z'])
  expect(of('2026-11-23', '23:00:00', 'Pacific/Kiritimati')).toEqual(['2026-11-23T09:00:00.000Z'])
})

test('a time without seconds is that of their first', () => {
  expect(of('2026-11-23', '08:12', 'UTC')).toEqual(['2026-11-23T08:12:00.000Z'])
})

test('when the clocks are put forward, an hour does not exist', () => {
  expect(of('2026-03-29', '01:59:59', 'Europe/Berlin')).toEqual(['2026-03-29T00:59:59.000Z'])
  expect(of('2026-03-29', '02:00:00', 'Europe/Berlin')).toEqual([])
  expect(of('2026-03-29', '02:59:59', 'Europe/Berlin')).toEqual([])
  expect(of('2026-03-29', '03:00:00', 'Europe/Berlin')).toEqual(['2026-03-29T01:00:00.000Z'])
  // Half an hour there.
  expect(of('2026-10-04', '02:15:00', 'Australia/Lord_Howe')).toEqual([])
  expect(of('2026-10-04', '02:45:00', 'Australia/Lord_Howe')).toHaveLength(1)
})

test('when they are put back, an hour comes twice, the earlier one first', () => {
  expect(of('2026-10-25', '02:30:00', 'Europe/Berlin')).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T01:30:00.000Z',
  ])
  expect(of('2026-11-01', '01:30:00', 'America/New_York')).toEqual([
    '2026-11-01T05:30:00.000Z',
    '2026-11-01T06:30:00.000Z',
  ])
  expect(of('2026-10-25', '03:00:00', 'Europe/Berlin')).toHaveLength(1)
})

test.each([
  ['', ''],
  ['2026-11-23', ''],
  ['', '08:00:00'],
  ['2026-13-01', '08:00:00'],
  ['2026-11-23', '25:00:00'],
])('%j and %j are no moment', (day, time) => {
  expect(momentsOf({ day, time }, 'Europe/Berlin')).toEqual([])
})

test('how far a zone is from UTC, and how a moment reads there', () => {
  const winter = at('2026-11-23T07:12:05Z')
  expect(offsetText(winter, 'Europe/Berlin')).toBe('+01:00')
  expect(offsetText(winter, 'America/St_Johns')).toBe('-03:30')
  expect(offsetText(winter, 'UTC')).toBe('+00:00')
  expect(momentText(winter, 'Europe/Berlin')).toBe('23 Nov 2026, 08:12:05')
  expect(momentText(at('2026-11-23T00:00:00Z'), 'UTC')).toBe('23 Nov 2026, 00:00:00')
})

test('whatever a clock shows at a moment leads back to that moment', () => {
  const zones = allZones()
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({
        min: at('2024-01-01T00:00:00Z') / 1000,
        max: at('2030-01-01T00:00:00Z') / 1000,
      }),
      (zone, seconds) => {
        const ms = seconds * 1000
        const found = momentsOf(wallAt(ms, zone), zone)
        expect(found).toContain(ms)
        expect(found.length).toBeLessThanOrEqual(2)
      },
    ),
    { numRuns: 2000 },
  )
})

test('there is UTC to choose, the own zone, and zones by the names that they have today', () => {
  expect(allZones()).toContain('UTC')
  expect(allZones()).toContain(ownZone())
  expect(allZones()).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Kyiv', 'Asia/Tokyo']))
  expect(new Set(allZones()).size).toBe(allZones().length)
})
