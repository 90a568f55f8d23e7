import { expect, test } from 'vitest'
import fc from 'fast-check'
import {
  choiceAt,
  gapsOf,
  inZone,
  readMoment,
  wholeSpans,
  type MomentChoice,
  allZones,
  momentsOf,
  momentText,
  offsetText,
  ownZone,
  wallAt,
} from './moment.ts'

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

const unix = (text: string) => Date.parse(text) / 1000
const span = { from: unix('2026-10-20T00:00:00Z'), to: unix('2026-10-27T12:00:00Z') }
const bounds = [span]
const berlin = (day: string, time: string, later = false): MomentChoice => ({
  day,
  time,
  zone: 'Europe/Berlin',
  later,
})

test('a day and a time in a zone are a moment', () => {
  expect(readMoment(berlin('2026-10-21', '10:00:00'), bounds)).toEqual({
    unix: unix('2026-10-21T08:00:00Z'),
    problem: undefined,
    twice: undefined,
  })
})

test('both ends can be restored, a second beyond them cannot, and it is told when they are', () => {
  const at = (choice: MomentChoice) => readMoment(choice, bounds)
  expect(at(berlin('2026-10-20', '02:00:00')).unix).toBe(span.from)
  expect(at(berlin('2026-10-27', '13:00:00')).unix).toBe(span.to)
  expect(at(berlin('2026-10-20', '01:59:59'))).toMatchObject({
    unix: undefined,
    problem: 'Too early: the earliest moment is 20 Oct 2026, 02:00:00',
  })
  expect(at(berlin('2026-10-27', '13:00:01'))).toMatchObject({
    unix: undefined,
    problem: 'Too late: the latest moment is 27 Oct 2026, 13:00:00',
  })
})

test('an hour that comes twice is asked about', () => {
  const first = readMoment(berlin('2026-10-25', '02:30:00'), bounds)
  const second = readMoment(berlin('2026-10-25', '02:30:00', true), bounds)
  const both = [Date.parse('2026-10-25T00:30:00Z'), Date.parse('2026-10-25T01:30:00Z')]
  expect(first).toEqual({ unix: unix('2026-10-25T00:30:00Z'), problem: undefined, twice: both })
  expect(second).toEqual({ unix: unix('2026-10-25T01:30:00Z'), problem: undefined, twice: both })
})

test('what is no moment says why', () => {
  expect(readMoment(berlin('', '02:30:00'), bounds).problem).toBe('Choose a day and a time')
  expect(readMoment(berlin('2026-10-25', ''), bounds).problem).toBe('Choose a day and a time')
  const gap = { day: '2026-03-08', time: '02:30:00', zone: 'America/New_York', later: false }
  expect(readMoment(gap, bounds)).toEqual({
    unix: undefined,
    twice: undefined,
    problem:
      'In America/New York the clocks were put forward past this time: it does not exist on that day',
  })
})

test('another zone is another reading of the same moment', () => {
  const chosen = berlin('2026-10-25', '02:30:00', true)
  const there = inZone(chosen, 'Asia/Tokyo')
  expect(there).toEqual({ day: '2026-10-25', time: '10:30:00', zone: 'Asia/Tokyo', later: false })
  expect(inZone(there, 'Europe/Berlin')).toEqual(chosen)
  expect(inZone(berlin('', '02:30:00'), 'UTC')).toEqual({
    day: '',
    time: '02:30:00',
    zone: 'UTC',
    later: false,
  })
})

test('a moment between two seconds is chosen as the one before', () => {
  expect(choiceAt(Date.parse('2026-10-25T01:30:00.900Z'), 'Europe/Berlin')).toEqual(
    berlin('2026-10-25', '02:30:00', true),
  )
})

test('a moment between two parts of the archive is told as one that nothing was kept of', () => {
  const parts = [
    { from: unix('2026-10-20T00:00:00Z'), to: unix('2026-10-21T00:00:00Z') },
    { from: unix('2026-10-22T00:00:00Z'), to: unix('2026-10-23T00:00:00Z') },
  ]
  const at = (day: string) => readMoment({ ...berlin(day, '12:00:00'), zone: 'UTC' }, parts)
  expect(at('2026-10-20').unix).toBe(unix('2026-10-20T12:00:00Z'))
  expect(at('2026-10-22').unix).toBe(unix('2026-10-22T12:00:00Z'))
  expect(at('2026-10-21').problem).toBe(
    'There is no history of that moment: it falls into a gap from 21 Oct 2026, 00:00:00 to 22 Oct 2026, 00:00:00',
  )
  expect(at('2026-10-19').problem).toMatch(/^Too early: .* 20 Oct 2026, 00:00:00$/)
  expect(at('2026-10-23').problem).toMatch(/^Too late: .* 23 Oct 2026, 00:00:00$/)
  expect(readMoment(berlin('2026-10-20', '12:00:00'), []).problem).toBe('There is no history yet')
})

test('of the archive whole seconds are offered', () => {
  expect(wholeSpans([])).toEqual([])
  expect(
    wholeSpans([
      { from: 4.2, to: 9.8 },
      { from: 20.2, to: 20.7 },
    ]),
  ).toEqual([{ from: 5, to: 9 }])
})

test('between parts of the archive lie its gaps', () => {
  expect(gapsOf([])).toEqual([])
  expect(gapsOf([{ from: 1, to: 5 }])).toEqual([])
  expect(
    gapsOf([
      { from: 1, to: 5 },
      { from: 8, to: 9 },
      { from: 12, to: 20 },
    ]),
  ).toEqual([
    { from: 5, to: 8 },
    { from: 9, to: 12 },
  ])
})
