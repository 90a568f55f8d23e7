import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import type { Call, Outcome } from './call.ts'
import type { RetryRule } from './retry.ts'

/** What the owner of a database may have made of it: what does not look like a call is none. */
const Row = z.object({
  id: z.string(),
  webhookId: z.string().regex(/^[\w-]{1,100}$/),
  taken: z.string(),
  attempt: z.number(),
  tries: z.number(),
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.unknown()),
  body: z.string().nullable(),
  timeout: z.number(),
  maxAttempts: z.number(),
  firstWait: z.number(),
  secretId: z.string().nullable(),
})

/** One attempt of a call that a webhook asked for. */
export type Delivery = {
  id: string
  webhookId: string
  /** When this process took it: what was taken by another since is that one's. */
  taken: string
  /** Which one it is, from 1 on, and which since it was last replayed. */
  attempt: number
  tries: number
  call: Call
  retry: RetryRule
  /** Null: it is not signed. */
  secretId: string | null
}

/** What is left of a call that is none. */
export type Broken = Pick<Delivery, 'id' | 'taken' | 'attempt'>

const inFlight = `d.taken_at > clock_timestamp() - interval '1 minute'`

/**
 * Of each hook as many calls as it makes at once, those of one key in their order; `$1` at most in all. Hooks are found by jumping
 * from one to the next in the index, so that those with many calls that wait hide none of the others.
 */
const take = `
  with recursive hook as (
    (select hook_table, hook_name from supabase_functions.deliveries where state = 'waiting' order by 1, 2 limit 1)
    union all
    select n.hook_table, n.hook_name from hook h cross join lateral (
      select d.hook_table, d.hook_name from supabase_functions.deliveries d
      where d.state = 'waiting' and (d.hook_table, d.hook_name) > (h.hook_table, h.hook_name) order by 1, 2 limit 1) n
  ), due as (
    select c.id, s.max_attempts, s.first_wait, s.secret_id from hook h
    left join supabase_functions.hook_settings s on s.hook_table::oid = h.hook_table and s.hook_name = h.hook_name
    cross join lateral (
      select d.id, d.due_at from supabase_functions.deliveries d
      where d.hook_table = h.hook_table and d.hook_name = h.hook_name and d.state = 'waiting'
        and d.due_at <= clock_timestamp() and (d.taken_at is null or not ${inFlight})
        and (d.order_key is null or not exists (
          select from supabase_functions.deliveries e
          where e.hook_table = d.hook_table and e.hook_name = d.hook_name and e.order_key = d.order_key
            and e.state = 'waiting' and e.id < d.id))
      order by d.due_at, d.id
      limit greatest(0, coalesce(s.concurrency, 32) - (
        select count(*) from supabase_functions.deliveries d
        where d.hook_table = h.hook_table and d.hook_name = h.hook_name and d.state = 'waiting' and ${inFlight}))
      for update skip locked
    ) c
    where not coalesce(s.paused, false)
    order by c.due_at, c.id limit $1
  )
  update supabase_functions.deliveries d set taken_at = clock_timestamp()
  from due
  where d.id = due.id
  returning d.id::text, d.webhook_id as "webhookId", d.taken_at::text as taken, d.attempts + 1 as attempt,
    d.attempts + 1 - d.replayed_after as tries, d.method, d.url, d.headers, d.body, d.timeout_milliseconds as timeout,
    coalesce(due.max_attempts, 1) as "maxAttempts", coalesce(due.first_wait, 5) as "firstWait", due.secret_id as "secretId"`

/** Milliseconds until the next call is due that waits for its time; null: none does. */
const nextDue = `
  select extract(epoch from min(d.due_at) - clock_timestamp())::float8 * 1000 as ms
  from supabase_functions.deliveries d where d.state = 'waiting' and d.due_at > clock_timestamp()`

/** Takes what is due. One process at a time looks, so that no hook makes more calls at once than it may. */
export async function takeDeliveries(
  pool: Pool,
  max: number,
): Promise<{ taken: (Delivery | Broken)[]; nextMs: number | undefined }> {
  return inTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('plinth_hooks', 0))`)
    const { rows } = await client.query<Broken>(take, [max])
    const next = await client.query<{ ms: number | null }>(nextDue)
    const taken = rows.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)))
    return { taken: taken.map(deliveryOf), nextMs: next.rows[0]?.ms ?? undefined }
  })
}

function deliveryOf(row: Broken): Delivery | Broken {
  const { data } = Row.safeParse(row)
  if (!data) return row
  const { id, webhookId, taken, attempt, tries, secretId, maxAttempts, firstWait, ...call } = data
  return { id, webhookId, taken, attempt, tries, secretId, call, retry: { maxAttempts, firstWait } }
}

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    client.release(true)
    throw error
  }
}

export type Ended = {
  startedAt: Date
  durationMs: number
  outcome: Outcome
  /** Milliseconds until it is tried again. */
  state: 'delivered' | 'dead' | { againMs: number }
}

/** Notes an attempt and what follows from it, unless another process has taken the call since. */
export async function endAttempt(
  pool: Pool,
  { id, taken, attempt }: Broken,
  { startedAt, durationMs, outcome, state }: Ended,
): Promise<void> {
  const again = typeof state === 'object'
  await pool.query(
    `with ended as (
       update supabase_functions.deliveries
       set attempts = $3, taken_at = null, state = $4, ended_at = case when $4 <> 'waiting' then clock_timestamp() end,
         due_at = clock_timestamp() + $5::float8 * interval '1 ms'
       where id = $1 and taken_at = $2::timestamptz and state = 'waiting'
       returning id)
     insert into supabase_functions.delivery_attempts
       (delivery_id, attempt, started_at, duration_ms, status_code, headers, content, timed_out, error_msg)
     select id, $3, $6::timestamptz, $7, $8, $9::jsonb, $10, $11, $12 from ended
     on conflict do nothing`,
    [
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
    ],
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
