import type { Column, EntityDetail } from '#contract/database/pg-meta-shapes'
import { cellHeadLength, type Cell, type RowKey } from '#contract/database/rows/table-rows'
import { ApiError } from '#kit/errors'
import { quoteIdent } from '#contract/ddl/sql-text'
import { qualified } from '../ddl-parts.ts'

/** Collects a statement's values; the function answers the placeholder for one. */
export function parameters() {
  const values: (string | null)[] = []
  return { values, param: (value: string | null) => `$${values.push(value)}` }
}
export type Param = (value: string | null) => string

export const tableSql = (entity: EntityDetail) => qualified(entity.schema, entity.name)

/** Types whose text is short by nature. Everything else may be of any size and is cut in SQL, before it travels. */
const shortTypes = new Set(
  (
    'bool int2 int4 int8 float4 float8 numeric money date time timetz timestamp timestamptz interval uuid oid ' +
    'inet cidr macaddr macaddr8 name char bpchar xid cid tid pg_lsn regclass regproc regtype regrole'
  ).split(' '),
)
export const isShort = (column: Column) =>
  shortTypes.has(column.format) || (column.enums.length > 0 && column.data_type !== 'ARRAY')

/** Types without an equality of their own that means "the same value"; their text is compared instead. */
const withoutEquality = new Set([
  'json',
  'jsonpath',
  'xml',
  'point',
  'line',
  'lseg',
  'box',
  'path',
  'polygon',
  'circle',
])
/** A list has the equality of what is in it, and its type a line before that type's name. */
export const comparable = (column: Column) =>
  withoutEquality.has(column.format.replace(/^_/, '')) ? asText(column) : quoteIdent(column.name)

export const asText = ({ name }: Column) => `${quoteIdent(name)}::text`

/**
 * Postgres does not read a composite value without the name of its type, which only the column knows. Other types of
 * people's own are the same when their texts are, but for texts that do not mind capitals.
 */
export const equatable = (column: Column) =>
  column.data_type === 'USER-DEFINED' && column.enums.length === 0 && column.format !== 'citext'
    ? asText(column)
    : comparable(column)

/** The select list for a list of rows: one expression per column, in its order. */
export const cellsSql = (entity: EntityDetail) =>
  entity.columns
    .map((column) => {
      const name = quoteIdent(column.name)
      return isShort(column) ? name : `left(${name}::text, ${cellHeadLength + 1})`
    })
    .join(', ')

/** One more character than a head has was asked for: who has it is longer than that. */
export const toCells = (texts: readonly (string | null)[]): Cell[] =>
  texts.map((text) => {
    if (text === null || text.length <= cellHeadLength) return text
    const characters = Array.from(text)
    return characters.length <= cellHeadLength
      ? text
      : { head: characters.slice(0, cellHeadLength).join('') }
  })

/** Conditions that all must hold. */
export const orTrue = (conditions: readonly string[]) =>
  conditions.length > 0 ? conditions.join(' and ') : 'true'

export function columnOf(entity: EntityDetail, name: string): Column {
  const column = entity.columns.find((candidate) => candidate.name === name)
  if (!column) throw new ApiError('invalid_input', `${entity.name} has no column "${name}"`)
  return column
}

/** The condition that finds one row by its primary key. */
export function keySql(entity: EntityDetail, key: RowKey, param: Param): string {
  const names = Object.keys(key)
  const fits =
    names.length === entity.primary_key.length &&
    entity.primary_key.every((name) => Object.hasOwn(key, name))
  if (!fits || names.length === 0) {
    throw new ApiError(
      'invalid_input',
      `A row of ${entity.name} is found by ${entity.primary_key.join(', ') || 'nothing'}`,
    )
  }
  return entity.primary_key
    .map((name) => `${quoteIdent(name)} = ${param(key[name] ?? null)}`)
    .join(' and ')
}
