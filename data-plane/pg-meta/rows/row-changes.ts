import { DatabaseError } from 'pg'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import {
  cellHeadLength,
  type Cell,
  type NewCell,
  type RowChange,
  type RowConflicts,
  type RowKey,
} from '#contract/database/rows/table-rows'
import { ApiError } from '#kit/errors'
import { quoteIdent } from '#contract/ddl/sql-text'
import { DetailedError } from '../failures.ts'
import { inverseOf, returned, splitReturned, wholes, wholeValues } from './row-inverse.ts'
import {
  cellsSql,
  columnOf,
  isShort,
  keySql,
  parameters,
  tableSql,
  toCells,
  type Param,
} from './row-sql.ts'
import { FailedSql } from '../sql-errors.ts'
import { asText, type TextQueryable } from './text-rows.ts'

type Conflict = RowConflicts['conflicts'][number]
type Update = Extract<RowChange, { kind: 'update' }>
type Delete = Extract<RowChange, { kind: 'delete' }>

export type Applied = { rows: (Cell[] | null)[]; inverse: RowChange[] | null }
/** `none`: something was done that cannot be taken back; null: nothing was. */
type One = { row: Cell[] | null; inverse: RowChange | 'none' | null }

/** All changes in order; expects a transaction around it. The answer has each change's row, null for a deleted one. */
export async function applyChanges(
  db: TextQueryable,
  entity: EntityDetail,
  changes: readonly RowChange[],
): Promise<Applied> {
  if (entity.read_only_because !== null)
    throw new ApiError('invalid_input', entity.read_only_because)
  if (entity.fixed_rows_because !== null && changes.some(({ kind }) => kind !== 'insert'))
    throw new ApiError('invalid_input', entity.fixed_rows_because)
  const done: One[] = []
  const conflicts: Conflict[] = []
  for (const [index, change] of changes.entries()) {
    const one = await applyOne(db, entity, change).catch((error: unknown) => {
      if (!(error instanceof DatabaseError)) throw error
      throw new FailedSql(error, undefined, 0, {
        change: index,
        columns: columnsOfError(error, entity, writtenBy(change)),
      })
    })
    if (one !== 'conflict') done.push(one)
    else if (change.kind !== 'insert')
      conflicts.push({ change: index, row: await findRow(db, entity, change.key) })
  }
  if (conflicts.length > 0)
    throw new DetailedError('conflict', conflictText(conflicts), { conflicts })
  return { rows: done.map(({ row }) => row), inverse: inverseOf(done) }
}

function conflictText(conflicts: Conflict[]): string {
  const gone = conflicts.every(({ row }) => row === null)
  if (gone) return 'The row no longer exists'
  return 'Someone else changed the row in the meantime'
}

function applyOne(
  db: TextQueryable,
  entity: EntityDetail,
  change: RowChange,
): Promise<One | 'conflict'> {
  switch (change.kind) {
    case 'insert':
      return insertRow(db, entity, change.values)
    case 'update':
      return updateRow(db, entity, change)
    case 'delete':
      return deleteRow(db, entity, change)
  }
}

/** The columns that a change writes, in the order in which their values are sent. */
function writtenBy(change: RowChange): string[] {
  if (change.kind === 'delete') return []
  const cells =
    change.kind === 'insert'
      ? Object.entries(change.values)
      : Object.entries(change.set).map(([name, { to }]) => [name, to] as const)
  return cells.filter(([, cell]) => !isDefault(cell)).map(([name]) => name)
}

const isDefault = (cell: NewCell) => typeof cell === 'object' && cell !== null

async function insertRow(db: TextQueryable, entity: EntityDetail, given: Record<string, NewCell>) {
  const { values, param } = parameters()
  const named: string[] = []
  const cells: string[] = []
  let always = false
  for (const [name, cell] of Object.entries(given)) {
    const column = columnOf(entity, name)
    if (isDefault(cell)) continue
    always ||= column.identity_generation === 'ALWAYS'
    named.push(quoteIdent(column.name))
    cells.push(param(cell))
  }
  // What was deleted comes back under the number that it had.
  const overriding = always ? 'overriding system value ' : ''
  const what =
    named.length > 0
      ? `(${named.join(', ')}) ${overriding}values (${cells.join(', ')})`
      : 'default values'
  const sql = `insert into ${tableSql(entity)} ${what} returning ${returned(entity)}`
  const [found] = await asText(db, sql, values)
  // A trigger may swallow the row; then there is none to show.
  if (!found) return { row: null, inverse: null }
  const { row, key, fields } = splitReturned(entity, found)
  if (entity.primary_key.length === 0) return { row, inverse: 'none' as const }
  return { row, inverse: { kind: 'delete' as const, key, from: fields } }
}

