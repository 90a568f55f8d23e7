import fc from 'fast-check'
import { expect, test } from 'vitest'
import { harshest, nextStage, ownCauses, type OwnCause, type Stage } from './stages.ts'
import { daysAfter, stageTerms } from './terms.ts'

const start = new Date('2026-04-01T00:00:00Z')
const look = (cause: OwnCause, applies: boolean, now: Date, lastGrace: Date | null = null) => ({
  cause,
  applies,
  now,
  lastGrace,
})

test('an organization that owes goes through grace_period, grace_period_over, restricted, and out when it has paid', () => {
  const grace = nextStage(null, look('overdue', true, start))
  expect(grace).toEqual({ status: 'grace_period', grace_period_end: daysAfter(start, 14) })
  expect(nextStage(grace, look('overdue', true, daysAfter(start, 13)))).toEqual(grace)
  const over = nextStage(grace, look('overdue', true, daysAfter(start, 14)))
  expect(over?.status).toBe('grace_period_over')
  expect(nextStage(over, look('overdue', true, daysAfter(start, 20)))).toEqual(over)
  const restricted = nextStage(over, look('overdue', true, daysAfter(start, 21)))
  expect(restricted?.status).toBe('restricted')
  for (const stage of [grace, over, restricted])
    expect(nextStage(stage, look('overdue', false, daysAfter(start, 99)))).toBeNull()
})

test('a second quota within 60 days has no grace period, one after them has', () => {
  const again = (days: number) =>
    nextStage(null, look('quota', true, daysAfter(start, days), start))
  expect(again(59)).toEqual({ status: 'grace_period_over', grace_period_end: daysAfter(start, 59) })
  expect(again(60)).toEqual({ status: 'grace_period', grace_period_end: daysAfter(start, 67) })
  // Who owes again begins with the grace period every time.
  expect(nextStage(null, look('overdue', true, daysAfter(start, 1), start))?.status).toBe(
    'grace_period',
  )
})

test('of two causes the harsher one counts, of two alike the invoices', () => {
  const of = (status: Stage['status']): Stage => ({ status, grace_period_end: start })
  const cause = (overdue: Stage | null, quota: Stage | null) =>
    harshest({ overdue, quota }).restriction_cause
  expect(cause(null, null)).toBeNull()
  expect(cause(null, of('grace_period'))).toBe('quota')
  expect(cause(of('grace_period'), of('grace_period'))).toBe('overdue')
  expect(cause(of('grace_period'), of('grace_period_over'))).toBe('quota')
  expect(cause(of('restricted'), of('restricted'))).toBe('overdue')
  expect(cause(of('grace_period_over'), of('restricted'))).toBe('quota')
})

const rank = { grace_period: 1, grace_period_over: 2, restricted: 3 }

test('whatever comes and goes: no stage is skipped or left out, none is longer or shorter than it is told', () => {
  const looks = fc.array(
    fc.record({ applies: fc.boolean(), hours: fc.integer({ min: 0, max: 24 * 30 }) }),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(fc.constantFrom(...ownCauses), looks, (cause, steps) => {
      const { graceDays, overDays, graceEveryDays } = stageTerms[cause]
      let now = start
      let stage: Stage | null = null
      let lastGrace: Date | null = null
      for (const { applies, hours } of steps) {
        now = new Date(now.getTime() + hours * 3_600_000)
        const before: Stage | null = stage
        stage = nextStage(before, look(cause, applies, now, lastGrace))
        // Whoever is not beyond any more is free at the next look, from every stage.
        if (!applies) {
          expect(stage).toBeNull()
          continue
        }
        expect(stage).not.toBeNull()
        if (stage === null) continue
        if (before === null) {
          const early = lastGrace !== null && now < daysAfter(lastGrace, graceEveryDays)
          expect(stage.status).toBe(early ? 'grace_period_over' : 'grace_period')
          if (stage.status === 'grace_period') {
            expect(stage.grace_period_end).toEqual(daysAfter(now, graceDays))
            lastGrace = now
          }
          continue
        }
        // One step at a time, never back, and the date that people were told stays.
        expect([0, 1]).toContain(rank[stage.status] - rank[before.status])
        expect(stage.grace_period_end).toEqual(before.grace_period_end)
        if (stage.status === 'grace_period_over')
          expect(now.getTime()).toBeGreaterThanOrEqual(stage.grace_period_end.getTime())
        if (stage.status === 'restricted')
          expect(now.getTime()).toBeGreaterThanOrEqual(
            daysAfter(stage.grace_period_end, overDays).getTime(),
          )
      }
    }),
  )
})
