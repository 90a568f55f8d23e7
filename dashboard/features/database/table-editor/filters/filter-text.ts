import {
  filterOperators,
  type FilterOperator,
  type RowFilter,
} from '#contract/database/rows/table-rows'
import { readJsonPath } from '#contract/database/rows/json-path'

/**
 * A filter as it stands in the address: `column:operator:value`, `column->path:operator:value` for a part of a JSON
 * document, or `:sql:` and a condition.
 */
export function writeFilter(filter: RowFilter): string {
  if ('condition' in filter) return `${sql}${filter.condition}`
  const { column, path, operator, value } = filter
  return `${column}${path === undefined ? '' : `->${path}`}:${operator}:${value}`
}

const sql = ':sql:'
const operators = filterOperators
  .toSorted((a, b) => b.length - a.length)
  .map((operator) => operator.replace(/[*]/g, String.raw`\$&`))
/** What follows the name of a column. A path has a colon only within quotes. */
const rest = new RegExp(`^(?:->((?:"[^"]*"|[^":])+))?:(${operators.join('|')}):(.*)$`, 's')

/** A name may hold what divides the parts, so the names that there are go first, the longest before the others. */
export function parseFilter(
  text: string,
  columns: readonly { name: string }[],
): RowFilter | undefined {
  const names = columns
    .map(({ name }) => name)
    .filter((name) => text.startsWith(name))
    .toSorted((a, b) => b.length - a.length)
  for (const column of names) {
    const [, path, operator, value] = rest.exec(text.slice(column.length)) ?? []
    if (operator === undefined || value === undefined) continue
    if (path !== undefined && !readJsonPath(path)) continue
    // The expression above is made of the operators.
    const way = operator as FilterOperator
    return { column, ...(path === undefined ? {} : { path }), operator: way, value }
  }
  return text.startsWith(sql) && text.trim() !== sql
    ? { condition: text.slice(sql.length) }
    : undefined
}

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
