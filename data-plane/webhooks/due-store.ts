import type { Pool } from 'pg'
import { z } from 'zod'
import type { Call } from './call.ts'
import { inTurn } from './hook-turn-store.ts'
import type { RetryRule } from './retry.ts'

/** What the owner of a database may have made of it: what does not look like a call is none. */
const Row = z.object({
  id: z.string(),
  ordered: z.boolean(),
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
  /** Others of its key may wait for its end. */
  ordered: boolean
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
export type Broken = Pick<Delivery, 'id' | 'ordered' | 'taken' | 'attempt'>

/** Of a statement's own start: a time that an index can be asked for. */
const now = 'statement_timestamp()'
const inFlight = `d.taken_at > ${now} - interval '1 minute'`
/**
 * Calls that a look passes of one hook whose calls keep an order. Those that wait for another are put aside, so that each is passed
 * once, however many there are.
 */
const passed = 256
/** Keys of which a look makes sure that the first call is not put aside. */
const mended = 250

/** Hooks with calls that wait, found by jumping from one to the next in the index: many calls of one hide none of the others. */
const hooks = `hook as (
    (select hook_table, hook_name from supabase_functions.deliveries where state = 'waiting' order by 1, 2 limit 1)
    union all
    select n.hook_table, n.hook_name from hook h cross join lateral (
      select d.hook_table, d.hook_name from supabase_functions.deliveries d
      where d.state = 'waiting' and (d.hook_table, d.hook_name) > (h.hook_table, h.hook_name) order by 1, 2 limit 1) n
  )`

/**
 * Of each hook as many calls as it makes at once, those of one key in their order; `$1` at most in all. A call that waits for
 * another of its key is put aside: it is due at "infinity", which is when the one before it has ended.
 */
const take = `
  with recursive ${hooks}, looked as (
    select c.id, c.due_at, c.behind, h.hook_table, h.hook_name, r.room, s.max_attempts, s.first_wait, s.secret_id
    from hook h
    left join supabase_functions.hook_settings s on s.hook_table::oid = h.hook_table and s.hook_name = h.hook_name
    cross join lateral (
      select greatest(0, coalesce(s.concurrency, 32) - count(*))::int as room from supabase_functions.deliveries d
      where d.hook_table = h.hook_table and d.hook_name = h.hook_name and d.state = 'waiting' and ${inFlight}) r
    cross join lateral (
      select d.id, d.due_at, d.order_key is not null and (
        select e.id from supabase_functions.deliveries e
        where e.state = 'waiting' and e.order_key is not null
          and (e.hook_table, e.hook_name, e.order_key) >= (d.hook_table, d.hook_name, d.order_key)
        order by e.hook_table, e.hook_name, e.order_key, e.id limit 1) < d.id as behind
      from supabase_functions.deliveries d
      where d.hook_table = h.hook_table and d.hook_name = h.hook_name and d.state = 'waiting'
        and d.due_at <= ${now} and (d.taken_at is null or not ${inFlight})
      order by d.due_at, d.id
      limit case when r.room = 0 then 0 when s.order_by is null then r.room else ${passed} end
      for update skip locked) c
    where not coalesce(s.paused, false)
  ), aside as (
    update supabase_functions.deliveries d set due_at = 'infinity' from looked l where l.behind and d.id = l.id returning d.id
  ), due as (
    select * from (
      select l.*, row_number() over (partition by hook_table, hook_name order by due_at, id) as place
      from looked l where not behind) free
    where place <= room order by due_at, id limit $1
  ), taken as (
    update supabase_functions.deliveries d set taken_at = clock_timestamp()
    from due
    where d.id = due.id
    returning d.id::text, d.order_key is not null as ordered, d.webhook_id as "webhookId", d.taken_at::text as taken,
      d.attempts + 1 as attempt, d.attempts + 1 - d.replayed_after as tries, d.method, d.url, d.headers, d.body,
      d.timeout_milliseconds as timeout, coalesce(due.max_attempts, 1) as "maxAttempts",
      coalesce(due.first_wait, 5) as "firstWait", due.secret_id as "secretId"
  )
  select a.count as aside, t.* from (select count(*)::int from aside) a left join taken t on true`

/** Milliseconds until the next call is due that waits for its time; null: none does. */
const nextDue = `
  with recursive ${hooks}
  select extract(epoch from min(n.due_at) - ${now})::float8 * 1000 as ms
  from hook h cross join lateral (
    select d.due_at from supabase_functions.deliveries d
    where d.hook_table = h.hook_table and d.hook_name = h.hook_name and d.state = 'waiting'
      and d.due_at > ${now} and d.due_at < 'infinity'
    order by d.due_at limit 1) n`

/** A key of a hook: those after it are looked at next. */
type Place = { table: string; hook: string; key: string }
const first: Place = { table: '0', hook: '', key: '' }

/**
 * The first call of a key waits for no other. It can have been put aside when the one before ended at the very moment at which it
 * was asked for, or was taken away by hand: then it is due now. `$4` keys after a place, found by jumps in the index. Their order is
 * that of the index to its last column: by the id alone, a planner whose statistics are of another day walks along the primary key.
 */
const mend = `
  with recursive jump as (
    (select hook_table, hook_name, order_key, id from supabase_functions.deliveries
     where state = 'waiting' and order_key is not null and (hook_table, hook_name, order_key) > ($1::oid, $2::name, $3::text)
     order by 1, 2, 3, 4 limit 1)
    union all
    select n.* from jump j cross join lateral (
      select d.hook_table, d.hook_name, d.order_key, d.id from supabase_functions.deliveries d
      where d.state = 'waiting' and d.order_key is not null
        and (d.hook_table, d.hook_name, d.order_key) > (j.hook_table, j.hook_name, j.order_key)
      order by 1, 2, 3, 4 limit 1) n
  ), seen as (
    select * from jump limit $4::int
  ), mended as (
    update supabase_functions.deliveries d set due_at = ${now}
    from seen s
    where d.id = s.id and d.due_at = 'infinity'
  )
  select hook_table::text as table, hook_name as hook, order_key as key from seen offset $4::int - 1`

/** The calls of one database that are due. It remembers of which keys it has made sure. */
export function createDueCalls() {
  let place = first
  const mendFrom = async (client: { query: Pool['query'] }, from: Place, keys: number) => {
    const { rows } = await client.query<Place>(mend, [from.table, from.hook, from.key, keys])
    return rows[0]
  }
  return {
    /**
     * Takes what is due. One process at a time looks, so that no hook makes more calls at once than it may. `again`: it has passed
     * calls that wait for others, and there may be more behind them.
     */
    take: (pool: Pool, max: number) =>
      inTurn(pool, async (client) => {
        place = (await mendFrom(client, place, mended)) ?? first
        const { rows } = await client.query<Broken & { aside: number }>(take, [max])
        const next = await client.query<{ ms: number | null }>(nextDue)
        // Where nothing was taken there is one row all the same, which says what was put aside.
        const taken = rows
          .filter(({ id }) => id !== null)
          .toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)))
          .map(deliveryOf)
        const again = (rows[0]?.aside ?? 0) > 0
        return { taken, again, nextMs: next.rows[0]?.ms ?? undefined }
      }),

    /** Makes sure of all keys, or of those that it comes to before it is told to end. */
    async mendAll(pool: Pool, signal?: AbortSignal): Promise<void> {
      let from: Place | undefined = first
      while (from && !signal?.aborted) {
        const before: Place = from
        from = await inTurn(pool, (client) => mendFrom(client, before, 2000))
      }
    },
  }
}

function deliveryOf(row: Broken): Delivery | Broken {
  const { data } = Row.safeParse(row)
  if (!data) return row
  const {
    id,
    ordered,
    webhookId,
    taken,
    attempt,
    tries,
    secretId,
    maxAttempts,
    firstWait,
    ...call
  } = data
  return {
    id,
    ordered,
    webhookId,
    taken,
    attempt,
    tries,
    secretId,
    call,
    retry: { maxAttempts, firstWait },
  }
}
