import type { Entity, EntityDetail } from '#contract/database/pg-meta-shapes'
import { ApiError } from '#kit/errors'
import { entityColumnsOf } from './columns.ts'
import type { Queryable } from '../queryable.ts'
import { throughView } from './editable-view.ts'
import { isVisible, preparedRowsOf, rowsOf } from '../scope.ts'

const kindOf = `
  case c.relkind when 'r' then 'table' when 'p' then 'partitioned_table' when 'v' then 'view'
    when 'm' then 'materialized_view' else 'foreign_table' end
`

/** The table that a partition is a part of, however deep, where it stands in the same schema; else NULL. */
const rootOf = `(
  select r.relname from pg_class r
  where c.relispartition and r.oid = pg_partition_root(c.oid) and r.relnamespace = c.relnamespace
)`

/** Tables first, then what is seen through. A partition has the place of its table. */
const kindOrder = `strpos('rpfvm', case when ${rootOf} is null then c.relkind::text else 'p' end)`
const nameOrder = `coalesce(${rootOf}, c.relname), ${rootOf} is not null, c.relname`

/** The statistics collector counts as rows are written; the planner's figure stands in when it knows nothing. */
const estimateOf = `
  case when c.relkind in ('v', 'f') then null
    else coalesce(nullif(pg_stat_get_live_tuples(c.oid), 0), greatest(c.reltuples, 0)::int8)::float8 end
`

const entityColumns = `
  c.oid as id, n.nspname as schema, c.relname as name, ${kindOf} as kind,
  obj_description(c.oid, 'pg_class') as comment, c.relrowsecurity as rls_enabled,
  c.relkind = 'v' and not coalesce((
    select lower(o.option_value) in ('true', 'on', 'yes', '1') from pg_options_to_table(c.reloptions) o
    where o.option_name = 'security_invoker'
  ), false) as security_definer,
  ${rootOf} is not null as is_partition, ${estimateOf} as rows_estimate
`

const listed = `
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and ${isVisible} and ($2::text is null or strpos(lower(c.relname), lower($2)) > 0)
    and ($3::text[] is null or ${kindOf} = any ($3::text[]))
`

export async function listEntities(
  db: Queryable,
  input: {
    schema: string
    search?: string | undefined
    kinds?: string | undefined
    sort: 'name' | 'kind'
    limit: number
    offset: number
  },
): Promise<{ entities: Entity[]; total: number }> {
  const values = [input.schema, input.search ?? null, input.kinds?.split(',') ?? null]
  const order = input.sort === 'kind' ? `${kindOrder}, ${nameOrder}` : nameOrder
  // What costs something is looked up only for what is shown, not for what comes before it.
  const page = `
    with page as (select c.oid ${listed} order by ${order} limit $4 offset $5)
    select ${entityColumns} from page join pg_class c on c.oid = page.oid join pg_namespace n on n.oid = c.relnamespace
    order by ${order}
  `
  const entities = await rowsOf<Entity>(db, page, [...values, input.limit, input.offset])
  if (input.offset === 0 && entities.length < input.limit)
    return { entities, total: entities.length }
  const [count] = await rowsOf<{ total: number }>(
    db,
    `select count(*)::int as total ${listed}`,
    values,
  )
  return { entities, total: count?.total ?? 0 }
}

const detailSql = `
  select ${entityColumns},
    coalesce((
      select array_agg(a.attname::text order by k.position)
      from pg_index i, unnest(i.indkey) with ordinality k (attnum, position), pg_attribute a
      where i.indrelid = c.oid and i.indisprimary and k.position <= i.indnkeyatts
        and a.attrelid = c.oid and a.attnum = k.attnum
    ), '{}') as primary_key,
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', f.conname, 'target_id', f.confrelid::int8, 'target_schema', tn.nspname, 'target_table', tc.relname,
        'columns', (select jsonb_agg(a.attname order by k.i) from unnest(f.conkey) with ordinality k (n, i)
          join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.n),
        'target_columns', (select jsonb_agg(a.attname order by k.i) from unnest(f.confkey) with ordinality k (n, i)
          join pg_attribute a on a.attrelid = f.confrelid and a.attnum = k.n),
        'on_update', ${actionOf('f.confupdtype')}, 'on_delete', ${actionOf('f.confdeltype')}
      ) order by f.conname)
      from pg_constraint f
      join pg_class tc on tc.oid = f.confrelid
      join pg_namespace tn on tn.oid = tc.relnamespace
      where f.contype = 'f' and f.conrelid = c.oid
    ), '[]') as foreign_keys,
    coalesce((
      select jsonb_agg(jsonb_build_object('name', k.conname, 'columns', coalesce(
        (select jsonb_agg(a.attname order by a.attnum) from pg_attribute a
          where a.attrelid = k.conrelid and a.attnum = any (k.conkey)), '[]')) order by k.conname)
      from pg_constraint k where k.contype = 'c' and k.conrelid = c.oid
    ), '[]') as checks,
    (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid = $1::int8 and c.relkind in ('r', 'p', 'v', 'm', 'f') and ${isVisible}
`

function actionOf(column: string): string {
  return `case ${column} when 'a' then 'No action' when 'r' then 'Restrict' when 'c' then 'Cascade'
    when 'n' then 'Set null' else 'Set default' end`
}

export async function getEntity(db: Queryable, id: number): Promise<EntityDetail> {
  const entity = await findEntity(db, id)
  if (!entity) throw new ApiError('not_found', `Cannot find a table or view with ID ${id}`)
  if (entity.kind !== 'view') return entity
  return { ...entity, ...(await throughView(db, entity, (base) => findEntity(db, base))) }
}

async function findEntity(db: Queryable, id: number): Promise<EntityDetail | undefined> {
  type Found = Omit<EntityDetail, 'columns' | 'read_only_because' | 'fixed_rows_because'>
  const [found] = await preparedRowsOf<Found>(db, 'entity', detailSql, [id])
  if (!found) return undefined
  const columns = await entityColumnsOf(db, id)
  return { ...found, columns, ...whatIsFixed(found) }
}

type Fixed = Pick<EntityDetail, 'read_only_because' | 'fixed_rows_because'>

function whatIsFixed({
  kind,
  primary_key: key,
}: Pick<EntityDetail, 'kind' | 'primary_key'>): Fixed {
  switch (kind) {
    case 'materialized_view':
      return fixed('This is a materialized view: its rows change only when it is refreshed.')
    case 'foreign_table':
      return fixed('This is a foreign table: its rows live in another system.')
    case 'view':
    case 'table':
    case 'partitioned_table':
      return { read_only_because: null, fixed_rows_because: key.length > 0 ? null : withoutKey }
  }
}

const fixed = (because: string): Fixed => ({ read_only_because: because, fixed_rows_because: null })
const withoutKey =
  'This table has no primary key, so a single row cannot be told from its copies. New rows can be inserted; add a primary key to edit rows.'
