import { useState, type ReactNode, type UIEvent } from 'react'

/** What of a list that scrolls is in sight, in pixels and only roughly: it changes every so many rows. */
export type Sight = { top: number; height: number; row: number }

const rowHeight = 28
/** Rows of one step, and how many more than are in sight are drawn on either side. */
const [step, spare] = [10, 20]

export function useSight() {
  const [sight, setSight] = useState<Sight>({ top: 0, height: 1200, row: rowHeight })
  function look({ currentTarget: box }: UIEvent<HTMLElement>): void {
    // On a phone rows are higher.
    const row = box.querySelector<HTMLElement>('.entity-row')?.offsetHeight || rowHeight
    const top = Math.floor(box.scrollTop / (row * step)) * row * step
    const height = box.clientHeight
    if (top !== sight.top || height !== sight.height || row !== sight.row)
      setSight({ top, height, row })
  }
  return { sight, look }
}

/** Places in the list, from the first to before the last, that are to be drawn when `before` rows stand above it. */
export function inSight({ top, height, row }: Sight, count: number, before: number) {
  const within = (place: number) => Math.min(count, Math.max(0, place - before))
  const first = Math.floor(top / row) - spare
  return { from: within(first), to: within(first + Math.ceil(height / row) + step + 2 * spare) }
}

type Props<T> = {
  rows: readonly T[]
  /** Rows of the groups above this one. */
  before: number
  sight: Sight
  children: (row: T) => ReactNode
}

/** Of thousands of rows the ones in sight; what is not drawn is a gap of its height. */
export function EntityWindow<T>({ rows, before, sight, children }: Props<T>) {
  const { from, to } = inSight(sight, rows.length, before)
  return (
    <>
      <div style={{ height: from * sight.row }} />
      {rows.slice(from, to).map(children)}
      <div style={{ height: (rows.length - to) * sight.row }} />
    </>
  )
}
