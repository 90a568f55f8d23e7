import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { Cell, RowSort } from '#contract/database/rows/table-rows'
import { ApiError } from '#kit/errors'
import { quoteIdent } from '#contract/ddl/sql-text'
import {
  beyondSql,
  decodeCursor,
  encodeCursor,
  orderSql,
  totalOrder,
  type OrderKey,
} from './row-order.ts'
import { asText, type TextQueryable } from './text-rows.ts'
import type { CheckedFilters } from './checked-filters.ts'
import { filtersSql } from './filter-sql.ts'
import { cellsSql, columnOf, isShort, orTrue, parameters, tableSql, toCells } from './row-sql.ts'

type RowQuery = {
  filters: CheckedFilters
  sort: RowSort[]
  limit: number
  cursor?: string | undefined
  /** The last page; a cursor goes before it. */
  end?: boolean | undefined
}
export type RowPage = {
  columns: string[]
  rows: Cell[][]
  next: string | null
  previous: string | null
}
type Texts = (string | null)[]

/** One page. Deep pages cost what the first one costs: the next starts at the last row's keys, not at a count. */
export function listRows(
  db: TextQueryable,
  entity: EntityDetail,
  query: RowQuery,
): Promise<RowPage> {
  const order = totalOrder(entity, query.sort)
  return order ? byKeys(db, entity, query, order) : byOffset(db, entity, query)
}

async function byKeys(
  db: TextQueryable,
  entity: EntityDetail,
  { filters, limit, cursor, end = false }: RowQuery,
  order: OrderKey[],
): Promise<RowPage> {
  const from = cursor === undefined ? undefined : decodeCursor(cursor)
  if (from && (!('keys' in from) || from.keys.length !== order.length)) {
    throw new ApiError('invalid_input', 'The cursor belongs to a different sort order')
  }
  const start = from && 'keys' in from ? from : undefined
  const backward = start?.back ?? (end && !start)
  const { values, param } = parameters()
  const conditions = filtersSql(entity, filters, param)
  if (start) conditions.push(beyondSql(order, start.keys, backward, param))
  const { extra, keysOf } = keyColumns(entity, order)
  const sql = `select ${[cellsSql(entity), ...extra].filter(Boolean).join(', ')} from ${tableSql(entity)}
    where ${orTrue(conditions)} order by ${orderSql(order, backward)} limit ${limit + 1}`
  const found: Texts[] = await asText(db, sql, values)
  const more = found.length > limit
  const page = found.slice(0, limit)
  if (backward) page.reverse()
  const cursorOf = (row: Texts | undefined, back: boolean) =>
    row ? encodeCursor({ back, keys: keysOf(row) }) : null
  const hasNext = (backward && start !== undefined) || (!backward && more)
  const hasPrevious = backward ? more : start !== undefined
  return {
    columns: entity.columns.map(({ name }) => name),
    rows: page.map((row) => toCells(row.slice(0, entity.columns.length))),
    next: hasNext ? cursorOf(page.at(-1), false) : null,
    previous: hasPrevious ? cursorOf(page[0], true) : null,
  }
}

/** Where each key's whole value stands in a row: with the cells, or behind them when its cell may be cut. */
function keyColumns(entity: EntityDetail, order: readonly OrderKey[]) {
  const extra: string[] = []
  const places = order.map(({ column, sql }) => {
    if (column !== undefined && isShort(columnOf(entity, column))) {
      return entity.columns.findIndex(({ name }) => name === column)
    }
    return entity.columns.length + extra.push(sql) - 1
  })
  return { extra, keysOf: (row: Texts) => places.map((place) => row[place] ?? null) }
}

async function byOffset(
  db: TextQueryable,
  entity: EntityDetail,
  { filters, sort, limit, cursor, end }: RowQuery,
): Promise<RowPage> {
  if (end && cursor === undefined)
    throw new ApiError(
      'invalid_input',
      'These rows have no stable order, so there is no previous page',
    )
  const from = cursor === undefined ? { offset: 0 } : decodeCursor(cursor)
  if (!('offset' in from))
    throw new ApiError('invalid_input', 'The cursor belongs to a different list')
  const { values, param } = parameters()
  const where = orTrue(filtersSql(entity, filters, param))
  const keys = sort.map(({ column, direction }) => {
    const name = columnOf(entity, column).name
    return { column: name, sql: quoteIdent(name), descending: direction === 'desc', nullable: true }
  })
  const order = keys.length > 0 ? `order by ${orderSql(keys, false)}` : ''
  const sql = `select ${cellsSql(entity)} from ${tableSql(entity)} where ${where} ${order}
    limit ${limit + 1} offset ${from.offset}`
  const found: Texts[] = await asText(db, sql, values)
  const at = (offset: number) => encodeCursor({ offset })
  return {
    columns: entity.columns.map(({ name }) => name),
    rows: found.slice(0, limit).map(toCells),
    next: found.length > limit ? at(from.offset + limit) : null,
    previous: from.offset > 0 ? at(Math.max(0, from.offset - limit)) : null,
  }
}
