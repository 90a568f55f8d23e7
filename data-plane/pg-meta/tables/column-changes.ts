import { addColumn, dropConstraints } from '#contract/ddl/tables/columns'
import { dropColumn } from '#contract/ddl/tables/drop-table'
import { editTable } from '#contract/ddl/tables/edit-table'
import { objectName } from '#contract/ddl/object-name'
import type { ColumnShape, TableShape, DesiredColumn } from '#contract/ddl/tables/table-shape'
import type { Column, ColumnChange, NewColumn } from '#contract/database/pg-meta-shapes'
import { ApiError } from '#kit/errors'
import { executeChange } from '../execute-change.ts'
import {
  columnShape,
  defaultSql,
  freeName,
  identityOrDefault,
  singleExpression,
  typeSql,
} from '../ddl-parts.ts'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'
import { getColumn } from './columns.ts'
import { shapeOf } from './table-shapes.ts'
import { getTable } from './tables.ts'

/** Each of these expects a transaction around it: half a change must not stay. */
export async function createColumn(
  db: Queryable,
  input: NewColumn & { table_id: number },
): Promise<Column> {
  const table = await getTable(db, input.table_id)
  await executeChange(db, addColumn(table, await columnShape(db, input), input.is_primary_key))
  const [made] = await rowsOf<{ id: string }>(
    db,
    "select attrelid || '.' || attnum as id from pg_attribute where attrelid = $1::int8 and attname = $2",
    [input.table_id, input.name],
  )
  if (!made) throw new Error('A column that was just created is missing')
  return getColumn(db, made.id)
}

export async function updateColumn(
  db: Queryable,
  change: ColumnChange & { id: string },
): Promise<Column> {
  const column = await getColumn(db, change.id)
  await dropOthers(db, column, change)
  const shape = await shapeOf(db, { id: column.table_id })
  const before = { ...shape, columns: shape.columns.map(byConstraint) }
  const old = before.columns.find(({ name }) => name === column.name)
  if (!old) throw new Error('A column of a table is missing in its shape')
  refuseContradictions(before, column, old, change)
  const desired = await desiredColumn(db, column, old, change)
  const columns = before.columns.map((one) => (one === old ? desired : { ...one, was: one.name }))
  const key = before.primary_key.columns.map((name) => (name === old.name ? desired.name : name))
  const primary_key = { ...before.primary_key, columns: key }
  await executeChange(db, editTable(before, { ...before, columns, primary_key }))
  return getColumn(db, change.id)
}

export async function deleteColumn(
  db: Queryable,
  { id, cascade }: { id: string; cascade: 'true' | 'false' },
): Promise<Column> {
  const column = await getColumn(db, id)
  const table = { schema: column.schema, name: column.table }
  await executeChange(db, dropColumn(table, column.name, cascade === 'true'))
  return column
}

/** What the builders would settle silently is refused: who calls this API gets what was asked for, or nothing. */
function refuseContradictions(
  { name: table, primary_key: key }: TableShape,
  column: Column,
  old: ColumnShape,
  change: ColumnChange,
): void {
  const refuse = (why: string) => {
    throw new ApiError('invalid_input', why)
  }
  const identity = change.is_identity ?? column.is_identity
  const gains = change.default_value !== undefined && change.default_value !== null
  const keeps = old.default !== null && !change.drop_default && change.default_value !== null
  if (identity && (gains || keeps)) throw identityOrDefault(column.name)
  if (gains && column.is_generated) refuse(`Column "${column.name}" is a generated column`)
  if (change.is_nullable && key.columns.includes(column.name))
    refuse(`Column "${column.name}" is in a primary key`)
  if (change.is_nullable && identity)
    refuse(`Column "${column.name}" of relation "${table}" is an identity column`)
}

/** What a unique index makes of a column is not told by this API, nor changed. */
const byConstraint = (column: ColumnShape): ColumnShape => ({
  ...column,
  unique: column.unique_name !== null,
})

async function desiredColumn(
  db: Queryable,
  column: Column,
  old: ColumnShape,
  change: ColumnChange,
): Promise<DesiredColumn> {
  const check = change.check ? await singleExpression(change.check, 'check') : null
  const generation = change.identity_generation ?? column.identity_generation ?? 'BY DEFAULT'
  const free = (label: string) =>
    freeName(
      db,
      column.schema,
      Array.from({ length: 10 }, (_, n) =>
        objectName(column.table, [column.name], n === 0 ? label : `${label}${n}`),
      ),
    )
  const becomesUnique = change.is_unique === true && !column.is_unique
  return {
    ...old,
    was: old.name,
    name: change.name ?? old.name,
    type: change.type === undefined ? old.type : await typeSql(db, change.type),
    nullable: change.is_nullable ?? old.nullable,
    default: await desiredDefault(old, change),
    identity: (change.is_identity ?? column.is_identity) ? generation : null,
    unique: change.is_unique ?? old.unique,
    unique_name: becomesUnique ? await free('key') : old.unique_name,
    check: change.check === undefined ? old.check : check,
    check_name: old.check_name ?? (check === null ? null : await free('check')),
    comment: change.comment === undefined ? old.comment : change.comment,
  }
}

async function desiredDefault(old: ColumnShape, change: ColumnChange): Promise<string | null> {
  const value = await defaultSql(change)
  if (value !== null) return value
  return change.drop_default || change.default_value === null ? null : old.default
}

/** A column has one constraint of a kind in its table's shape; where there are more, the others go first. */
async function dropOthers(db: Queryable, column: Column, change: ColumnChange): Promise<void> {
  const sql = `select conname as name, contype as kind from pg_constraint
    where conrelid = $1::int8 and contype in ('c', 'u') and conkey = array[$2::int2] order by oid`
  const values = [column.table_id, column.ordinal_position]
  const found = await rowsOf<{ name: string; kind: 'c' | 'u' }>(db, sql, values)
  const others = (kind: 'c' | 'u') =>
    found
      .filter((one) => one.kind === kind)
      .slice(1)
      .map(({ name }) => name)
  const names = [
    ...(change.check === undefined ? [] : others('c')),
    ...(change.is_unique === false ? others('u') : []),
  ]
  await executeChange(db, dropConstraints({ schema: column.schema, name: column.table }, names))
}
