import { sql } from 'kysely'
import {
  minuteDays,
  type UsageBucket,
  type UsageReport,
  type UsageSighting,
} from '#contract/billing/usage-metrics'
import type { Db, Tx } from '../../platform-database/database.ts'

/** Minutes that the clock of a process may be ahead of ours. */
const aheadMinutes = 60

/**
 * Whose project it was at a moment, which the ledger of compute knows: it has a new line when a project goes to another
 * organization. One that has never run, or not yet, belongs to whom it belongs to now.
 */
const ownerAt = (ref: ReturnType<typeof sql>, at: ReturnType<typeof sql>) => sql`coalesce(
  (select u.organization_id from platform.compute_usage u
    where u.project_ref = ${ref} and u.started_at <= ${at} order by u.started_at desc limit 1),
  p.organization_id)`

export const usageStore = (db: Db) => {
  async function addBuckets(tx: Tx, buckets: readonly UsageBucket[]): Promise<void> {
    await sql`
      insert into platform.usage_minutes (project_ref, metric, minute, start_id, organization_id, value)
      select b.ref, b.metric, b.at, b.start, ${ownerAt(sql`b.ref`, sql`b.at`)}, b.value
      from (
        select ref, metric, to_timestamp(minute * 60) as at, start, max(value) as value
        from jsonb_to_recordset(${JSON.stringify(buckets)}::jsonb)
          as given (start uuid, ref text, metric text, minute bigint, value bigint)
        group by 1, 2, 3, 4
      ) b join platform.projects p on p.ref = b.ref
      order by b.ref, b.metric, b.at, b.start
      on conflict (project_ref, metric, minute, start_id) do update set value = excluded.value, stale = true
        where excluded.value > platform.usage_minutes.value`.execute(tx)
  }

  /**
   * The cycle is the one in whose hours it falls, as for what adds up. The last hour of a cycle is the next one's, which is not there
   * yet and begins where this one ends. Without any cycle it is the month (UTC).
   */
  async function addSightings(tx: Tx, sightings: readonly UsageSighting[]): Promise<void> {
    await sql`
      insert into platform.usage_sightings (organization_id, project_ref, kind, cycle_start, hash, seen_at)
      select distinct on (s.organization_id, s.kind, cycle_start, s.ref, s.hash)
        s.organization_id, s.ref, s.kind,
        coalesce(
          (select case when s.at < date_trunc('hour', c.ended_at, 'utc') then c.started_at else c.ended_at end
             from platform.billing_cycles c where c.organization_id = s.organization_id
             and date_trunc('hour', c.started_at, 'utc') <= s.at order by c.started_at desc limit 1),
          (select min(c.started_at) from platform.billing_cycles c where c.organization_id = s.organization_id),
          date_trunc('month', s.at, 'utc')) as cycle_start,
        s.hash, s.at
      from (
        select given.ref, given.kind, decode(translate(given.hash, '-_', '+/') || '==', 'base64') as hash,
          to_timestamp(given.minute * 60) as at,
          ${ownerAt(sql`given.ref`, sql`to_timestamp(given.minute * 60)`)} as organization_id
        from jsonb_to_recordset(${JSON.stringify(sightings)}::jsonb)
          as given (ref text, kind text, hash text, minute bigint)
        join platform.projects p on p.ref = given.ref
      ) s
      order by s.organization_id, s.kind, cycle_start, s.ref, s.hash, s.at
      on conflict (organization_id, kind, cycle_start, project_ref, hash) do update set seen_at = excluded.seen_at
        where excluded.seen_at < platform.usage_sightings.seen_at`.execute(tx)
  }

  return {
    /** Adds what is neither too old nor of a time to come. Returns how many of them there were. */
    async add({ buckets, sightings }: UsageReport, now: Date): Promise<{ refused: number }> {
      const minute = Math.floor(now.getTime() / 60_000)
      const oldest = minute - minuteDays * 24 * 60
      const fits = (one: { minute: number }) =>
        one.minute >= oldest && one.minute <= minute + aheadMinutes
      const [taken, seen] = [buckets.filter(fits), sightings.filter(fits)]
      await db.transaction().execute(async (tx) => {
        if (taken.length > 0) await addBuckets(tx, taken)
        if (seen.length > 0) await addSightings(tx, seen)
      })
      return { refused: buckets.length + sightings.length - taken.length - seen.length }
    },
  }
}
export type UsageStore = ReturnType<typeof usageStore>
