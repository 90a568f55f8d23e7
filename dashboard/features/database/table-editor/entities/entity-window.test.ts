import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inSight } from './EntityWindow.tsx'

test('whatever is in sight is drawn, in whichever group it stands, and never much more', () => {
  const given = fc.record({
    scrolled: fc.nat(300_000),
    height: fc.integer({ min: 1, max: 3000 }),
    row: fc.constantFrom(28, 40),
    counts: fc.array(fc.nat(10_000), { minLength: 1, maxLength: 2 }),
  })
  fc.assert(
    fc.property(given, ({ scrolled, height, row, counts }) => {
      const sight = { top: Math.floor(scrolled / (row * 10)) * row * 10, height, row }
      const places = counts.flatMap((count, group) => {
        const before = counts.slice(0, group).reduce((a, b) => a + b, 0)
        const { from, to } = inSight(sight, count, before)
        return Array.from({ length: to - from }, (_, at) => before + from + at)
      })
      const total = counts.reduce((a, b) => a + b, 0)
      const seen = Array.from(
        { length: Math.ceil(height / row) + 1 },
        (_, at) => Math.floor(scrolled / row) + at,
      )
      const drawn = new Set(places)
      expect(seen.filter((place) => place < total && !drawn.has(place))).toEqual([])
      expect(places.length).toBeLessThan(height / row + 60)
    }),
    { numRuns: 1000 },
  )
})
