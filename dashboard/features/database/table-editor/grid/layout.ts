import type { TableLayout } from '#contract/database/table-views'

export const plainLayout: TableLayout = { widths: {}, order: [], hidden: [], frozen: null }

type Named = { name: string }

/**
 * Places of the columns that are shown, in the order in which they are: what is not named follows in its own order. Until
 * somebody arranges them, the primary key comes first.
 */
export function shownColumns(
  columns: readonly Named[],
  { order: arranged, hidden }: TableLayout,
  keys: readonly string[],
): number[] {
  const order = arranged.length > 0 ? arranged : keys
  const place = new Map(columns.map(({ name }, at) => [name, at]))
  const unseen = new Set(hidden)
  const named = new Set(order)
  const all = [...order, ...columns.map(({ name }) => name).filter((name) => !named.has(name))]
  const shown = all.flatMap((name) => {
    const at = place.get(name)
    return at === undefined || unseen.has(name) ? [] : [at]
  })
  // A table of which nothing is shown could never be brought back by its own menus.
  return shown.length > 0 ? shown : columns.map((_, at) => at)
}

/** One of the shown columns goes to the place of another. */
export function moved(
  columns: readonly Named[],
  layout: TableLayout,
  keys: readonly string[],
  [from, to]: readonly [number, number],
): TableLayout {
  const shown = shownColumns(columns, layout, keys).map((at) => columns[at]?.name ?? '')
  const [name] = shown.splice(from, 1)
  if (name === undefined) return layout
  shown.splice(to, 0, name)
  return { ...layout, order: shown }
}

export const resized = (layout: TableLayout, name: string, width: number): TableLayout => ({
  ...layout,
  widths: { ...layout.widths, [name]: Math.min(2000, Math.max(40, Math.round(width))) },
})

export const withHidden = (layout: TableLayout, name: string, hide: boolean): TableLayout => {
  const others = layout.hidden.filter((one) => one !== name)
  return { ...layout, hidden: hide ? [...others, name] : others }
}

/** How many of the shown columns stay at the left: as somebody wanted it, else those of the primary key that come first. */
export function frozenCount(
  { frozen }: TableLayout,
  shown: readonly (string | undefined)[],
  keys: readonly string[],
): number {
  if (frozen !== null) return frozen
  const others = shown.findIndex((name) => name === undefined || !keys.includes(name))
  return others === -1 ? shown.length : others
}

/** Pixels that key columns may take from those that scroll. */
const maxFrozen = 480

/** The same in a grid: something is left to scroll, and a key that is too wide scrolls with the others. */
export function frozenInGrid(
  layout: TableLayout,
  columns: readonly { name: string; width: number }[],
  keys: readonly string[],
): number {
  const names = columns.map(({ name }) => name)
  let count = Math.min(frozenCount(layout, names, keys), columns.length - 1)
  const widthOf = (first: number) =>
    columns.slice(0, first).reduce((sum, { width }) => sum + width, 0)
  while (layout.frozen === null && count > 0 && widthOf(count) > maxFrozen) count -= 1
  return Math.max(0, count)
}
