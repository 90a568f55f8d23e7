import type { Client, Pool } from 'pg'

export type Call = {
  /** A bigint, as text. */
  id: string
  method: string
  url: string
  headers: Record<string, unknown>
  body: string | null
  timeout: number
}

/** Hears of every transaction that has put calls into the queue. */
export async function listenForCalls(client: Client, heard: () => void): Promise<void> {
  client.on('notification', heard)
  await client.query('listen plinth_net')
}

/** What became of a call: an answer, or why there is none. */
export type Outcome = {
  id: string
  status_code: number | null
  content_type: string | null
  headers: Record<string, string> | null
  content: string | null
  timed_out: boolean
  error_msg: string | null
}

/**
 * Calls that nobody sends yet, the oldest first. They are the caller's for a minute, which is longer than any call waits
 * for its answer; then another one may take them.
 */
export async function takeCalls(pool: Pool, max: number): Promise<Call[]> {
  const { rows } = await pool.query<Call>(
    `with due as (
       select id from net.http_request_queue
       where taken_at is null or taken_at < now() - interval '1 minute'
       order by id limit $1 for update skip locked)
     update net.http_request_queue q set taken_at = now() from due where q.id = due.id
     returning q.id::text, q.method, q.url, q.headers, q.body, q.timeout_milliseconds as timeout`,
    [max],
  )
  return rows.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)))
}

/** Notes an outcome for a while and ends the call. One that was ended meanwhile stays as it was noted. */
export async function endCall(pool: Pool, outcome: Outcome): Promise<void> {
  await pool.query(
    `with ended as (delete from net.http_request_queue where id = $1 returning id)
     insert into net._http_response (id, status_code, content_type, headers, content, timed_out, error_msg)
     select id, $2, $3, $4, $5, $6, $7 from ended on conflict do nothing`,
    [
      outcome.id,
      outcome.status_code,
      outcome.content_type,
      outcome.headers && JSON.stringify(outcome.headers),
      outcome.content,
      outcome.timed_out,
      outcome.error_msg,
    ],
  )
}

/** Answers are kept for six hours, and which webhook made which call for a week. */
export async function forgetCalls(pool: Pool): Promise<void> {
  await pool.query("delete from net._http_response where created < now() - interval '6 hours'")
  await pool.query(
    "delete from supabase_functions.hooks where created_at < now() - interval '7 days'",
  )
}
