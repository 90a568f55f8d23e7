import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { LogDrainReport } from '#contract/observability/log-drain-shapes'
import { createRecord } from './record.ts'

const march = Date.parse('2026-03-31T23:59:00Z')
function opened() {
  const clock = { ms: march }
  const [token, start] = [randomUUID(), randomUUID()]
  return { clock, record: createRecord({ token, start, now: () => clock.ms }), token, start }
}

test('what was told is not told again, and what comes while it is told is', () => {
  const { record } = opened()
  expect(record.untold().reports).toEqual([])
  record.delivered(2, 100, march * 1000)
  const first = record.untold()
  record.delivered(1, 50, march * 1000)
  first.wasTold()
  expect(record.isTold()).toBe(false)
  const second = record.untold()
  // Absolute, so either of them may be lost or said twice.
  expect(second.reports.map(({ events, bytes }) => [events, bytes])).toEqual([[3, 150]])
  second.wasTold()
  expect([record.isTold(), record.untold().reports]).toEqual([true, []])
})

test('counts begin anew with a month, and the month before is told to its end', () => {
  const { record, clock } = opened()
  record.delivered(2, 100, march * 1000)
  record.lost(5)
  clock.ms += 120_000
  record.delivered(1, 10, march * 1000)
  const told = record.untold()
  expect(told.reports.map(({ month, events, lost }) => [month, events, lost])).toEqual([
    ['2026-03', 2, 5],
    ['2026-04', 1, 0],
  ])
  told.wasTold()
  record.delivered(1, 10, march * 1000)
  expect(record.untold().reports.map(({ month, events }) => [month, events])).toEqual([
    ['2026-04', 2],
  ])
})

test('failures are said with when they began, until something arrives', () => {
  const { record, clock } = opened()
  const said = () => LogDrainReport.array().parse(record.untold().reports)[0]
  record.failed('500 out of order', clock.ms + 1000)
  clock.ms += 10_000
  record.failed('502 still', clock.ms + 2000)
  expect(said()).toMatchObject({
    failing_since: '2026-03-31T23:59:00.000Z',
    last_error: '502 still',
    next_attempt_at: '2026-03-31T23:59:12.000Z',
    last_success_at: null,
    delivered_until: null,
  })
  record.delivered(1, 1, march * 1000 - 500_000)
  expect(said()).toMatchObject({
    failing_since: null,
    last_error: null,
    next_attempt_at: null,
    last_success_at: '2026-03-31T23:59:10.000Z',
    delivered_until: '2026-03-31T23:58:59.500Z',
  })
  record.lost(1, 'An entry was too large')
  expect(said()).toMatchObject({ failing_since: null, last_error: 'An entry was too large' })
})
