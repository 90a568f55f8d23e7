import type { Pool } from 'pg'
import type { Outcome } from './call.ts'
import type { Broken } from './due-store.ts'
import { inTurn } from './hook-turn-store.ts'

export type Ended = {
  startedAt: Date
  durationMs: number
  outcome: Outcome
  /** Milliseconds until it is tried again. */
  state: 'delivered' | 'dead' | { againMs: number }
}

/** The next of its key has waited for this one, which has ended. */
const end = `
  with ended as (
    update supabase_functions.deliveries
    set attempts = $3, taken_at = null, state = $4, ended_at = case when $4 <> 'waiting' then clock_timestamp() end,
      due_at = clock_timestamp() + $5::float8 * interval '1 ms'
    where id = $1 and taken_at = $2::timestamptz and state = 'waiting'
    returning id, hook_table, hook_name, order_key
  ), noted as (
    insert into supabase_functions.delivery_attempts
      (delivery_id, attempt, started_at, duration_ms, status_code, headers, content, timed_out, error_msg)
    select id, $3, $6::timestamptz, $7, $8, $9::jsonb, $10, $11, $12 from ended
    on conflict do nothing
  )
  update supabase_functions.deliveries d set due_at = clock_timestamp()
  from ended e cross join lateral (
    select n.id from supabase_functions.deliveries n
    where n.hook_table = e.hook_table and n.hook_name = e.hook_name and n.order_key = e.order_key
      and n.state = 'waiting' and n.id <> e.id
    order by n.id limit 1) next
  where $4 <> 'waiting' and d.id = next.id and d.due_at = 'infinity'`

/**
 * Notes an attempt and what follows from it, unless another process has taken the call since. Where others may wait for it, nobody
 * looks at the same time: they would be put aside for a call that is no more.
 */
export async function endAttempt(
  pool: Pool,
  { id, ordered, taken, attempt }: Broken,
  { startedAt, durationMs, outcome, state }: Ended,
): Promise<void> {
  const again = typeof state === 'object'
  const values = [
    id,
    taken,
    attempt,
    again ? 'waiting' : state,
    again ? state.againMs : 0,
    startedAt.toISOString(),
    Math.round(durationMs),
    outcome.status_code,
    outcome.headers && JSON.stringify(outcome.headers),
    outcome.content?.slice(0, keptContent) ?? null,
    outcome.timed_out,
    outcome.error_msg,
  ]
  if (ordered) await inTurn(pool, (client) => client.query(end, values))
  else await pool.query(end, values)
}

/** Whoever looks next may take it: nobody waits for its answer any more. */
export async function leaveCall(pool: Pool, { id, taken }: Broken): Promise<void> {
  await pool.query(
    `update supabase_functions.deliveries set taken_at = null
     where id = $1 and taken_at = $2::timestamptz and state = 'waiting'`,
    [id, taken],
  )
}

/** Characters that are kept of an answer. */
const keptContent = 16_384
/** Calls that have ended and are kept, of one project. */
const maxKept = 50_000

/** Delivered calls are kept for a week and dead ones for four, and no more of both than a number; those that wait stay. */
export async function forgetDeliveries(pool: Pool): Promise<void> {
  await pool.query(
    `delete from supabase_functions.deliveries
     where state = 'delivered' and ended_at < now() - interval '7 days'
       or state = 'dead' and ended_at < now() - interval '28 days'`,
  )
  await pool.query(
    `delete from supabase_functions.deliveries where id in (
       select id from supabase_functions.deliveries where state <> 'waiting' order by ended_at desc offset $1)`,
    [maxKept],
  )
  await pool.query(
    "delete from supabase_functions.hooks where created_at < now() - interval '7 days'",
  )
  await pool.query(
    `delete from supabase_functions.hook_settings s
     where not exists (select from pg_class c where c.oid = s.hook_table::oid)`,
  )
}
