import {
  hookLimits,
  usualHookSettings,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryDetails,
  type Hook,
  type HookSettings,
  type webhookCalls,
} from '#contract/integrations/webhook-calls'
import type { Output, Parsed } from '#contract/endpoint'
import { ApiError } from '#kit/errors'
import type { Queryable } from '../queryable.ts'
import { rowsOf } from '../scope.ts'

const instant = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const currentRow = `select to_regclass('supabase_functions.deliveries') is not null as current`

const isHook = `t.tgfoid = to_regprocedure('supabase_functions.http_request()') and not t.tgisinternal`
const settings = `coalesce(s.max_attempts, 1) as max_attempts, coalesce(s.first_wait, 5) as first_wait,
  coalesce(s.concurrency, 32) as concurrency, s.order_by::text[] as order_by, coalesce(s.paused, false) as paused`

/** However many there are, the list of hooks reads no more of them. */
const counted = (state: 'waiting' | 'dead') => `(select count(*) from (
      select from supabase_functions.deliveries d
      where d.hook_table = t.tgrelid and d.hook_name = t.tgname and d.state = '${state}' limit ${hookLimits.counted}) counted)::int`
/** The newest of each of two states, so that those that wait are not read to find what has ended. */
const newest = (
  state: 'delivered' | 'dead',
) => `(select d.id, d.state from supabase_functions.deliveries d
      where d.hook_table = t.tgrelid and d.hook_name = t.tgname and d.state = '${state}' order by d.id desc limit 100)`

/** Of those that wait: those that are tried again are due last, but for the ones that wait for others. */
const retried = `(select d.id, d.state from supabase_functions.deliveries d
      where d.hook_table = t.tgrelid and d.hook_name = t.tgname and d.state = 'waiting' and d.due_at < 'infinity'
      order by d.due_at desc limit 100)`

/** The last hundred that have ended say how a hook does; more would make the list slow where there are many. */
const hookRows = `
  select t.tgrelid::bigint::float8 as table_id, t.tgname as name, ${settings}, s.secret_id is not null as signed,
    ${counted('waiting')} as waiting, ${counted('dead')} as dead,
    lately.ended, lately.failed, last.status_code, last.timed_out, last.error_msg, last.at
  from pg_trigger t
  left join supabase_functions.hook_settings s on s.hook_table::oid = t.tgrelid and s.hook_name = t.tgname
  cross join lateral (
    select count(*)::int as ended, (count(*) filter (where state = 'dead'))::int as failed from (
      select state from (${newest('delivered')} union all ${newest('dead')}) both_states order by id desc limit 100
    ) newest
  ) lately
  left join lateral (
    select a.status_code, a.timed_out, a.error_msg, ${instant('a.started_at')} as at
    from (${newest('delivered')} union all ${newest('dead')} union all ${retried}) d
    join supabase_functions.delivery_attempts a on a.delivery_id = d.id
    order by a.started_at desc limit 1
  ) last on true
  where ${isHook}
  order by t.tgname, t.tgrelid
`

const deliveryColumns = `d.id::text, d.webhook_id, d.hook_table::bigint::float8 as table_id, d.hook_name as name, d.method,
  left(d.url, 2048) as url, d.state, d.attempts, ${instant('d.created_at')} as created_at, ${instant('d.ended_at')} as ended_at,
  case when d.state = 'waiting' and isfinite(d.due_at) then ${instant('d.due_at')} end as due_at`
const lastOutcome = `left join lateral (
    select jsonb_build_object('status_code', a.status_code, 'timed_out', a.timed_out, 'error_msg', a.error_msg) as last
    from supabase_functions.delivery_attempts a where a.delivery_id = d.id order by a.attempt desc limit 1) a on true`

const deliveryRows = `
  select ${deliveryColumns}, a.last from supabase_functions.deliveries d ${lastOutcome}
  where ($1::oid is null or d.hook_table = $1) and ($2::name is null or d.hook_name = $2)
    and ($3::text is null or d.state = $3) and ($4::bigint is null or d.id < $4)
  order by d.id desc limit $5
`
const detailsRow = `
  select ${deliveryColumns}, a.last, d.headers, d.body from supabase_functions.deliveries d ${lastOutcome}
  where d.id = $1::numeric
`
const attemptRows = `
  select attempt, ${instant('started_at')} as started_at, duration_ms, status_code, headers, content, timed_out, error_msg
  from supabase_functions.delivery_attempts where delivery_id = $1::numeric order by attempt desc limit 100
`

/** `$1` id, `$2` and `$3` hook, `$4` state, `$5` and `$6` from and to. */
const replayable = `
    select d.id from supabase_functions.deliveries d
    where d.state <> 'waiting' and ($1::numeric is null or d.id = $1)
      and ($2::oid is null or d.hook_table = $2) and ($3::name is null or d.hook_name = $3)
      and ($4::text is null or d.state = $4)
      and ($5::timestamptz is null or d.created_at >= $5) and ($6::timestamptz is null or d.created_at <= $6)
    order by d.id limit ${hookLimits.replay}`
