import { sql } from 'kysely'
import { minuteDays, peakMetrics, type MeteredMetric } from '#contract/billing/usage-metrics'
import type { Db } from '../../platform-database/database.ts'
import { peakOfMinutes } from './roll-up-store.ts'

/** Points of `seconds` each, numbered from `from`, which is a whole multiple of them; up to but not at `to`. */
export type Points = { from: Date; to: Date; seconds: number }
type Counted = { metric: MeteredMetric; point: number; value: number }

const hourSeconds = 3600
const dayMs = 86_400_000

/** Seconds of the finest points that there are of a time. */
export const finestUsage = (from: Date, now: Date): number =>
  from.getTime() >= now.getTime() - minuteDays * dayMs ? 60 : hourSeconds

/**
 * What one project has used over time, as far as it is its present organization's or was that of one before. `seconds` is no
 * finer than `finestUsage`. Points with nothing are missing.
 */
export const usageSeries =
  (db: Db) =>
  async (
    ref: string,
    metrics: readonly MeteredMetric[],
    { from, to, seconds }: Points,
  ): Promise<Counted[]> => {
    if (metrics.length === 0) return []
    const names = [...metrics]
    const pointOf = (column: ReturnType<typeof sql.ref>) =>
      sql`floor((extract(epoch from ${column}) - extract(epoch from ${from}::timestamptz)) / ${seconds}::int)::int`
    const minute = sql.ref('minute')
    const inSpan = sql`project_ref = ${ref} and metric = any(${names}::text[]) and minute >= ${from} and minute < ${to}`
    const isPeak = sql`metric = any(${[...peakMetrics]}::text[])`
    const found =
      seconds < hourSeconds
        ? await sql<{ metric: MeteredMetric; point: number; value: string }>`
            with hours as (
              select distinct organization_id, project_ref, metric, date_trunc('hour', minute, 'utc') as hour
              from platform.usage_minutes where ${inSpan} and ${isPeak}
            ), peaks as (${peakOfMinutes})
            select metric, ${pointOf(minute)} as point, max(value)::bigint as value
            from peaks where minute >= ${from} and minute < ${to} group by 1, 2
            union all
            select metric, ${pointOf(minute)}, sum(value)::bigint
            from platform.usage_minutes where ${inSpan} and not ${isPeak} group by 1, 2`.execute(db)
        : await sql<{ metric: MeteredMetric; point: number; value: string }>`
            select metric, ${pointOf(sql.ref('hour'))} as point,
              case when ${isPeak} then max(value) else sum(value) end::bigint as value
            from platform.usage_hours
            where organization_id in (
                select organization_id from platform.projects where ref = ${ref}
                union select organization_id from platform.compute_usage where project_ref = ${ref})
              and project_ref = ${ref} and metric = any(${names}::text[]) and hour >= ${from} and hour < ${to}
            group by 1, 2`.execute(db)
    return found.rows.map((row) => ({ ...row, value: Number(row.value) }))
  }
export type UsageSeries = ReturnType<typeof usageSeries>

/** What a project has counted in all: it only grows. */
export const usageTotals =
  (db: Db) =>
  async (
    ref: string,
    metrics: readonly MeteredMetric[],
  ): Promise<{ metric: MeteredMetric; value: number }[]> => {
    const found = await sql<{ metric: MeteredMetric; value: string }>`
      select metric, sum(value)::bigint as value from platform.usage_days
      where organization_id in (
          select organization_id from platform.projects where ref = ${ref}
          union select organization_id from platform.compute_usage where project_ref = ${ref})
        and project_ref = ${ref} and metric = any(${[...metrics]}::text[])
      group by 1`.execute(db)
    return found.rows.map(({ metric, value }) => ({ metric, value: Number(value) }))
  }
export type UsageTotals = ReturnType<typeof usageTotals>
