import { sql } from 'kysely'
import { minuteDays, peakMetrics } from '#contract/billing/usage-metrics'
import type { Db, Tx } from '../../platform-database/database.ts'

/** Minutes that are taken up in one transaction. */
const portion = 20_000
const hourMs = 3_600_000
const hoursKeptMonths = 13

const peaks = sql`array[${sql.join(peakMetrics.map((name) => sql.lit(name)))}]`

/**
 * What a minute comes to over all processes. A process that took the place of another counted the same connections
 * again: of those that end with the minute before and those that begin with it, the larger ones count.
 */
export const peakOfMinutes = sql`
  select organization_id, project_ref, metric, minute, hour,
    coalesce(sum(value) filter (where not begins and not ends), 0)
      + greatest(coalesce(sum(value) filter (where begins), 0), coalesce(sum(value) filter (where ends and not begins), 0)) as value
  from (
    select m.*, h.hour,
      lag(m.minute) over starts is distinct from m.minute - interval '1 minute' as begins,
      lead(m.minute) over starts is distinct from m.minute + interval '1 minute' as ends
    from platform.usage_minutes m join hours h
      on h.organization_id = m.organization_id and h.project_ref = m.project_ref and h.metric = m.metric
      and m.minute >= h.hour - interval '1 minute' and m.minute < h.hour + interval '61 minutes'
    where m.metric = any(${peaks})
    window starts as (partition by m.organization_id, m.project_ref, m.metric, h.hour, m.start_id order by m.minute)
  ) levels
  where minute >= hour and minute < hour + interval '1 hour'
  group by 1, 2, 3, 4, 5`

export type Hour = { organization_id: string; project_ref: string; metric: string; hour: Date }

/** Hours that hold minutes which they do not have yet. The minutes count as taken when the transaction ends. */
async function takeHours(tx: Tx): Promise<Hour[]> {
  const found = await sql<Hour>`
    with fresh as (
      update platform.usage_minutes set stale = false
      where (project_ref, metric, minute, start_id) in (
        select project_ref, metric, minute, start_id from platform.usage_minutes
        where stale order by minute limit ${portion} for update skip locked)
      returning organization_id, project_ref, metric, minute
    )
    select distinct organization_id, project_ref, metric, date_trunc('hour', minute, 'utc') as hour from fresh`.execute(
    tx,
  )
  return found.rows
}

/** Each hour is put together anew from all of its minutes, so that it can be done any number of times. */
async function replaceHours(tx: Tx, hours: readonly Hour[]): Promise<void> {
  await sql`
    with hours as (
      select * from jsonb_to_recordset(${JSON.stringify(hours)}::jsonb) as h (organization_id bigint, project_ref text, metric text, hour timestamptz)
    ), peaks as (${peakOfMinutes}), sums as (
      select organization_id, project_ref, metric, hour, max(value)::bigint as value from peaks group by 1, 2, 3, 4
      union all
      select m.organization_id, m.project_ref, m.metric, h.hour, sum(m.value)::bigint
      from platform.usage_minutes m join hours h
        on h.organization_id = m.organization_id and h.project_ref = m.project_ref and h.metric = m.metric
        and m.minute >= h.hour and m.minute < h.hour + interval '1 hour'
      where m.metric <> all(${peaks})
      group by 1, 2, 3, 4
    )
    insert into platform.usage_hours (organization_id, project_ref, metric, hour, value)
    select organization_id, project_ref, metric, hour, value from sums order by 1, 2, 3, 4
    on conflict (organization_id, project_ref, metric, hour) do update set value = excluded.value`.execute(
    tx,
  )
}

/**
 * The days of these hours, put together anew from all of theirs. Who does it takes turns: of two at once, the second would not see
 * the hours of the first.
 */
export async function replaceDays(tx: Tx, hours: readonly Hour[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('usage days', 0))`.execute(tx)
  await sql`
    with days as (
      select distinct organization_id, project_ref, metric, (hour at time zone 'utc')::date as day
      from jsonb_to_recordset(${JSON.stringify(hours)}::jsonb) as h (organization_id bigint, project_ref text, metric text, hour timestamptz)
    )
    insert into platform.usage_days (organization_id, project_ref, metric, day, value, hours)
    select h.organization_id, h.project_ref, h.metric, d.day,
      case when h.metric = any(${peaks}) then max(h.value) else sum(h.value) end, count(*)
    from days d
    join platform.usage_hours h
      on h.organization_id = d.organization_id and h.project_ref = d.project_ref and h.metric = d.metric
      and h.hour >= d.day::timestamp at time zone 'utc' and h.hour < (d.day + 1)::timestamp at time zone 'utc'
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (organization_id, project_ref, metric, day)
      do update set value = excluded.value, hours = excluded.hours`.execute(tx)
}

/** Minutes become hours and days, and what is old goes. */
export function createRollUp(db: Db, now: () => Date) {
  return {
    async run(): Promise<void> {
      for (let found = true; found;) {
        found = await db.transaction().execute(async (tx) => {
          const hours = await takeHours(tx)
          if (hours.length === 0) return false
          await replaceHours(tx, hours)
          await replaceDays(tx, hours)
          return true
        })
      }
    },

    /**
     * Minutes go some hours after nothing can come to them any more, so that an hour is never put together from a part of
     * its minutes.
     */
    async prune(): Promise<void> {
      const time = Math.floor(now().getTime() / hourMs) * hourMs
      const minutes = new Date(time - minuteDays * 24 * hourMs - 2 * hourMs)
      await sql`delete from platform.usage_minutes where minute < ${minutes} and not stale`.execute(
        db,
      )
      const hours = new Date(time)
      hours.setUTCMonth(hours.getUTCMonth() - hoursKeptMonths)
      await sql`delete from platform.usage_hours where hour < ${hours}`.execute(db)
      // A cycle may have begun before and still go on.
      await sql`delete from platform.usage_sightings where cycle_start < ${hours} and seen_at < ${hours}`.execute(
        db,
      )
    },
  }
}
export type RollUp = ReturnType<typeof createRollUp>