const replayableRows = `select count(*)::int as count from (${replayable}) chosen`
const replayRows = `
  with chosen as (${replayable} for update),
  again as (
    update supabase_functions.deliveries d
    set state = 'waiting', replayed_after = attempts, due_at = now(), taken_at = null, ended_at = null
    from chosen where d.id = chosen.id returning d.id)
  select count(*)::int as replayed from again
`

const chosenSettings = `select ${settings}, t.tgrelid is not null as found from (select $1::oid as table_id, $2::name as name) hook
  left join pg_trigger t on t.tgrelid = hook.table_id and t.tgname = hook.name and ${isHook}
  left join supabase_functions.hook_settings s on s.hook_table::oid = t.tgrelid and s.hook_name = t.tgname`
const keepSettings = `
  insert into supabase_functions.hook_settings (hook_table, hook_name, max_attempts, first_wait, concurrency, order_by, paused)
  values ($1::oid::regclass, $2, $3, $4, $5, $6::name[], $7)
  on conflict (hook_table, hook_name) do update set max_attempts = excluded.max_attempts, first_wait = excluded.first_wait,
    concurrency = excluded.concurrency, order_by = excluded.order_by, paused = excluded.paused
`
const missingColumns = `select named from unnest($2::text[]) named where not exists (
  select from pg_attribute where attrelid = $1::oid and attname = named and attnum > 0 and not attisdropped)`

const wake = `select pg_notify('plinth_hooks', '')`

/** The name of a table as SQL takes it, which is the server's to write. */
const tableRow = `select c.relname as table, n.nspname as schema, format('%I.%I', n.nspname, c.relname) as quoted
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = $1::oid and c.relkind in ('r', 'p', 'f')`

type HookRow = HookSettings &
  Omit<Hook, 'settings' | 'last'> & {
    status_code: number | null
    timed_out: boolean | null
    error_msg: string | null
    at: string | null
  }

const isCurrent = async (db: Queryable): Promise<boolean> =>
  (await rowsOf<{ current: boolean }>(db, currentRow, []))[0]?.current === true

/** @throws ApiError conflict: what an earlier version made has no deliveries. */
async function needCurrent(db: Queryable): Promise<void> {
  if (!(await isCurrent(db)))
    throw new ApiError(
      'conflict',
      'Webhooks are not up to date in this database: enable them again',
    )
}

export const webhookCallHandlers = {
  async hooks(db: Queryable): Promise<Output<typeof webhookCalls.hooks>> {
    if (!(await isCurrent(db))) return { current: false, hooks: [] }
    return { current: true, hooks: (await rowsOf<HookRow>(db, hookRows, [])).map(hookOf) }
  },

  async settings(
    db: Queryable,
    { table_id, name, ...chosen }: Parsed<typeof webhookCalls.settings>,
  ): Promise<HookSettings> {
    await needCurrent(db)
    const before = await settingsOf(db, table_id, name)
    const given = Object.fromEntries(
      Object.entries(chosen).filter(([, value]) => value !== undefined),
    )
    const wanted: HookSettings = { ...before, ...given }
    const [missing] = await rowsOf<{ named: string }>(db, missingColumns, [
      table_id,
      wanted.order_by ?? [],
    ])
    if (missing) throw new ApiError('invalid_input', `The table has no column ${missing.named}`)
    const { max_attempts, first_wait, concurrency, order_by, paused } = wanted
    await rowsOf(db, keepSettings, [
      table_id,
      name,
      max_attempts,
      first_wait,
      concurrency,
      order_by,
      paused,
    ])
    await rowsOf(db, wake, [])
    return { max_attempts, first_wait, concurrency, order_by, paused }
  },

  async deliveries(
    db: Queryable,
    input: Parsed<typeof webhookCalls.deliveries>,
  ): Promise<{ deliveries: Delivery[] }> {
    if (!(await isCurrent(db))) return { deliveries: [] }
    const { table_id = null, name = null, state = null, before = null, limit } = input
    const values = [table_id, name, state, before, limit]
    return { deliveries: await rowsOf<Delivery>(db, deliveryRows, values) }
  },

  async delivery(db: Queryable, { id }: { id: string }): Promise<DeliveryDetails> {
    await needCurrent(db)
    const [found] = await rowsOf<Omit<DeliveryDetails, 'tries'>>(db, detailsRow, [id])
    if (!found) throw new ApiError('not_found', `There is no call ${id}`)
    return { ...found, tries: await rowsOf<DeliveryAttempt>(db, attemptRows, [id]) }
  },

  async replay(
    db: Queryable,
    input: Parsed<typeof webhookCalls.replay>,
  ): Promise<{ replayed: number }> {
    const { id = null, table_id = null, name = null, state = null, from = null, to = null } = input
    if (id === null && (table_id === null || name === null))
      throw new ApiError('invalid_input', 'Say which call, or the calls of which webhook')
    await needCurrent(db)
    const values = [id, table_id, name, state, from, to]
    const [done] = await rowsOf<{ replayed: number }>(db, replayRows, values)
    await rowsOf(db, wake, [])
    return { replayed: done?.replayed ?? 0 }
  },

  async replayable(
    db: Queryable,
    { table_id, name, state, from, to }: Parsed<typeof webhookCalls.replayable>,
  ): Promise<{ count: number }> {
    await needCurrent(db)
    const values = [null, table_id, name, state ?? null, from ?? null, to ?? null]
    return { count: (await rowsOf<{ count: number }>(db, replayableRows, values))[0]?.count ?? 0 }
  },

  async preview(
    db: Queryable,
    { table_id, event }: Parsed<typeof webhookCalls.preview>,
  ): Promise<{ body: string | null }> {
    return { body: await bodyFor(db, table_id, event) }
  },

  async test(db: Queryable, { table_id, name }: Parsed<typeof webhookCalls.test>) {
    await needCurrent(db)
    await settingsOf(db, table_id, name)
    const body = await bodyFor(db, table_id, 'INSERT')
    if (body === null) throw new ApiError('conflict', 'The table has no row to send in a test call')
    const [made] = await rowsOf<{ id: string }>(db, testCall, [table_id, name, body])
    if (!made) throw new ApiError('not_found', `The table has no webhook named ${name}`)
    await rowsOf(db, wake, [])
    return { id: made.id }
  },
}

