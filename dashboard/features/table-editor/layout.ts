import type { TableLayout } from '#contract/table-views'

export const plainLayout: TableLayout = { widths: {}, order: [], hidden: [], frozen: 0 }

type Named = { name: string }

/** Places of the columns that are shown, in the order in which they are: what is not named follows in its own order. */
export function shownColumns(columns: readonly Named[], { order, hidden }: TableLayout): number[] {
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
  from: number,
  to: number,
): TableLayout {
  const shown = shownColumns(columns, layout).map((at) => columns[at]?.name ?? '')
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
