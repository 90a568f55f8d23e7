import { exactCountLimit } from '#contract/database/rows/table-rows'
import type { Db } from '../store.ts'

export type Amount = { count: number; is_estimate: boolean }
export type PerDay = { day: string; count: number }
type ProviderCount = { provider: string; count: number }

/** Actions that let a mail or a text message out. */
const messageActions = [
  'user_confirmation_requested',
  'user_invited',
  'user_recovery_requested',
  'user_reauthenticate_requested',
]

const conditions = {
  users: ['auth.users', 'true'],
  anonymous: ['auth.users', 'is_anonymous'],
  sessions: ['auth.sessions', 'not_after is null or not_after > now()'],
} as const

/** Counted where there are few, by the planner's reckoning; otherwise that reckoning itself. */
export async function amountOf(db: Db, what: keyof typeof conditions): Promise<Amount> {
  const [table, where] = conditions[what]
  const planned = `explain (format json) select 1 from ${table} where ${where}`
  const { rows: plans } = await db.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    planned,
  )
  const estimate = plans[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
  if (estimate > exactCountLimit) return { count: estimate, is_estimate: true }
  const counting = `select count(*)::int as count from ${table} where ${where}`
  const { rows } = await db.query<{ count: number }>(counting)
  return { count: rows[0]?.count ?? 0, is_estimate: false }
}

/** Few are, so there is an index of them. */
export async function bannedCount(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from auth.users
      where banned_until is not null and banned_until > now()`,
  )
  return rows[0]?.count ?? 0
}

const eachDay = `generate_series(date_trunc('day', now() at time zone 'utc') - make_interval(days => $1 - 1),
  date_trunc('day', now() at time zone 'utc'), '1 day') as day`
const beginning = `(date_trunc('day', now() at time zone 'utc') - make_interval(days => $1 - 1)) at time zone 'utc'`
const perDay = (counts: string) =>
  `with counts as (${counts}) select to_char(day, 'YYYY-MM-DD') as day, coalesce(count, 0)::int as count
   from ${eachDay} left join counts on counts.at = day order by day`

export async function newUsersPerDay(db: Db, days: number): Promise<PerDay[]> {
  const counts = `select date_trunc('day', created_at at time zone 'utc') as at, count(*) as count
    from auth.users where coalesce(created_at, '-infinity'::timestamptz) >= ${beginning} group by 1`
  const { rows } = await db.query<PerDay>(perDay(counts), [days])
  return rows
}

async function entriesPerDay(db: Db, days: number, actions: readonly string[]): Promise<PerDay[]> {
  const counts = `select date_trunc('day', created_at at time zone 'utc') as at, count(*) as count
    from auth.audit_log_entries
    where payload ->> 'action' = any ($2::text[]) and created_at >= ${beginning} group by 1`
  const { rows } = await db.query<PerDay>(perDay(counts), [days, actions])
  return rows
}

export const signInsPerDay = (db: Db, days: number) => entriesPerDay(db, days, ['login'])
export const messagesPerDay = (db: Db, days: number) => entriesPerDay(db, days, messageActions)

/** Ways to sign in by how many users have them: counted where there are few, else by the table's statistics. */
export async function providerCounts(
  db: Db,
  users: Amount,
): Promise<{ providers: ProviderCount[]; isEstimate: boolean }> {
  const counting = `select provider, count(*)::int as count from auth.identities
    group by provider order by count desc, provider limit 20`
  const reckoned = `select provider, round(share * reltuples)::int as count
    from pg_stats, pg_class,
      unnest(most_common_vals::text::text[], most_common_freqs) as common (provider, share)
    where schemaname = 'auth' and tablename = 'identities' and attname = 'provider'
      and pg_class.oid = 'auth.identities'::regclass
    order by 2 desc, provider limit 20`
  const isEstimate = users.is_estimate
  const { rows } = await db.query<ProviderCount>(isEstimate ? reckoned : counting)
  return { providers: rows, isEstimate }
}
