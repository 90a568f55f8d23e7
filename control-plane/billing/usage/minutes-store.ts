import { sql } from 'kysely'
import { requestMetrics, type MeteredService } from '#contract/billing/usage-metrics'
import type { Db } from '../../platform-database/database.ts'

/** Requests that a service answered in the bar with this number, counted from 0. */
export type RequestBar = { service: MeteredService; bar: number; requests: number }

const servicePart = 'requests_'.length

/** What has been counted by the minute, which is kept for a week and is there before hours are made of it. */
export const minuteStore = (db: Db) => ({
  /** Of one project since `from`, in bars of `seconds` each; those without requests are missing. */
  async requests(ref: string, from: Date, seconds: number): Promise<RequestBar[]> {
    const found = await sql<{
      metric: (typeof requestMetrics)[number]
      bar: number
      requests: string
    }>`
      select metric, floor(extract(epoch from minute - ${from}::timestamptz) / ${seconds}::int)::int as bar,
        sum(value) as requests
      from platform.usage_minutes
      where project_ref = ${ref} and metric = any(${[...requestMetrics]}::text[]) and minute >= ${from}
      group by 1, 2`.execute(db)
    return found.rows.map(({ metric, bar, requests }) => ({
      // Metrics of requests are named after their services.
      service: metric.slice(servicePart) as MeteredService,
      bar,
      requests: Number(requests),
    }))
  },
})
