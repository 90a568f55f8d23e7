import fc from 'fast-check'
import { expect, test } from 'vitest'
import { placeTip } from './Tooltip.tsx'

const view = { width: 1000, height: 800 }
const tip = { width: 100, height: 28 }
const at = (left: number, top: number) => ({ left, top, width: 40, height: 28 })

test('in the middle of the asked side, 6 px away', () => {
  expect(placeTip(at(500, 400), tip, view, 'bottom')).toEqual({ left: 470, top: 434 })
  expect(placeTip(at(500, 400), tip, view, 'top')).toEqual({ left: 470, top: 366 })
  expect(placeTip(at(500, 400), tip, view, 'right')).toEqual({ left: 546, top: 400 })
  expect(placeTip(at(500, 400), tip, view, 'left')).toEqual({ left: 394, top: 400 })
})

test('on the other side where there is no room', () => {
  expect(placeTip(at(500, 770), tip, view, 'bottom').top).toBe(736)
  expect(placeTip(at(0, 400), tip, view, 'left').left).toBe(46)
})

test('never outside of the window', () => {
  const side = fc.constantFrom('top' as const, 'right' as const, 'bottom' as const, 'left' as const)
  fc.assert(
    fc.property(fc.nat(1000), fc.nat(800), side, (left, top, where) => {
      const placed = placeTip(at(left, top), tip, view, where)
      expect(placed.left).toBeGreaterThanOrEqual(8)
      expect(placed.top).toBeGreaterThanOrEqual(8)
      expect(placed.left + tip.width).toBeLessThanOrEqual(view.width - 8)
      expect(placed.top + tip.height).toBeLessThanOrEqual(view.height - 8)
    }),
  )
})
