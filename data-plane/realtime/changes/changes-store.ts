import type { Pool } from 'pg'
import type { Reader } from '../service.ts'
import type { Values } from './wal-store.ts'

/** The publications that there are, of those that the service reads. */
export async function publicationsThere(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select pubname as name from pg_publication
     where pubname in ('supabase_realtime', 'supabase_realtime_messages_publication') order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** Columns with the names of their types of the tables that are published; none: there is no such table. */
export async function publishedColumns(
  pool: Pool,
  schema: string,
  table: string | undefined,
): Promise<{ table: string; column: string; type: string }[]> {
  const { rows } = await pool.query<{ table: string; column: string; type: string }>(
    `select c.relname as table, a.attname as column, t.typname as type
     from pg_publication_tables p
     join pg_namespace n on n.nspname = p.schemaname
     join pg_class c on c.relname = p.tablename and c.relnamespace = n.oid
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     join pg_type t on t.oid = a.atttypid
     where p.pubname = 'supabase_realtime' and p.schemaname = $1 and ($2::text is null or p.tablename = $2)`,
    [schema, table ?? null],
  )
  return rows
}

export type TableFacts = { keys: string[]; isGuarded: boolean; types: Record<string, string> }

/** The primary key of a table, whether row level security is on, and the types of its columns. */
export async function tableFacts(pool: Pool, oid: number): Promise<TableFacts | undefined> {
  const { rows } = await pool.query<TableFacts>(
    `select c.relrowsecurity as "isGuarded",
       array(select a.attname::text from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
         where i.indrelid = c.oid and i.indisprimary) as keys,
       (select jsonb_object_agg(a.attname, t.typname) from pg_attribute a join pg_type t on t.oid = a.atttypid
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as types
     from pg_class c where c.oid = $1`,
    [oid],
  )
  return rows[0]
}

/** `places` counts from 1; null: the reader sees all rows. */
export type Visible = { columns: string[]; places: number[] | null }

/** What each of the readers may see of changed rows, in their order. */
export async function visibleRows(
  pool: Pool,
  asked: { xid: number; oid: number; keyColumns: string[]; keys: Values[]; readers: Reader[] },
): Promise<Visible[]> {
  const { rows } = await pool.query<Visible>(
    'select columns, places from realtime.visible_rows($1, $2::oid::regclass, $3, $4, $5) order by reader',
    [
      asked.xid,
      asked.oid,
      asked.keyColumns,
      JSON.stringify(asked.keys),
      JSON.stringify(asked.readers.map(({ role, claims }) => ({ role, claims }))),
    ],
  )
  return rows
}

/** Whether texts match regular expressions, as Postgres understands these. */
export async function matchAll(
  pool: Pool,
  asked: { text: string; pattern: string; ignoreCase: boolean }[],
): Promise<boolean[]> {
  const { rows } = await pool.query<{ found: boolean }>(
    `select case when i then t ~* p else t ~ p end as found
     from unnest($1::text[], $2::text[], $3::bool[]) with ordinality as e (t, p, i, place) order by place`,
    [
      asked.map((one) => one.text),
      asked.map((one) => one.pattern),
      asked.map((one) => one.ignoreCase),
    ],
  )
  return rows.map(({ found }) => found)
}

/** How far, in bytes, the slot is behind what is written; undefined: there is no such slot. */
export async function slotLag(pool: Pool, slot: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ lag: string }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::text as lag from pg_replication_slots where slot_name = $1',
    [slot],
  )
  return rows[0] && Number(rows[0].lag)
}

/** The server's process that reads the slot; undefined: nobody does. */
export async function slotReader(pool: Pool, slot: string): Promise<number | undefined> {
  const { rows } = await pool.query<{ pid: number | null }>(
    'select active_pid as pid from pg_replication_slots where slot_name = $1',
    [slot],
  )
  return rows[0]?.pid ?? undefined
}
