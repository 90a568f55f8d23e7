import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { Cell, NewCell } from '#contract/database/rows/table-rows'
import { quoteIdent } from '#contract/ddl/sql-text'
import { ApiError } from '#kit/errors'
import type { RlsColumn } from './rls-facts.ts'
import { cellsSql, tableSql, toCells } from '../rows/row-sql.ts'
import { asText, type TextQueryable } from '../rows/text-rows.ts'

/** Larger rows are listed but not tried: their text would have to travel once for every policy. Bytes. */
const largestRow = 1_000_000

/** A row with its whole text, by which a policy can be asked about it; null when it is too large. */
export type FoundRow = { cells: Cell[]; text: string | null }
type Page = { rows: FoundRow[]; next: string | null }

/** `"table".*` is the row itself, whatever its columns are called. */
const wholeRow = (alias: string) => `(${alias}.*)::text`

/** A page of rows in the order of the primary key; without one, in the order in which they lie. */
export async function findRows(
  db: TextQueryable,
  entity: EntityDetail,
  limit: number,
  cursor: string | undefined,
): Promise<Page> {
  const alias = quoteIdent(entity.name)
  const keys = entity.primary_key.map((key) => `${alias}.${quoteIdent(key)}`)
  const start = readCursor(cursor, keys.length)
  const list = [
    cellsSql(entity),
    ...keys.map((key) => `${key}::text`),
    `case when pg_column_size(${alias}.*) <= ${largestRow} then ${wholeRow(alias)} end`,
  ]
  const from = `select ${list.join(', ')} from ${tableSql(entity)} as ${alias}`
  const beyond =
    start.length > 0 && keys.length > 0
      ? ` where (${keys.join(', ')}) > (${keys.map((_, at) => `$${at + 1}`).join(', ')})`
      : ''
  const offset = keys.length === 0 ? Number(start[0] ?? 0) : 0
  const order = keys.length > 0 ? keys.join(', ') : 'tableoid, ctid'
  const sql = `${from}${beyond} order by ${order} limit ${limit + 1} offset ${offset}`
  const found = await asText(db, sql, keys.length > 0 ? start : [])
  const width = entity.columns.length
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const mark = keys.length > 0 ? last?.slice(width, width + keys.length) : [String(offset + limit)]
  return {
    rows: rows.map((row) => ({ cells: toCells(row.slice(0, width)), text: row.at(-1) ?? null })),
    next: found.length > limit && mark ? JSON.stringify(mark) : null,
  }
}

/** Key values, or for a table without a key how many rows came before. */
function readCursor(cursor: string | undefined, keys: number): string[] {
  if (cursor === undefined) return []
  const value = parsed(cursor)
  const fits =
    Array.isArray(value) &&
    value.length === Math.max(1, keys) &&
    value.every((one): one is string => typeof one === 'string') &&
    (keys > 0 || /^\d{1,9}$/.test(value[0] ?? ''))
  if (!fits) throw new ApiError('invalid_input', 'The cursor belongs to a different list')
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Values = Readonly<Record<string, NewCell>>

/** The rows as an update would make them, as text. */
export async function changedRows(
  db: TextQueryable,
  entity: EntityDetail,
  columns: readonly RlsColumn[],
  values: Values,
  rows: readonly string[],
): Promise<string[]> {
  const params: (string | null)[] = [arrayOf(rows)]
  const from = `from unnest($1::${tableSql(entity)}[]) as ${quoteIdent(entity.name)}`
  const old = (column: RlsColumn) => quoteIdent(column.name)
  return composed(
    db,
    entity,
    columns,
    (column) => newValue(column, values, params, old),
    from,
    params,
  )
}

/** The row as an insert would make it; a column that is not named gets its default, or NULL where nobody can know it. */
export async function insertedRow(
  db: TextQueryable,
  entity: EntityDetail,
  columns: readonly RlsColumn[],
  values: Values,
): Promise<string[]> {
  const params: (string | null)[] = []
  const none = (column: RlsColumn) => defaultSql(column)
  return composed(
    db,
    entity,
    columns,
    (column) => newValue(column, values, params, none),
    '',
    params,
  )
}

const defaultSql = ({ type, default: value, generated }: RlsColumn) =>
  value === null || generated ? `null::${type}` : `(\n${value}\n)::${type}`

function newValue(
  column: RlsColumn,
  values: Values,
  params: (string | null)[],
  otherwise: (column: RlsColumn) => string,
): string {
  const given = Object.hasOwn(values, column.name) ? values[column.name] : undefined
  if (column.generated) return `null::${column.type}`
  if (given === undefined) return otherwise(column)
  if (given !== null && typeof given === 'object') return defaultSql(column)
  return `$${params.push(given)}::${column.type}`
}

/** Two steps: what a generated column is computed of are the new values. */
async function composed(
  db: TextQueryable,
  entity: EntityDetail,
  columns: readonly RlsColumn[],
  valueOf: (column: RlsColumn) => string,
  from: string,
  params: (string | null)[],
): Promise<string[]> {
  const inner = columns.map((column) => `${valueOf(column)} as ${quoteIdent(column.name)}`)
  const outer = columns.map((column) =>
    column.generated && column.default !== null
      ? `(\n${column.default}\n)::${column.type}`
      : quoteIdent(column.name),
  )
  const alias = quoteIdent(entity.name)
  const sql = `select (row(${outer.join(', ')})::${tableSql(entity)})::text
    from (select ${inner.join(', ')} ${from}) as ${alias}`
  return (await asText(db, sql, params)).map(([text]) => text ?? '')
}

/** The cells of rows that are nowhere but in their text. */
export async function cellsOf(
  db: TextQueryable,
  entity: EntityDetail,
  rows: readonly string[],
): Promise<Cell[][]> {
  const sql = `select ${cellsSql(entity)} from unnest($1::${tableSql(entity)}[]) as ${quoteIdent(entity.name)}`
  return (await asText(db, sql, [arrayOf(rows)])).map(toCells)
}

/** Texts as the literal of an array. */
export const arrayOf = (texts: readonly string[]) =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(',')}}`
