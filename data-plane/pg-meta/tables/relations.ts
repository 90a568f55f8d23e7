import type {
  ForeignTable,
  MaterializedView,
  View,
} from '#contract/database/database-object-shapes'
import type { Column } from '#contract/database/pg-meta-shapes'
import { ApiError } from '#kit/errors'
import { columnsOf } from './columns.ts'
import type { Queryable } from '../queryable.ts'
import { inScope, isVisible, rowsOf, scopeValues, type Scope } from '../scope.ts'

type Listed = Scope & { include_columns: 'true' | 'false' }
type Relation = { id: number; columns?: Column[] | undefined }

/** What has rows and is no table: one question per kind, the same shape around it. */
function relationsOf<T extends Relation>(what: string, kind: string, own: string, joins = '') {
  const rows = `
    select c.oid as id, n.nspname as schema, c.relname as name,
      obj_description(c.oid, 'pg_class') as comment, ${own}
    from pg_class c join pg_namespace n on n.oid = c.relnamespace ${joins}
    where c.relkind = '${kind}' and ${isVisible}
  `
  const listSql = `${rows} and ${inScope} order by n.nspname, c.relname limit $4 offset $5`
  const getSql = `${rows} and c.oid = $1::int8`

  async function withColumns(db: Queryable, found: T[]): Promise<T[]> {
    const byTable = new Map<number, Column[]>(found.map(({ id }) => [id, []]))
    for (const column of await columnsOf(db, [...byTable.keys()]))
      byTable.get(column.table_id)?.push(column)
    return found.map((one) => ({ ...one, columns: byTable.get(one.id) ?? [] }))
  }

  return {
    async list(db: Queryable, scope: Listed): Promise<T[]> {
      const values = [...scopeValues(scope), scope.limit ?? null, scope.offset]
      const found = await rowsOf<T>(db, listSql, values)
      return scope.include_columns === 'true' ? withColumns(db, found) : found
    },
    async get(db: Queryable, id: number): Promise<T> {
      const [found] = await withColumns(db, await rowsOf<T>(db, getSql, [id]))
      if (!found) throw new ApiError('not_found', `Cannot find a ${what} with ID ${id}`)
      return found
    },
  }
}

/** Updatable by itself, without triggers: UPDATE is bit 4 and DELETE bit 16 of what Postgres tells (as information_schema does). */
export const views = relationsOf<View>(
  'view',
  'v',
  'pg_relation_is_updatable(c.oid, false) & 20 = 20 as is_updatable',
)
export const materializedViews = relationsOf<MaterializedView>(
  'materialized view',
  'm',
  'c.relispopulated as is_populated',
)
export const foreignTables = relationsOf<ForeignTable>(
  'foreign table',
  'f',
  's.srvname as foreign_server_name, w.fdwname as foreign_data_wrapper_name',
  `join pg_foreign_table t on t.ftrelid = c.oid
   join pg_foreign_server s on s.oid = t.ftserver
   join pg_foreign_data_wrapper w on w.oid = s.srvfdw`,
)
