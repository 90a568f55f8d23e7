import type { PoolClient } from 'pg'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { Who } from '../connections.ts'
import { getEntity } from './entities.ts'
import { preparedRowsOf } from '../scope.ts'

const maxKnown = 500

/**
 * Changes whenever something changes that reading and writing rows depends on: the relation, its schema, a column, an
 * index. Looking at row versions costs a tenth of looking at the rows.
 */
const versionSql = `
  select concat_ws(' ', c.xmin, n.xmin,
    (select string_agg(a.xmin::text, ',' order by a.attnum) from pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
    (select string_agg(i.xmin::text, ',' order by i.indexrelid) from pg_index i where i.indrelid = c.oid)
  ) as version
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = $1::int8
`

/** Tables and views as they were last seen, asked for again when their version in the catalog has changed. */
export function createKnownEntities() {
  const known = new Map<string, { version: string; entity: EntityDetail }>()
  return async (db: PoolClient, who: Who, id: number): Promise<EntityDetail> => {
    const key = `${who.ref} ${who.login} ${id}`
    const [row] = await preparedRowsOf<{ version: string }>(db, 'version', versionSql, [id])
    const version = row?.version ?? ''
    const found = known.get(key)
    if (found?.version === version) return found.entity
    const entity = await getEntity(db, id)
    known.delete(key)
    // How its rows are found depends on another table, of which this version knows nothing.
    if (entity.kind === 'view') return entity
    known.set(key, { version, entity })
    if (known.size > maxKnown) known.delete(known.keys().next().value ?? '')
    return entity
  }
}
export type EntityOf = ReturnType<typeof createKnownEntities>
