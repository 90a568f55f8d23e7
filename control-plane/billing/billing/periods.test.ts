import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addMonths, overlap, periodFrom } from './periods.ts'

const at = (text: string) => new Date(`${text}T12:30:00.000Z`)

test('a month later is the same day and time, or the last day there is', () => {
  expect(addMonths(at('2026-01-15'), 1)).toEqual(at('2026-02-15'))
  expect(addMonths(at('2026-01-31'), 1)).toEqual(at('2026-02-28'))
  expect(addMonths(at('2028-01-31'), 1)).toEqual(at('2028-02-29'))
  expect(addMonths(at('2026-11-30'), 3)).toEqual(at('2027-02-28'))
})

test('what began on the 31st comes back to the 31st after February', () => {
  const anchor = at('2026-01-31')
  const ends: Date[] = []
  let start = anchor
  for (let i = 0; i < 4; i++) ends.push((start = periodFrom(anchor, start).end))
  expect(ends).toEqual(['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31'].map(at))
})

test('periods follow one another without a gap, each about a month long', () => {
  const date = fc.date({ min: at('2024-01-01'), max: at('2030-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(date, fc.integer({ min: 1, max: 40 }), (anchor, count) => {
      let start = anchor
      for (let i = 1; i <= count; i++) {
        const { end } = periodFrom(anchor, start)
        const days = (end.getTime() - start.getTime()) / 86_400_000
        expect(days).toBeGreaterThanOrEqual(28)
        expect(days).toBeLessThanOrEqual(31)
        expect(end).toEqual(addMonths(anchor, i))
        start = end
      }
    }),
  )
})

test('spans have in common what lies in both; an open end reaches to the end', () => {
  const period = { start: at('2026-02-01'), end: at('2026-03-01') }
  const day = 86_400_000
  expect(overlap({ start: at('2026-01-01'), end: null }, period)).toBe(28 * day)
  expect(overlap({ start: at('2026-02-27'), end: at('2026-03-05') }, period)).toBe(2 * day)
  expect(overlap({ start: at('2026-01-01'), end: at('2026-02-01') }, period)).toBe(0)
})
