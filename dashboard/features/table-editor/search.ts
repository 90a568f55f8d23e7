import {
  filterOperators,
  type FilterOperator,
  type RowFilter,
  type RowSort,
} from '#contract/table-rows'

/** What of a table's page stands in its address (facts §10: filter=col:op:value, sort=col:asc). */
export type TableSearch = {
  filter?: string[]
  /** Places in `filter`, counted from 0, at which another group of conditions begins. */
  or?: string[]
  sort?: string[]
  /** The last page. */
  end?: string
  /** Where the page of rows begins, and its number. */
  cursor?: string
  page?: string
  /** The SQL of the table instead of its rows. */
  show?: 'definition'
  limit?: string
}

export const pageSizes = [100, 500, 1000] as const

const list = (value: unknown): string[] | undefined => {
  const texts = (Array.isArray(value) ? value : [value]).filter(
    (text): text is string => typeof text === 'string' && text !== '',
  )
  return texts.length > 0 ? texts : undefined
}

export function readSearch(search: Record<string, unknown>): TableSearch {
  const filter = list(search.filter)
  const sort = list(search.sort)
  const or = list(search.or)
  return {
    ...(filter ? { filter } : {}),
    ...(or ? { or } : {}),
    ...(search.end === 'true' ? { end: 'true' } : {}),
    ...(search.show === 'definition' ? { show: 'definition' } : {}),
    ...(sort ? { sort } : {}),
    ...(typeof search.cursor === 'string' ? { cursor: search.cursor } : {}),
    ...(typeof search.page === 'string' ? { page: search.page } : {}),
    ...(typeof search.limit === 'string' ? { limit: search.limit } : {}),
  }
}

const operators = filterOperators
  .toSorted((a, b) => b.length - a.length)
  .map((operator) => operator.replace(/[*]/g, String.raw`\$&`))
const filterForm = new RegExp(`^(.+?):(${operators.join('|')}):(.*)$`, 's')

export function parseFilter(text: string): RowFilter | undefined {
  const [, column, operator, value] = filterForm.exec(text) ?? []
  if (column === undefined || operator === undefined || value === undefined) return undefined
  // The expression above is made of the operators.
  return { column, operator: operator as FilterOperator, value }
}
/** A name may hold what divides the parts, so the names that there are go first, the longest before the others. */
function filterOf(text: string, columns: readonly { name: string }[]): RowFilter | undefined {
  const known = columns
    .map(({ name }) => name)
    .filter((name) => text.startsWith(`${name}:`))
    .toSorted((a, b) => b.length - a.length)
  for (const column of known) {
    const rest = parseFilter(`x${text.slice(column.length)}`)
    if (rest?.column === 'x') return { ...rest, column }
  }
  return undefined
}
export const writeFilter = ({ column, operator, value }: RowFilter) =>
  `${column}:${operator}:${value}`

export function parseSort(text: string): RowSort | undefined {
  const [, column, direction] = /^(.+):(asc|desc)$/s.exec(text) ?? []
  if (column === undefined) return undefined
  return { column, direction: direction === 'desc' ? 'desc' : 'asc' }
}
export const writeSort = ({ column, direction }: RowSort) => `${column}:${direction}`

export type View = {
  filters: RowFilter[]
  sort: RowSort[]
  limit: number
  cursor: string | undefined
  page: number
  end: boolean
}

/** The address as a request; what it has no meaning for here (a column that is gone) is left out. */
export function viewOf(search: TableSearch, columns: readonly { name: string }[]): View {
  const known = (part: { column: string } | undefined) =>
    part !== undefined && columns.some(({ name }) => name === part.column)
  const limit = Number(search.limit)
  const groups = new Set(search.or)
  const parsed = (search.filter ?? []).map((text, at) => {
    const filter = filterOf(text, columns)
    return filter && groups.has(String(at)) ? { ...filter, or: true } : filter
  })
  return {
    filters: inGroups(parsed.filter((part) => part !== undefined)),
    sort: (search.sort ?? []).map(parseSort).filter((part): part is RowSort => known(part)),
    limit: pageSizes.find((size) => size === limit) ?? 100,
    cursor: search.cursor,
    page: Math.max(1, Math.trunc(Number(search.page)) || 1),
    end: search.end === 'true',
  }
}

/** The first condition begins the first group by itself. */
export const inGroups = ([first, ...rest]: readonly RowFilter[]): RowFilter[] => {
  if (!first) return []
  const { column, operator, value } = first
  return [{ column, operator, value }, ...rest]
}

/** Other rows begin at the first page again. */
export const searchOf = (view: Pick<View, 'filters' | 'sort' | 'limit'>): TableSearch => ({
  ...(view.filters.length > 0 ? { filter: view.filters.map(writeFilter) } : {}),
  ...(view.filters.some(({ or }) => or)
    ? { or: view.filters.flatMap(({ or }, at) => (or ? [String(at)] : [])) }
    : {}),
  ...(view.sort.length > 0 ? { sort: view.sort.map(writeSort) } : {}),
  ...(view.limit === 100 ? {} : { limit: String(view.limit) }),
})

/** Ascending, descending, none: what a click on a column's head does. One column at a time. */
export function nextSort(sort: readonly RowSort[], column: string): RowSort[] {
  const now = sort.find((part) => part.column === column)
  if (!now) return [{ column, direction: 'asc' }]
  return now.direction === 'asc' ? [{ column, direction: 'desc' }] : []
}
