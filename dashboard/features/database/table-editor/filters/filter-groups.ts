import type { RowFilter } from '#contract/database/rows/table-rows'

/** The same condition, as one that begins another group or one that goes on with its group. */
export function joined(filter: RowFilter, or: boolean): RowFilter {
  const { or: _, ...alone } = filter
  return or ? { ...alone, or } : alone
}

/** The first condition begins the first group by itself. */
export const inGroups = (filters: readonly RowFilter[]): RowFilter[] =>
  filters.map((filter, at) => joined(filter, at > 0 && filter.or === true))

/** A condition and its place in the whole list. */
export type Placed = { filter: RowFilter; at: number }

export function groupsOf(filters: readonly RowFilter[]): Placed[][] {
  const groups: Placed[][] = []
  for (const [at, filter] of filters.entries()) {
    const last = groups.at(-1)
    if (last && !filter.or) last.push({ filter, at })
    else groups.push([{ filter, at }])
  }
  return groups
}

/** With one more condition, at the end of a group; in a group of its own without one. */
export function added(
  filters: readonly RowFilter[],
  filter: RowFilter,
  group?: number,
): RowFilter[] {
  const last = group === undefined ? undefined : groupsOf(filters)[group]?.at(-1)
  if (!last) return inGroups([...filters, joined(filter, true)])
  return filters.toSpliced(last.at + 1, 0, joined(filter, false))
}

export const replaced = (filters: readonly RowFilter[], at: number, filter: RowFilter) =>
  filters.with(at, joined(filter, filters[at]?.or === true))

/** A group goes on with what follows its first condition. */
export function removed(filters: readonly RowFilter[], at: number): RowFilter[] {
  const next = filters[at + 1]
  const kept = next && filters[at]?.or ? filters.with(at + 1, joined(next, true)) : filters
  return inGroups(kept.toSpliced(at, 1))
}

/** Parts a group in two at this condition, or makes one of two groups. */
export const turned = (filters: readonly RowFilter[], at: number): RowFilter[] =>
  filters.map((filter, i) => (i === at ? joined(filter, !filter.or) : filter))
