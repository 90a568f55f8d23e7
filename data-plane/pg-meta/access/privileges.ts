import type {
  ColumnGrant,
  ColumnPrivileges,
  TableGrant,
  TablePrivileges,
} from '#contract/database/database-privileges'
import type { Change } from '#contract/ddl/change'
import { grantPrivilege, revokePrivilege } from '#contract/ddl/privileges'
import { ApiError } from '#kit/errors'
import { executeChange } from '../execute-change.ts'
import type { Queryable } from '../queryable.ts'
import { inScope, rowsOf, scopeValues, type Scope } from '../scope.ts'

const privilege = `jsonb_build_object(
  'grantor', pg_get_userbyid(x.grantor),
  'grantee', case x.grantee when 0 then 'PUBLIC' else pg_get_userbyid(x.grantee) end,
  'privilege_type', x.privilege_type, 'is_grantable', x.is_grantable)`
const inOrder = 'order by x.grantee, x.grantor, x.privilege_type'

/** Without an entry of its own a table belongs to its owner alone. */
const ofTable = `aclexplode(coalesce(c.relacl, acldefault('r', c.relowner)))`

const tableRows = `
  select c.oid as relation_id, n.nspname as schema, c.relname as name,
    case c.relkind when 'r' then 'table' when 'v' then 'view' when 'm' then 'materialized_view'
      when 'f' then 'foreign_table' else 'partitioned_table' end as kind,
    coalesce((select jsonb_agg(${privilege} ${inOrder}) from ${ofTable} x), '[]') as privileges
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'v', 'm', 'f', 'p')
`
const tableList = `${tableRows} and ($4::int8 is not null or ${inScope}) and ($4::int8 is null or c.oid = $4::int8)
  order by n.nspname, c.relname limit $5 offset $6`
const tablesByIds = `${tableRows} and c.oid = any ($1::oid[]) order by n.nspname, c.relname`

/** What is held for the table as a whole is held for each of its columns, where columns know such a privilege. */
const columnRows = `
  select c.oid || '.' || a.attnum as column_id, n.nspname as relation_schema, c.relname as relation_name,
    a.attname as column_name,
    coalesce((
      select jsonb_agg(${privilege} ${inOrder}) from (
        select t.grantor, t.grantee, t.privilege_type, t.is_grantable from ${ofTable} t
        where t.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES')
        union select o.grantor, o.grantee, o.privilege_type, o.is_grantable from aclexplode(a.attacl) o) x), '[]') as privileges
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind in ('r', 'v', 'm', 'f', 'p')
`
const columnList = `${columnRows} and ($4::int8 is not null or ${inScope}) and ($4::int8 is null or c.oid = $4::int8)
  order by n.nspname, c.relname, a.attnum limit $5 offset $6`
const columnsByIds = `${columnRows} and c.oid || '.' || a.attnum = any ($2::text[]) and c.oid = any ($1::oid[])
  order by n.nspname, c.relname, a.attnum`

export const listTablePrivileges = (
  db: Queryable,
  scope: Scope & { relation_id?: number | undefined },
): Promise<TablePrivileges[]> => {
  const { relation_id = null, limit = null, offset } = scope
  return rowsOf(db, tableList, [...scopeValues(scope), relation_id, limit, offset])
}

export const listColumnPrivileges = (
  db: Queryable,
  scope: Scope & { table_id?: number | undefined },
): Promise<ColumnPrivileges[]> => {
  const { table_id = null, limit = null, offset } = scope
  return rowsOf(db, columnList, [...scopeValues(scope), table_id, limit, offset])
}

type Verb = 'grant' | 'revoke'
type Place = { schema: string; table: string; columns?: string[] }
type OnTable = Omit<TableGrant, 'is_grantable'> & { is_grantable?: boolean }
type OnColumn = Omit<ColumnGrant, 'is_grantable'> & { is_grantable?: boolean }

/** Each of these expects a transaction around it, and answers what the named ones have afterwards. */
export async function changeTablePrivileges(
  db: Queryable,
  verb: Verb,
  items: readonly OnTable[],
): Promise<TablePrivileges[]> {
  const ids = [...new Set(items.map(({ relation_id }) => relation_id))]
  const before = await rowsOf<TablePrivileges>(db, tablesByIds, [ids])
  for (const item of items) {
    const table = before.find(({ relation_id }) => relation_id === item.relation_id)
    if (!table)
      throw new ApiError('not_found', `Cannot find a relation with ID ${item.relation_id}`)
    await executeChange(db, change(verb, item, { schema: table.schema, table: table.name }))
  }
  return rowsOf(db, tablesByIds, [ids])
}

export async function changeColumnPrivileges(
  db: Queryable,
  verb: Verb,
  items: readonly OnColumn[],
): Promise<ColumnPrivileges[]> {
  const ids = [...new Set(items.map(({ column_id }) => column_id))]
  const tables = [...new Set(ids.map((id) => Number(id.split('.')[0])))]
  const before = await rowsOf<ColumnPrivileges>(db, columnsByIds, [tables, ids])
  for (const item of items) {
    const column = before.find(({ column_id }) => column_id === item.column_id)
    if (!column) throw new ApiError('not_found', `Cannot find a column with ID ${item.column_id}`)
    const { relation_schema: schema, relation_name: table, column_name } = column
    await executeChange(db, change(verb, item, { schema, table, columns: [column_name] }))
  }
  return rowsOf(db, columnsByIds, [tables, ids])
}

function change(verb: Verb, item: OnTable | OnColumn, on: Place): Change {
  const { privilege_type: privilege, grantee, is_grantable = false } = item
  const held = { privilege, grantee, ...on }
  return verb === 'grant' ? grantPrivilege(held, is_grantable) : revokePrivilege(held)
}