async function updateRow(db: TextQueryable, entity: EntityDetail, change: Update) {
  const { values, param } = parameters()
  const sets: string[] = []
  const conditions: string[] = []
  const names = Object.keys(change.set)
  const written = Object.entries(change.set).map(
    ([name, cell]) => [quoteIdent(columnOf(entity, name).name), cell] as const,
  )
  // What is written are the first parameters: a refusal names a value by its place.
  for (const [column, { to }] of written)
    sets.push(`${column} = ${isDefault(to) ? 'default' : param(to)}`)
  for (const [column, { from }] of written)
    if (from !== undefined) conditions.push(stillIs(column, from, param))
  if (sets.length === 0) throw new ApiError('invalid_input', 'The update does not set any column')
  const before = await wholeValues(db, entity, change.key, names)
  conditions.push(keySql(entity, change.key, param))
  const sql = `update ${tableSql(entity)} set ${sets.join(', ')} where ${conditions.join(' and ')}
    returning ${returned(entity)}`
  const [found] = await asText(db, sql, values)
  if (!found || !before) return 'conflict' as const
  const { row, key, fields } = splitReturned(entity, found)
  const set = Object.fromEntries(
    names.map((name, at) => [name, { from: fields[name] ?? null, to: before[at] ?? null }]),
  )
  return { row, inverse: { kind: 'update' as const, key, set } }
}

async function deleteRow(db: TextQueryable, entity: EntityDetail, { key, from = {} }: Delete) {
  const { values, param } = parameters()
  const conditions = Object.entries(from).map(([name, seen]) =>
    stillIs(quoteIdent(columnOf(entity, name).name), seen, param),
  )
  conditions.push(keySql(entity, key, param))
  const kept = entity.columns.filter(({ is_generated: made }) => !made).map(({ name }) => name)
  const sql = `delete from ${tableSql(entity)} where ${conditions.join(' and ')}
    returning ${wholes(kept)}`
  const [found] = await asText(db, sql, values)
  // That a row is gone already is what was wanted, unless somebody cares what it held.
  if (!found) return Object.keys(from).length > 0 ? ('conflict' as const) : gone
  const held = Object.fromEntries(kept.map((name, at) => [name, found[at] ?? null]))
  return { row: null, inverse: { kind: 'insert' as const, values: held } }
}
const gone: One = { row: null, inverse: null }

/**
 * By the printed text (which concat makes from any type), as that is what the caller saw. Nulls are counted, since a row
 * type IS NOT NULL only when none of its fields is.
 */
function stillIs(column: string, seen: Cell, param: Param): string {
  if (seen === null) return `num_nulls(${column}) = 1`
  const same =
    typeof seen === 'string'
      ? `concat(${column}) = ${param(seen)}`
      : `left(concat(${column}), ${cellHeadLength}) = ${param(seen.head)}`
  return `num_nulls(${column}) = 0 and ${same}`
}

async function findRow(
  db: TextQueryable,
  entity: EntityDetail,
  key: RowKey,
): Promise<Cell[] | null> {
  const { values, param } = parameters()
  const sql = `select ${cellsSql(entity)} from ${tableSql(entity)} where ${keySql(entity, key, param)}`
  const [row] = await asText(db, sql, values)
  return row ? toCells(row) : null
}

/** Bytes of the largest value that one answer carries. */
const largestValue = 50_000_000

export async function readValue(
  db: TextQueryable,
  entity: EntityDetail,
  { key, column: name }: { key: Record<string, string>; column: string },
): Promise<{ value: string | null }> {
  const column = columnOf(entity, name)
  const quoted = quoteIdent(name)
  const { values, param } = parameters()
  const where = keySql(entity, key, param)
  const whole = isShort(column) ? quoted : `${quoted}::text`
  const sql = `select case when octet_length(${quoted}::text) <= ${largestValue} then ${whole} end, ${quoted} is null
    from ${tableSql(entity)} where ${where}`
  const [row] = await asText(db, sql, values)
  if (!row) throw new ApiError('not_found', 'The row no longer exists')
  if (row[0] === null && row[1] === 'f')
    throw new ApiError('body_too_large', 'The value is too large to show')
  return { value: row[0] ?? null }
}

type ErrorFields = Partial<
  Pick<DatabaseError, 'code' | 'column' | 'constraint' | 'detail' | 'where'>
>
type Known = Pick<EntityDetail, 'columns' | 'checks' | 'foreign_keys'>

/**
 * The columns of a row that a failure is about: Postgres names one, a constraint, the columns of a key, or which of the
 * values that were sent it could not read; else it can only be the one that was written. `written` are the columns of the
 * statement's first parameters.
 */
function columnsOfError(
  { code, column, constraint, detail, where }: ErrorFields,
  { columns, checks, foreign_keys: links }: Known,
  written: readonly string[],
): string[] {
  if (column) return [column]
  const own = [...checks, ...links].find(({ name }) => name === constraint)
  if (own) return own.columns
  // Its texts may be in any language; their marks are the same in all.
  const key = /\((.*?)\)=\(/.exec(detail ?? '')?.[1]
  const known = new Set(columns.map(({ name }) => name))
  const named = key === undefined ? [] : identifiers(key).filter((name) => known.has(name))
  if (named.length > 0) return named
  const sent = code?.startsWith('22') && /^[^$\n]*\$(\d+)(?: = |$)/.exec(where ?? '')?.[1]
  const unread = sent ? written[Number(sent) - 1] : undefined
  if (unread !== undefined) return [unread]
  return written.length === 1 ? [...written] : []
}

/** `a, "b ""c"` */
const identifiers = (list: string): string[] =>
  [...list.matchAll(/"((?:[^"]|"")*)"|[^,\s]+/g)].map(
    ([whole, quoted]) => quoted?.replaceAll('""', '"') ?? whole,
  )
