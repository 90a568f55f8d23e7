import type { Change } from '#contract/ddl/change'
import { createTable as creation } from '#contract/ddl/tables/create-table'
import { dropTable } from '#contract/ddl/tables/drop-table'
import { editTable } from '#contract/ddl/tables/edit-table'
import { objectName } from '#contract/ddl/object-name'
import { forceRowSecurity, setReplicaIdentity } from '#contract/ddl/tables/table-marks'
import type { DesiredTable } from '#contract/ddl/tables/table-shape'
import type { NewTable, Table, TableChange } from '#contract/database/pg-meta-shapes'
import { executeChange } from '../execute-change.ts'
import { columnShape, freeName, qualified } from '../ddl-parts.ts'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'
import { shapeOf } from './table-shapes.ts'
import { getTable } from './tables.ts'

/** Each of these expects a transaction around it: half a table must not stay. */
export async function createTable(db: Queryable, table: NewTable): Promise<Table> {
  const columns = []
  for (const column of table.columns) columns.push(await columnShape(db, column))
  const key = table.columns.filter((column) => column.is_primary_key).map(({ name }) => name)
  const shape = {
    schema: table.schema,
    name: table.name,
    comment: table.comment ?? null,
    rls: table.rls_enabled,
    realtime: null,
    columns,
    primary_key: { name: null, columns: key },
    foreign_keys: [],
    access: [],
  }
  await executeChange(db, creation(shape, []))
  const [made] = await rowsOf<{ id: number }>(db, 'select to_regclass($1)::oid as id', [
    qualified(table.schema, table.name),
  ])
  if (!made) throw new Error('A table that was just created is missing')
  return getTable(db, made.id)
}

export async function updateTable(
  db: Queryable,
  change: TableChange & { id: number },
): Promise<Table> {
  const table = await getTable(db, change.id)
  for (const made of marks(table, change)) await executeChange(db, made)
  await executeChange(db, await edit(db, table, change))
  return getTable(db, change.id)
}

export async function deleteTable(
  db: Queryable,
  { id, cascade }: { id: number; cascade: 'true' | 'false' },
): Promise<Table> {
  const table = await getTable(db, id)
  await executeChange(db, dropTable(table, cascade === 'true'))
  return table
}

function marks(table: Table, change: TableChange): Change[] {
  const { rls_forced: forced, replica_identity: identity } = change
  const changes: Change[] = []
  if (forced !== undefined) changes.push(forceRowSecurity(table, forced))
  if (identity === 'INDEX')
    changes.push(setReplicaIdentity(table, { index: change.replica_identity_index ?? '' }))
  else if (identity) changes.push(setReplicaIdentity(table, identity))
  return changes
}

/** What its form can change, too. */
async function edit(db: Queryable, table: Table, change: TableChange): Promise<Change> {
  const before = await shapeOf(db, table)
  const { primary_keys: key, comment = before.comment, rls_enabled: rls = before.rls } = change
  const { name = before.name, schema = before.schema } = change
  const desired: DesiredTable = {
    ...before,
    name,
    schema,
    comment,
    rls,
    columns: before.columns.map((column) => ({ ...column, was: column.name })),
    primary_key: {
      columns: key?.map((column) => column.name) ?? before.primary_key.columns,
      name: before.primary_key.name ?? (await freeName(db, before.schema, keyNames(before.name))),
    },
  }
  return editTable(before, desired)
}

const keyNames = (table: string) =>
  Array.from({ length: 10 }, (_, n) => objectName(table, [], n === 0 ? 'pkey' : `pkey${n}`))
