import type { Pool } from 'pg'

export type NotedListener = {
  schema: string
  /** Null: every published table of the schema. */
  table: string | null
  filters: string[]
  event: string
}

/** Notes what one channel listens to, for whoever looks into `realtime.subscription`. */
export async function noteSubscription(
  pool: Pool,
  { id, claims, listeners }: { id: string; claims: string; listeners: NotedListener[] },
): Promise<void> {
  await pool.query(
    `insert into realtime.subscription (subscription_id, entity, filters, action_filter, claims)
     select $1, format('%I.%I', p.schemaname, p.tablename)::regclass, e.filters, e.event, $3
     from jsonb_to_recordset($2) as e ("schema" text, "table" text, filters text[], event text)
     join pg_publication_tables p on p.pubname = 'supabase_realtime' and p.schemaname = e."schema"
       and (e."table" is null or p.tablename = e."table")`,
    [id, JSON.stringify(listeners), claims],
  )
}

export async function dropSubscription(pool: Pool, id: string): Promise<void> {
  await pool.query('delete from realtime.subscription where subscription_id = $1', [id])
}

/** Says that these are still there, and removes those that nobody has said that of for a while: their process is gone. */
export async function keepSubscriptions(pool: Pool, ids: readonly string[]): Promise<void> {
  await pool.query(
    'update realtime.subscription set seen_at = now() where subscription_id = any($1)',
    [ids],
  )
  await pool.query(
    "delete from realtime.subscription where seen_at < now()::timestamp - interval '3 minutes'",
  )
}
