import { maxQueues, type QueueType } from '#contract/integrations/queues'
import { qualified } from '#contract/ddl/sql-text'
import { ApiError } from '#kit/errors'
import type { Queryable } from '../../queryable.ts'
import { rowsOf } from '../../scope.ts'

/** A queue with its tables, as the catalog has them. */
export type QueueTables = {
  name: string
  type: QueueType
  created: string
  table_id: number | null
  archive_id: number | null
  rls: boolean
  policies: number
  /** As they are written in SQL; never made from the name here, because the database has its own way with letters. */
  queue: string
  archive: string
}
type Row = Omit<QueueTables, 'queue' | 'archive'> & { queue_table: string; archive_table: string }

export const instant = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Only tables: what else may have such a name is not read. */
const tableRows = `
  select m.queue_name as name, ${instant('m.created_at')} as created,
    case when m.is_partitioned then 'partitioned' when m.is_unlogged then 'unlogged' else 'basic' end as type,
    q.oid::int8::float8 as table_id, a.oid::int8::float8 as archive_id,
    coalesce(q.relrowsecurity, false) and coalesce(a.relrowsecurity, false) as rls,
    (select count(*)::int from pg_policy where polrelid in (q.oid, a.oid)) as policies,
    lower('q_' || m.queue_name) as queue_table, lower('a_' || m.queue_name) as archive_table
  from pgmq.meta m
  left join pg_class q on q.relnamespace = 'pgmq'::regnamespace and q.relname = lower('q_' || m.queue_name)
    and q.relkind in ('r', 'p') and not q.relispartition
  left join pg_class a on a.relnamespace = 'pgmq'::regnamespace and a.relname = lower('a_' || m.queue_name)
    and a.relkind in ('r', 'p')
`
const listed = `${tableRows} order by m.queue_name limit ${maxQueues}`
const named = `${tableRows} where m.queue_name = $1`

const stateRow = `select
  exists (select from pg_extension where extname = 'pgmq') as installed,
  exists (select from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'pgmq_public' and p.proname = 'send') as functions`

export async function stateOf(db: Queryable): Promise<{ installed: boolean; functions: boolean }> {
  const [state] = await rowsOf<{ installed: boolean; functions: boolean }>(db, stateRow, [])
  if (!state) throw new Error('A select of constants has no row')
  return state
}

const tablesIn = ({ queue_table, archive_table, ...row }: Row): QueueTables => ({
  ...row,
  queue: qualified('pgmq', queue_table),
  archive: qualified('pgmq', archive_table),
})

export const listTables = async (db: Queryable): Promise<QueueTables[]> =>
  (await rowsOf<Row>(db, listed, [])).map(tablesIn)

/** @throws ApiError not_found */
export async function findTables(db: Queryable, name: string): Promise<QueueTables> {
  const { installed } = await stateOf(db)
  const [row] = installed ? await rowsOf<Row>(db, named, [name]) : []
  if (!row) throw new ApiError('not_found', `There is no queue "${name}"`)
  return tablesIn(row)
}

/** The same for what needs the table of messages. @throws ApiError not_found or conflict */
export async function findQueue(db: Queryable, name: string): Promise<QueueTables> {
  const tables = await findTables(db, name)
  if (tables.table_id === null) throw missing(tables.queue)
  return tables
}

/** @throws ApiError not_found or conflict */
export async function findArchive(db: Queryable, name: string): Promise<QueueTables> {
  const tables = await findTables(db, name)
  if (tables.archive_id === null) throw missing(tables.archive)
  return tables
}

const missing = (table: string) =>
  new ApiError('conflict', `The table ${table} is missing: drop the queue and create it again`)
