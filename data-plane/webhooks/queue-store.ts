import type { Pool } from 'pg'
import { z } from 'zod'
import type { Call, Outcome } from './call.ts'

/** What the owner of a database may have made of it: what does not look like a call is none. */
const Row = z.object({
  id: z.string(),
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.unknown()),
  body: z.union([z.string(), z.instanceof(Buffer)]).nullable(),
  timeout: z.number(),
})

/** A call of `pg_net`, or a row in its place that is none. */
export type Queued = { id: string; call: Call | undefined }

/**
 * Calls that nobody sends yet, the oldest first. They are the caller's for a minute, which is longer than any call waits
 * for its answer; then another one may take them.
 */
export async function takeCalls(pool: Pool, max: number): Promise<Queued[]> {
  const { rows } = await pool.query<{ id: string }>(
    `with due as (
       select id from net.http_request_queue
       where taken_at is null or taken_at < now() - interval '1 minute'
       order by id limit $1 for update skip locked)
     update net.http_request_queue q set taken_at = now() from due where q.id = due.id
     returning q.id::text, q.method, q.url, q.headers, q.body, q.timeout_milliseconds as timeout`,
    [max],
  )
  return rows
    .toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)))
    .map((row) => ({ id: row.id, call: Row.safeParse(row).data }))
}

/** Notes an outcome for a while and ends the call. One that was ended meanwhile stays as it was noted. */
export async function endCall(pool: Pool, id: string, outcome: Outcome): Promise<void> {
  await pool.query(
    `with ended as (delete from net.http_request_queue where id = $1 returning id)
     insert into net._http_response (id, status_code, content_type, headers, content, timed_out, error_msg)
     select id, $2, $3, $4, $5, $6, $7 from ended on conflict do nothing`,
    [
      id,
      outcome.status_code,
      outcome.content_type,
      outcome.headers && JSON.stringify(outcome.headers),
      outcome.content,
      outcome.timed_out,
      outcome.error_msg,
    ],
  )
}

/** Answers are kept for six hours. */
export async function forgetCalls(pool: Pool): Promise<void> {
  await pool.query("delete from net._http_response where created < now() - interval '6 hours'")
}
