import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { reportColumns } from '#contract/observability/report-content'
import { afterAll, closed, movedTo, within, type Place } from './layout.ts'

const block = (id: string, x: number, y: number, w: number, h: number) => ({ id, x, y, w, h })

test('a block that is put upon another pushes it down', () => {
  const blocks = [block('a', 0, 0, 6, 4), block('b', 6, 0, 6, 4)]
  expect(movedTo(blocks, 'b', { x: 0, y: 0, w: 6, h: 4 })).toEqual([
    block('a', 0, 4, 6, 4),
    block('b', 0, 0, 6, 4),
  ])
})

test('what grows pushes its neighbours, and they come back up when it shrinks', () => {
  const blocks = [block('a', 0, 0, 6, 4), block('b', 0, 4, 6, 4)]
  const grown = movedTo(blocks, 'a', { x: 0, y: 0, w: 6, h: 6 })
  expect(grown).toEqual([block('a', 0, 0, 6, 6), block('b', 0, 6, 6, 4)])
  expect(movedTo(grown, 'a', { x: 0, y: 0, w: 6, h: 4 })).toEqual(blocks)
})

test('the gap of a removed block is closed', () => {
  expect(closed([block('b', 0, 9, 12, 2)])).toEqual([block('b', 0, 0, 12, 2)])
})

test('something new stands below everything', () => {
  expect(afterAll([])).toBe(0)
  expect(afterAll([block('a', 0, 0, 6, 4), block('b', 6, 2, 6, 4)])).toBe(6)
})

const place = fc.record({
  x: fc.integer({ min: -3, max: 14 }),
  y: fc.integer({ min: -3, max: 30 }),
  w: fc.integer({ min: -1, max: 15 }),
  h: fc.integer({ min: -1, max: 25 }),
})
const meets = (a: Place, b: Place) =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h

test('wherever blocks are moved, none leaves the grid, none meets another, and none is lost', () => {
  fc.assert(
    fc.property(
      fc.array(place, { maxLength: 12 }),
      fc.array(place, { maxLength: 12 }),
      (first, moves) => {
        const ids = first.map((_, at) => `b${at}`)
        let blocks = first.map((one, at) => ({ id: `b${at}`, ...within(one) }))
        for (const [at, one] of first.entries()) blocks = movedTo(blocks, `b${at}`, one)
        for (const [at, to] of moves.entries())
          blocks = movedTo(blocks, `b${at % Math.max(1, first.length)}`, to)
        expect(blocks.map(({ id }) => id)).toEqual(ids)
        for (const one of blocks) {
          expect(one.x).toBeGreaterThanOrEqual(0)
          expect(one.x + one.w).toBeLessThanOrEqual(reportColumns)
          expect(one.y).toBeGreaterThanOrEqual(0)
          const others = blocks.filter(({ id }) => id !== one.id)
          expect(others.filter((other) => meets(one, other))).toEqual([])
          const above = { ...one, y: one.y - 1 }
          expect(one.y === 0 || others.some((other) => meets(above, other))).toBe(true)
        }
      },
    ),
  )
})
