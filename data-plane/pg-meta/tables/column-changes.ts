import type { Column, ColumnChange, NewColumn } from '#contract/pg-meta-shapes'
import { ApiError } from '#kit/errors'
import { quoteIdent } from '#contract/ddl/sql-text'
import { getColumn } from './columns.ts'
import {
  columnSql,
  commentSql,
  defaultSql,
  expressionSql,
  identitySql,
  qualified,
  typeSql,
} from '../ddl-parts.ts'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'
import { getTable } from './tables.ts'

/** Each of these expects a transaction around it: half a change must not stay. */
export async function createColumn(
  db: Queryable,
  input: NewColumn & { table_id: number },
): Promise<Column> {
  const table = await getTable(db, input.table_id)
  const on = qualified(table.schema, table.name)
  const key = input.is_primary_key ? ' primary key' : ''
  const add = `alter table ${on} add column ${await columnSql(db, input)}${key}`
  await db.query(add)
  const comment = commentSql(`column ${on}.${quoteIdent(input.name)}`, input.comment ?? null)
  if (input.comment) await db.query(comment)
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
  const on = qualified(column.schema, column.table)
  const name = quoteIdent(column.name)
  for (const action of await alterations(db, column, change)) {
    const sql = `alter table ${on} ${action}`
    await db.query(sql)
  }
  const comment =
    change.comment === undefined ? undefined : commentSql(`column ${on}.${name}`, change.comment)
  if (comment) await db.query(comment)
  const rename =
    change.name === undefined || change.name === column.name
      ? undefined
      : `alter table ${on} rename column ${name} to ${quoteIdent(change.name)}`
  if (rename) await db.query(rename)
  return getColumn(db, change.id)
}

export async function deleteColumn(
  db: Queryable,
  { id, cascade }: { id: string; cascade: 'true' | 'false' },
): Promise<Column> {
  const column = await getColumn(db, id)
  const on = qualified(column.schema, column.table)
  const sql = `alter table ${on} drop column ${quoteIdent(column.name)} ${cascade === 'true' ? 'cascade' : 'restrict'}`
  await db.query(sql)
  return column
}

/** What ALTER TABLE has to do, in an order in which each step can follow the one before. */
async function alterations(db: Queryable, column: Column, change: ColumnChange): Promise<string[]> {
  const alter = `alter column ${quoteIdent(column.name)}`
  const actions: string[] = []
  if (change.drop_default || change.default_value === null) actions.push(`${alter} drop default`)
  if (change.type !== undefined) {
    const type = await typeSql(db, change.type)
    actions.push(`${alter} set data type ${type} using ${quoteIdent(column.name)}::${type}`)
  }
  const value = await defaultSql(change)
  if (value !== undefined) actions.push(`${alter} set default ${value}`)
  // An identity column must not be null, so this comes before it becomes one.
  if (change.is_nullable === false && column.is_nullable) actions.push(`${alter} set not null`)
  actions.push(...identityActions(alter, column, change))
  if (change.is_nullable === true && !column.is_nullable) actions.push(`${alter} drop not null`)
  if (change.is_unique !== undefined && change.is_unique !== column.is_unique) {
    actions.push(...(await uniqueActions(db, column, change.is_unique)))
  }
  if (change.check !== undefined) {
    actions.push(...(await constraintsOf(db, column, 'c')).map(dropConstraint))
    if (change.check) actions.push(`add check ${await expressionSql(change.check, 'check')}`)
  }
  return actions
}

function identityActions(alter: string, column: Column, change: ColumnChange): string[] {
  const generation = change.identity_generation ?? column.identity_generation ?? 'BY DEFAULT'
  const wanted = change.is_identity ?? column.is_identity
  if (!wanted) return column.is_identity ? [`${alter} drop identity`] : []
  if (!column.is_identity) return [`${alter} add generated ${identitySql(generation)} as identity`]
  return generation === column.identity_generation
    ? []
    : [`${alter} set generated ${identitySql(generation)}`]
}

async function uniqueActions(db: Queryable, column: Column, wanted: boolean): Promise<string[]> {
  if (wanted) return [`add unique (${quoteIdent(column.name)})`]
  const found = await constraintsOf(db, column, 'u')
  if (found.length === 0) {
    throw new ApiError(
      'invalid_input',
      `"${column.name}" is unique by its primary key or an index, not by a constraint`,
    )
  }
  return found.map(dropConstraint)
}

const dropConstraint = (name: string) => `drop constraint ${quoteIdent(name)}`

/** Constraints of this column alone. */
async function constraintsOf(db: Queryable, column: Column, kind: 'c' | 'u'): Promise<string[]> {
  const sql = `select conname as name from pg_constraint
    where conrelid = $1::int8 and contype = $2 and conkey = array[$3::int2] order by oid`
  const found = await rowsOf<{ name: string }>(db, sql, [
    column.table_id,
    kind,
    column.ordinal_position,
  ])
  return found.map(({ name }) => name)
}