function hookOf(row: HookRow): Hook {
  const { max_attempts, first_wait, concurrency, order_by, paused, ...rest } = row
  const { status_code, timed_out, error_msg, at, ...hook } = rest
  return {
    ...hook,
    settings: { max_attempts, first_wait, concurrency, order_by, paused },
    last: at === null ? null : { status_code, timed_out: timed_out ?? false, error_msg, at },
  }
}

async function settingsOf(db: Queryable, table: number, name: string): Promise<HookSettings> {
  const values = [table, name]
  const [row] = await rowsOf<HookSettings & { found: boolean }>(db, chosenSettings, values)
  if (!row?.found) throw new ApiError('not_found', `The table has no webhook named ${name}`)
  const { found: _, ...known } = row
  return { ...usualHookSettings, ...known }
}

/** As the trigger would make it of some row that is there. */
async function bodyFor(db: Queryable, tableId: number, event: string): Promise<string | null> {
  const [table] = await rowsOf<{ table: string; schema: string; quoted: string }>(db, tableRow, [
    tableId,
  ])
  if (!table) throw new ApiError('not_found', 'There is no such table')
  const [made] = await rowsOf<{ body: string }>(
    db,
    `select jsonb_build_object('type', $1::text, 'table', $2::text, 'schema', $3::text,
       'record', case when $1 = 'DELETE' then null else to_jsonb(r) end,
       'old_record', case when $1 = 'INSERT' then null else to_jsonb(r) end)::text as body
     from ${table.quoted} r limit 1`,
    [event, table.table, table.schema],
  )
  return made?.body ?? null
}

/**
 * What the trigger is told, as it would read it: an address, a method, headers, parameters, a patience. The catalogue has these texts
 * one after the other, each ended by a zero.
 */
const testCall = `
  with told as (
    select t.tgrelid, t.tgname, a.args from pg_trigger t
    cross join lateral (
      select array_agg(convert_from(decode(part, 'hex'), 'UTF8') order by place) as args
      from (select place, part from regexp_split_to_table(
          regexp_replace(encode(t.tgargs, 'hex'), '(..)', '\\1 ', 'g'), '00 ') with ordinality as p (part, place)
        where place <= t.tgnargs) parts
      ) a
    where t.tgrelid = $1::oid and t.tgname = $2::name and ${isHook} and t.tgnargs > 0),
  read as (
    select tgrelid, tgname, args[1] as url, upper(coalesce(nullif(args[2], 'null'), 'POST')) as method,
      coalesce(nullif(args[3], 'null'), '{"Content-Type": "application/json"}')::jsonb as headers,
      coalesce(nullif(args[4], 'null'), '{}')::jsonb as params, coalesce(nullif(args[5], 'null'), '5000')::int as patience
    from told)
  insert into supabase_functions.deliveries (hook_table, hook_name, method, url, headers, body, timeout_milliseconds)
  select tgrelid, tgname, method,
    url || coalesce((select case when position('?' in url) > 0 then '&' else '?' end
      || string_agg(supabase_functions._encoded(key) || '=' || supabase_functions._encoded(coalesce(value, '')), '&')
      from jsonb_each_text(params) having count(*) > 0), ''),
    headers, case method when 'POST' then $3::text end, greatest(1, least(patience, 30000))
  from read
  returning id::text
`
