import { DatabaseError } from 'pg'
import type { EntityDetail } from '#contract/pg-meta-shapes'
import {
  cellHeadLength,
  type Cell,
  type NewCell,
  type RowChange,
  type RowConflicts,
} from '#contract/table-rows'
import { ApiError } from '#kit/errors'
import { quoteIdent } from '#contract/ddl/sql-text'
import { DetailedError } from './failures.ts'
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
import { FailedSql } from './sql-errors.ts'
import { asText, type TextQueryable } from './text-rows.ts'

type Conflict = RowConflicts['conflicts'][number]
type Update = Extract<RowChange, { kind: 'update' }>

/** All changes in order; expects a transaction around it. The answer has each change's row, null for a deleted one. */
export async function applyChanges(
  db: TextQueryable,
  entity: EntityDetail,
  changes: readonly RowChange[],
): Promise<(Cell[] | null)[]> {
  if (entity.read_only_because !== null)
    throw new ApiError('invalid_input', entity.read_only_because)
  const rows: (Cell[] | null)[] = []
  const conflicts: Conflict[] = []
  for (const [index, change] of changes.entries()) {
    const row = await applyOne(db, entity, change).catch((error: unknown) => {
      if (error instanceof DatabaseError)
        throw new FailedSql(error, undefined, 0, { change: index })
      throw error
    })
    if (row === 'conflict' && change.kind === 'update') {
      conflicts.push({ change: index, row: await findRow(db, entity, change) })
    } else if (row !== 'conflict') rows.push(row)
  }
  if (conflicts.length === 0) return rows
  throw new DetailedError('conflict', conflictText(conflicts), { conflicts })
}

function conflictText(conflicts: Conflict[]): string {
  const gone = conflicts.every(({ row }) => row === null)
  if (gone) return 'The row does not exist any more'
  return 'Someone else changed the row in the meantime'
}

function applyOne(
  db: TextQueryable,
  entity: EntityDetail,
  change: RowChange,
): Promise<Cell[] | null | 'conflict'> {
  switch (change.kind) {
    case 'insert':
      return insertRow(db, entity, change.values)
    case 'update':
      return updateRow(db, entity, change)
    case 'delete':
      return deleteRow(db, entity, change.key)
  }
}

const isDefault = (cell: NewCell) => typeof cell === 'object' && cell !== null

async function insertRow(db: TextQueryable, entity: EntityDetail, given: Record<string, NewCell>) {
  const { values, param } = parameters()
  const named: string[] = []
  const cells: string[] = []
  for (const [name, cell] of Object.entries(given)) {
    const column = quoteIdent(columnOf(entity, name).name)
    if (isDefault(cell)) continue
    named.push(column)
    cells.push(param(cell))
  }
  const what =
    named.length > 0 ? `(${named.join(', ')}) values (${cells.join(', ')})` : 'default values'
  const sql = `insert into ${tableSql(entity)} ${what} returning ${cellsSql(entity)}`
  const [row] = await asText(db, sql, values)
  // A trigger may swallow the row; then there is none to show.
  return row ? toCells(row) : null
}

async function updateRow(db: TextQueryable, entity: EntityDetail, change: Update) {
  const { values, param } = parameters()
  const sets: string[] = []
  const conditions: string[] = []
  for (const [name, { from, to }] of Object.entries(change.set)) {
    const column = quoteIdent(columnOf(entity, name).name)
    sets.push(`${column} = ${isDefault(to) ? 'default' : param(to)}`)
    if (from !== undefined) conditions.push(stillIs(column, from, param))
  }
  if (sets.length === 0) throw new ApiError('invalid_input', 'An update must set something')
  conditions.push(keySql(entity, change.key, param))
  const sql = `update ${tableSql(entity)} set ${sets.join(', ')} where ${conditions.join(' and ')}
    returning ${cellsSql(entity)}`
  const [row] = await asText(db, sql, values)
  return row ? toCells(row) : 'conflict'
}

/** By the printed text (which concat makes from any type), as that is what the caller saw. */
function stillIs(column: string, seen: Cell, param: Param): string {
  if (seen === null) return `${column} is null`
  const same =
    typeof seen === 'string'
      ? `concat(${column}) = ${param(seen)}`
      : `left(concat(${column}), ${cellHeadLength}) = ${param(seen.head)}`
  return `${column} is not null and ${same}`
}

async function deleteRow(db: TextQueryable, entity: EntityDetail, key: Record<string, string>) {
  const { values, param } = parameters()
  const sql = `delete from ${tableSql(entity)} where ${keySql(entity, key, param)}`
  await asText(db, sql, values)
  return null
}

async function findRow(
  db: TextQueryable,
  entity: EntityDetail,
  change: Update,
): Promise<Cell[] | null> {
  const { values, param } = parameters()
  const sql = `select ${cellsSql(entity)} from ${tableSql(entity)} where ${keySql(entity, change.key, param)}`
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
  if (!row) throw new ApiError('not_found', 'The row does not exist any more')
  if (row[0] === null && row[1] === 'f')
    throw new ApiError('body_too_large', 'The value is too large to show')
  return { value: row[0] ?? null }
}
