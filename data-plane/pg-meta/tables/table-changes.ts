import type { NewTable, Table, TableChange } from '#contract/pg-meta-shapes'
import { quoteIdent } from '#contract/ddl/sql-text'
import { columnSql, commentSql, qualified } from '../ddl-parts.ts'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'
import { getTable } from './tables.ts'

/** Each of these expects a transaction around it: half a table must not stay. */
export async function createTable(db: Queryable, table: NewTable): Promise<Table> {
  const on = qualified(table.schema, table.name)
  const parts: string[] = []
  for (const column of table.columns) parts.push(await columnSql(db, column))
  const key = table.columns.filter((column) => column.is_primary_key).map(({ name }) => name)
  if (key.length > 0) parts.push(`primary key (${key.map(quoteIdent).join(', ')})`)
  const create = `create table ${on} (${parts.join(', ')})`
  await db.query(create)
  const after: string[] = []
  if (table.rls_enabled) after.push(`alter table ${on} enable row level security`)
  if (table.comment) after.push(commentSql(`table ${on}`, table.comment))
  for (const { name, comment } of table.columns) {
    if (comment) after.push(commentSql(`column ${on}.${quoteIdent(name)}`, comment))
  }
  for (const sql of after) await db.query(sql)
  const [made] = await rowsOf<{ id: number }>(db, 'select to_regclass($1)::oid as id', [on])
  if (!made) throw new Error('A table that was just created is missing')
  return getTable(db, made.id)
}

export async function updateTable(
  db: Queryable,
  change: TableChange & { id: number },
): Promise<Table> {
  const table = await getTable(db, change.id)
  const alter = `alter table ${qualified(table.schema, table.name)}`
  const statements: string[] = []
  if (change.comment !== undefined) {
    statements.push(commentSql(`table ${qualified(table.schema, table.name)}`, change.comment))
  }
  if (change.rls_enabled !== undefined) {
    statements.push(`${alter} ${change.rls_enabled ? 'enable' : 'disable'} row level security`)
  }
  if (change.rls_forced !== undefined) {
    statements.push(`${alter} ${change.rls_forced ? 'force' : 'no force'} row level security`)
  }
  const identity = replicaIdentitySql(change)
  if (identity) statements.push(`${alter} replica identity ${identity}`)
  if (change.primary_keys)
    statements.push(...(await keyStatements(db, table, alter, change.primary_keys)))
  const { schema = table.schema, name = table.name } = change
  if (schema !== table.schema) statements.push(`${alter} set schema ${quoteIdent(schema)}`)
  if (name !== table.name) {
    statements.push(`alter table ${qualified(schema, table.name)} rename to ${quoteIdent(name)}`)
  }
  for (const sql of statements) await db.query(sql)
  return getTable(db, change.id)
}

export async function deleteTable(
  db: Queryable,
  { id, cascade }: { id: number; cascade: 'true' | 'false' },
): Promise<Table> {
  const table = await getTable(db, id)
  const sql = `drop table ${qualified(table.schema, table.name)} ${cascade === 'true' ? 'cascade' : 'restrict'}`
  await db.query(sql)
  return table
}

function replicaIdentitySql(change: TableChange): string | undefined {
  switch (change.replica_identity) {
    case undefined:
      return undefined
    case 'INDEX':
      return `using index ${quoteIdent(change.replica_identity_index ?? '')}`
    case 'DEFAULT':
    case 'FULL':
    case 'NOTHING':
      return change.replica_identity.toLowerCase()
  }
}

async function keyStatements(
  db: Queryable,
  table: Table,
  alter: string,
  key: readonly { name: string }[],
): Promise<string[]> {
  const statements: string[] = []
  const sql =
    "select conname as name from pg_constraint where conrelid = $1::int8 and contype = 'p'"
  const [old] = await rowsOf<{ name: string }>(db, sql, [table.id])
  if (old) statements.push(`${alter} drop constraint ${quoteIdent(old.name)}`)
  const columns = key.map(({ name }) => quoteIdent(name)).join(', ')
  if (key.length > 0) statements.push(`${alter} add primary key (${columns})`)
  return statements
}
