import { expect, test } from 'vitest'
import type { LogEvent, LogPage, LostEvents } from '#contract/observability/logs'
import { cutTo, followFrom, lostText, newIn, rowsOf, together } from './entries.ts'

const event = (timestamp: number, id = `e${timestamp}`): LogEvent => ({
  id,
  timestamp,
  source: 'edge_logs',
  level: 'info',
  event_message: '',
  fields: {},
})
const page = (times: number[], more: Partial<LogPage> = {}): LogPage => ({
  events: times.map((time) => event(time)),
  lost: [],
  ...more,
})
const lost = (from: number, to: number): LostEvents => ({ from, to, count: 3, reason: 'rate' })

test('entries are lines once each, and what was lost stands between those before and after it', () => {
  const rows = rowsOf([
    page([90, 80, 70], { lost: [lost(72, 75)], next: { timestamp: 70, id: 'e70' } }),
    page([70, 60], { lost: [lost(72, 75), lost(10, 20)] }),
  ])
  expect(rows.map(({ kind, at }) => `${kind} ${at}`)).toEqual([
    'event 90',
    'event 80',
    'lost 75',
    'event 70',
    'event 60',
    'lost 20',
  ])
})

test('what was lost further back than is loaded waits for the entries around it', () => {
  const first = page([90, 80], { lost: [lost(10, 20)], next: { timestamp: 80, id: 'e80' } })
  expect(rowsOf([first]).map(({ kind }) => kind)).toEqual(['event', 'event'])
})

test('what is known already is not new, however often it is answered', () => {
  const pages = [page([90, 80], { next: { timestamp: 80, id: 'e80' } })]
  const timesOf = (found: LogPage) => newIn(found, pages).events.map(({ timestamp }) => timestamp)
  expect(timesOf(page([80, 90, 95, 100]))).toEqual([100, 95])
  expect(timesOf(page([]))).toEqual([])
  // Written late, it belongs between the others.
  expect(timesOf(page([85]))).toEqual([85])
  // Older than what is loaded: it comes with the next page.
  expect(timesOf(page([60, 70, 80]))).toEqual([])
})

test('what was lost is new once, too', () => {
  const pages = [page([90, 80], { lost: [lost(72, 85)], next: { timestamp: 80, id: 'e80' } })]
  const found = page([], { lost: [lost(72, 85), lost(10, 20), lost(91, 95)] })
  expect(newIn(found, pages).lost).toEqual([lost(91, 95)])
})

test('an entry that was written late finds its place', () => {
  expect(rowsOf([page([90]), page([100, 80])]).map(({ at }) => at)).toEqual([100, 90, 80])
})

test('entries of the same microsecond are in the order of their ids', () => {
  const found = newIn({ events: [event(5, 'a'), event(5, 'c'), event(5, 'b')], lost: [] }, [])
  expect(found.events.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
})

test('a log that is followed for long forgets its oldest entries, and goes on from there', () => {
  const cut = cutTo(3, [page([100, 95]), page([90, 80]), page([70])])
  expect(cut.events.map(({ timestamp }) => timestamp)).toEqual([100, 95, 90])
  expect(cut.next).toEqual({ timestamp: 90, id: 'e90' })
  // Where nothing was forgotten it goes on where it would have.
  const next = { timestamp: 80, id: 'e80' }
  expect(cutTo(3, [page([95]), page([90, 80], { next })]).next).toEqual(next)
  expect(cutTo(3, [page([95])]).next).toBeUndefined()
})

test('a log is followed from shortly before its newest entry, for those that are written late', () => {
  expect(followFrom([page([])])).toBeUndefined()
  expect(followFrom([page([]), page([10_000_000, 5])])).toEqual({ timestamp: 7_000_000, id: '' })
})

test('what waits to be shown is in order, too', () => {
  const waiting = together(together(page([]), page([90, 95])), page([100, 93]))
  expect(waiting.events.map(({ timestamp }) => timestamp)).toEqual([100, 95, 93, 90])
})

test('a gap says how many entries are missing and why', () => {
  expect(lostText({ from: 1, to: 2, count: 1800, reason: 'rate' })).toBe(
    '1,800 entries were lost here: more than a project may write',
  )
  expect(lostText({ from: 1, to: 2, count: 1, reason: 'disk' })).toBe(
    '1 entry was lost here: the disk was full',
  )
})
