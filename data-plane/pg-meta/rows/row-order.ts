import { z } from 'zod'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { RowSort } from '#contract/database/rows/table-rows'
import { ApiError } from '#kit/errors'
import { quoteIdent } from '#contract/ddl/sql-text'
import { columnOf, type Param } from './row-sql.ts'

/** One key of a total order over the rows. `column` is undefined for a row's place in its table. */
export type OrderKey = {
  column: string | undefined
  sql: string
  descending: boolean
  nullable: boolean
}

/**
 * The requested order, made total by the primary key, or by the row's place where a table has none. Views and foreign
 * tables have neither: undefined, and their pages are counted off instead.
 */
export function totalOrder(entity: EntityDetail, sort: readonly RowSort[]): OrderKey[] | undefined {
  const requested = sort.map(({ column, direction }) => keyOf(entity, column, direction === 'desc'))
  const sorted = new Set(sort.map(({ column }) => column))
  if (entity.primary_key.length > 0) {
    const rest = entity.primary_key.filter((name) => !sorted.has(name))
    return [...requested, ...rest.map((name) => keyOf(entity, name, false))]
  }
  if (entity.kind !== 'table') return undefined
  return [...requested, { column: undefined, sql: 'ctid', descending: false, nullable: false }]
}

function keyOf(entity: EntityDetail, name: string, descending: boolean): OrderKey {
  const column = columnOf(entity, name)
  return { column: name, sql: quoteIdent(name), descending, nullable: column.is_nullable }
}

/** Nulls stand where Postgres puts them by itself (last, descending first), so that plain indexes give this order. */
export function orderSql(keys: readonly OrderKey[], backward: boolean): string {
  return keys
    .map(({ sql, descending }) => `${sql} ${descending === backward ? 'asc' : 'desc'}`)
    .join(', ')
}

/** The condition for rows behind (`backward`: before) the one whose keys have these values. */
export function beyondSql(
  keys: readonly OrderKey[],
  values: readonly (string | null)[],
  backward: boolean,
  param: Param,
): string {
  const [first] = keys
  const uniform = keys.every((key) => key.descending === first?.descending && !key.nullable)
  if (uniform && first) {
    const sign = first.descending === backward ? '>' : '<'
    const row = keys.map((key) => key.sql).join(', ')
    // A row comparison is one range of an index over these columns.
    return `(${row}) ${sign} (${keys.map((key, i) => valueSql(key, values[i] ?? null, param)).join(', ')})`
  }
  return nested(keys, values, backward, param)
}

function nested(
  keys: readonly OrderKey[],
  values: readonly (string | null)[],
  backward: boolean,
  param: Param,
): string {
  const [key, ...keysLeft] = keys
  const [value = null, ...valuesLeft] = values
  if (!key) return 'false'
  const ascending = key.descending === backward
  const beyond = beyondOne(key, value, ascending, param)
  const same = value === null ? `${key.sql} is null` : `${key.sql} = ${valueSql(key, value, param)}`
  return `(${beyond} or (${same} and ${nested(keysLeft, valuesLeft, backward, param)}))`
}

/** Ascending has nulls at its end, descending at its start. */
function beyondOne(key: OrderKey, value: string | null, ascending: boolean, param: Param): string {
  if (value === null) return ascending ? 'false' : `${key.sql} is not null`
  if (!ascending) return `${key.sql} < ${valueSql(key, value, param)}`
  const greater = `${key.sql} > ${valueSql(key, value, param)}`
  return key.nullable ? `(${greater} or ${key.sql} is null)` : greater
}

const valueSql = (key: OrderKey, value: string | null, param: Param) =>
  key.column === undefined ? `${param(value)}::tid` : param(value)

const Cursor = z.union([
  z.object({ back: z.boolean(), keys: z.array(z.string().nullable()).max(64) }),
  z.object({ offset: z.number().int().min(0).max(1_000_000) }),
])
export type Cursor = z.infer<typeof Cursor>

export const encodeCursor = (cursor: Cursor) =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url')

export function decodeCursor(text: string): Cursor {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    throw new ApiError('invalid_input', 'The cursor is not valid for this list')
  }
}
