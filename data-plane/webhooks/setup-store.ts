import type { ClientBase, Pool } from 'pg'

/** What a database has of it: the queue of `pg_net`, and the calls of webhooks. */
export type Setup = { net: boolean; deliveries: boolean }

export async function readSetup(pool: Pool): Promise<Setup> {
  const { rows } = await pool.query<Setup>(
    `select to_regclass('net.http_request_queue') is not null as net,
       to_regclass('supabase_functions.deliveries') is not null as deliveries`,
  )
  return rows[0] ?? { net: false, deliveries: false }
}

/** Hears of every transaction that has asked for calls, and says by a lock that somebody does. */
export async function listenForCalls(client: ClientBase, heard: () => void): Promise<void> {
  client.on('notification', heard)
  await client.query('listen plinth_net')
  await client.query('listen plinth_hooks')
  await client.query(`select pg_advisory_lock_shared(hashtextextended('plinth_net', 0))`)
}

/**
 * What came with a copy of another project was meant for that one: its calls are left out, and its hooks are paused. Calls that were
 * made since the server of the copy has started are its own. How many hooks these were.
 */
export async function settleCopy(pool: Pool, ref: string, setup: Setup): Promise<number> {
  if (setup.net) {
    const known = await pool.query(`select from pg_class where oid = to_regclass('net._project')`)
    // Without the extension it is enabling that leaves them out.
    if (known.rowCount)
      await pool.query(
        `with other as (delete from net._project where ref <> $1 returning ref),
         left_out as (delete from net.http_request_queue
           where created_at < pg_postmaster_start_time() and exists (select from other))
         insert into net._project (ref) values ($1) on conflict do nothing`,
        [ref],
      )
  }
  if (!setup.deliveries) return 0
  const { rows } = await pool.query<{ paused: number }>(
    `with other as (delete from supabase_functions._project where ref <> $1 returning ref),
     left_out as (update supabase_functions.deliveries
       set state = 'dead', ended_at = now(), taken_at = null
       where state = 'waiting' and created_at < pg_postmaster_start_time() and exists (select from other)),
     paused as (insert into supabase_functions.hook_settings (hook_table, hook_name, paused)
       select t.tgrelid, t.tgname, true from pg_trigger t
       where t.tgfoid = to_regprocedure('supabase_functions.http_request()') and not t.tgisinternal
         and exists (select from other)
       on conflict (hook_table, hook_name) do update set paused = true returning hook_name),
     own as (insert into supabase_functions._project (ref) values ($1) on conflict do nothing)
     select count(*)::int as paused from paused`,
    [ref],
  )
  return rows[0]?.paused ?? 0
}
