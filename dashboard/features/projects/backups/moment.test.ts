import { expect, test } from 'vitest'
import { choiceAt, gapsOf, inZone, readMoment, wholeSpans, type MomentChoice } from './moment.ts'

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
