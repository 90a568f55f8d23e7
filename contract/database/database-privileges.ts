import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { byRef, columnId, listed, oid } from './pg-meta-inputs.ts'
import { Named } from './pg-meta-shapes.ts'
import { inProject } from '../permissions.ts'

const Privilege = z.object({
  grantor: z.string(),
  /** `PUBLIC` is everybody. */
  grantee: z.string(),
  privilege_type: z.string(),
  is_grantable: z.boolean(),
})

export const TablePrivileges = z.object({
  relation_id: z.number(),
  schema: z.string(),
  name: z.string(),
  kind: z.enum(['table', 'view', 'materialized_view', 'foreign_table', 'partitioned_table']),
  privileges: z.array(Privilege),
})
export type TablePrivileges = z.infer<typeof TablePrivileges>

export const ColumnPrivileges = z.object({
  /** `table id.position` */
  column_id: z.string(),
  relation_schema: z.string(),
  relation_name: z.string(),
  column_name: z.string(),
  privileges: z.array(Privilege),
})
export type ColumnPrivileges = z.infer<typeof ColumnPrivileges>

const OnTable = z.object({
  relation_id: oid,
  grantee: Named,
  privilege_type: z.enum([
    'ALL',
    'SELECT',
    'INSERT',
    'UPDATE',
    'DELETE',
    'TRUNCATE',
    'REFERENCES',
    'TRIGGER',
    'MAINTAIN',
  ]),
})
const OnColumn = z.object({
  column_id: columnId,
  grantee: Named,
  privilege_type: z.enum(['ALL', 'SELECT', 'INSERT', 'UPDATE', 'REFERENCES']),
})
const grantable = { is_grantable: z.boolean().default(false) }
const many = <Item extends z.ZodType>(item: Item) =>
  byRef.extend({ privileges: z.array(item).min(1).max(1000) })
const GrantOnTable = OnTable.extend(grantable)
const GrantOnColumn = OnColumn.extend(grantable)
export type TableGrant = z.output<typeof GrantOnTable>
export type ColumnGrant = z.output<typeof GrantOnColumn>

const reads = inProject('tenant:Sql:Admin:Read', 'tables')
const onTables = inProject('tenant:Sql:Admin:Write', 'tables')
const onColumns = inProject('tenant:Sql:Admin:Write', 'columns')

/**
 * GRANT and REVOKE, in the shapes of the public metadata API: a body is a list, and the answer is what the tables or
 * columns of the list have afterwards.
 */
export const databasePrivileges = {
  tables: endpoint('pg-meta.table-privileges', 'GET /platform/pg-meta/:ref/table-privileges', {
    needs: reads,
    /** `relation_id` leaves only that one. */
    input: listed.extend({
      relation_id: oid.optional(),
    }),
    returns: z.array(TablePrivileges),
  }),
  grantTables: endpoint(
    'pg-meta.grant-table-privileges',
    'POST /platform/pg-meta/:ref/table-privileges',
    {
      needs: onTables,
      listBody: 'privileges',
      input: many(GrantOnTable),
      returns: z.array(TablePrivileges),
    },
  ),
  revokeTables: endpoint(
    'pg-meta.revoke-table-privileges',
    'DELETE /platform/pg-meta/:ref/table-privileges',
    {
      needs: onTables,
      listBody: 'privileges',
      input: many(OnTable),
      returns: z.array(TablePrivileges),
    },
  ),
  columns: endpoint('pg-meta.column-privileges', 'GET /platform/pg-meta/:ref/column-privileges', {
    needs: reads,
    /** `table_id` leaves only the columns of one table. */
    input: listed.extend({
      table_id: oid.optional(),
    }),
    returns: z.array(ColumnPrivileges),
  }),
  grantColumns: endpoint(
    'pg-meta.grant-column-privileges',
    'POST /platform/pg-meta/:ref/column-privileges',
    {
      needs: onColumns,
      listBody: 'privileges',
      input: many(GrantOnColumn),
      returns: z.array(ColumnPrivileges),
    },
  ),
  revokeColumns: endpoint(
    'pg-meta.revoke-column-privileges',
    'DELETE /platform/pg-meta/:ref/column-privileges',
    {
      needs: onColumns,
      listBody: 'privileges',
      input: many(OnColumn),
      returns: z.array(ColumnPrivileges),
    },
  ),
}
