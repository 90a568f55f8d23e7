import type { RowFilter, RowSort } from '#contract/database/rows/table-rows'
import { parseFilter, writeFilter, inGroups, joined } from './filters/filter-text.ts'
import { oneOf, searchParams, text, texts } from '../../../session/search-params.ts'

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

export const readSearch: (search: Record<string, unknown>) => TableSearch = searchParams({
  filter: texts,
  or: texts,
  end: oneOf('true'),
  show: oneOf('definition'),
  sort: texts,
  cursor: text,
  page: text,
  limit: text,
})

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
    const filter = parseFilter(text, columns)
    return filter && joined(filter, groups.has(String(at)))
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

/** Other rows begin at the first page again. */
export const searchOf = (view: Pick<View, 'filters' | 'sort' | 'limit'>): TableSearch => ({
  ...(view.filters.length > 0 ? { filter: view.filters.map(writeFilter) } : {}),
  ...(view.filters.some(({ or }) => or)
    ? { or: view.filters.flatMap(({ or }, at) => (or ? [String(at)] : [])) }
    : {}),
  ...(view.sort.length > 0 ? { sort: view.sort.map(writeSort) } : {}),
  ...(view.limit === 100 ? {} : { limit: String(view.limit) }),
})

/**
 * Ascending, descending, none: what choosing a column does, which sorts by it alone; `also` keeps the columns that come
 * before it.
 */
export function nextSort(sort: readonly RowSort[], column: string, also = false): RowSort[] {
  const now = sort.find((part) => part.column === column)
  const next: RowSort | undefined = !now
    ? { column, direction: 'asc' }
    : now.direction === 'asc'
      ? { column, direction: 'desc' }
      : undefined
  if (!also) return next ? [next] : []
  if (!now) return [...sort, { column, direction: 'asc' }]
  return sort.flatMap((part) => (part.column === column ? (next ?? []) : part))
}
