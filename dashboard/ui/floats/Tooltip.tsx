import { cloneElement, type ReactElement } from 'react'

type Props = {
  text: string
  /** The shortcut of what is pointed at, as in 'mod+k' or 'g h'. */
  keys?: string | undefined
  side?: Side
  /** One element that spreads its props onto what it renders. */
  children: ReactElement<Record<string, unknown>>
}

/** Says what a control does. The control only carries the words; the one TooltipHost of the page shows them. */
export function Tooltip({ text, keys, side, children }: Props) {
  return cloneElement(children, { 'data-tip': text, 'data-tip-keys': keys, 'data-tip-side': side })
}

export type Side = 'top' | 'right' | 'bottom' | 'left'
type Box = { left: number; top: number; width: number; height: number }
type Size = { width: number; height: number }

const gap = 6
const margin = 8
const opposite: Record<Side, Side> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' }

/** Where the top left corner of a tip goes: beside its target, on the other side where there is no room, inside the window. */
export function placeTip(
  target: Box,
  tip: Size,
  view: Size,
  side: Side,
): { left: number; top: number } {
  const requested = beside(target, tip, side)
  const placed = fits(requested, tip, view, side) ? requested : beside(target, tip, opposite[side])
  return {
    left: clamp(placed.left, view.width - tip.width - margin),
    top: clamp(placed.top, view.height - tip.height - margin),
  }
}

function beside(target: Box, tip: Size, side: Side) {
  const left = target.left + (target.width - tip.width) / 2
  const top = target.top + (target.height - tip.height) / 2
  switch (side) {
    case 'top':
      return { left, top: target.top - tip.height - gap }
    case 'bottom':
      return { left, top: target.top + target.height + gap }
    case 'left':
      return { left: target.left - tip.width - gap, top }
    case 'right':
      return { left: target.left + target.width + gap, top }
  }
}

function fits(
  { left, top }: { left: number; top: number },
  tip: Size,
  view: Size,
  side: Side,
): boolean {
  return side === 'top' || side === 'bottom'
    ? top >= margin && top + tip.height + margin <= view.height
    : left >= margin && left + tip.width + margin <= view.width
}

const clamp = (value: number, max: number) => Math.max(margin, Math.min(value, max))
