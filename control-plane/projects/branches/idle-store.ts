import { sql } from 'kysely'
import { pauseAfterHours } from '#contract/projects/branches'
import { requestMetrics, type StoredMetric } from '#contract/billing/usage-metrics'
import type { Db } from '../../platform-database/database.ts'

const used: readonly StoredMetric[] = [...requestMetrics, 'database_connections']

export type IdleBranch = { id: string; ref: string; hours: number }

export const idleStore = (db: Db) => ({
  /**
   * Branches that are not persistent, run, have no job, and were not used for the hours of their project. One that was made, resumed,
   * changed or looked at was used then.
   */
  async idle(now: Date): Promise<IdleBranch[]> {
    const { rows } = await sql<IdleBranch>`
      select b.id, p.ref, wait.hours
      from platform.branches b join platform.projects p on p.id = b.project_id
        left join platform.branch_settings s on s.project_id = b.parent_id
        left join platform.project_activity a on a.project_ref = p.ref
        cross join lateral (
          select case when s.project_id is null then ${pauseAfterHours}::int else s.pause_after_hours end as hours) wait
      where not b.persistent and b.job_id is null and p.job_id is null and wait.hours is not null
        and p.status in ('ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY')
        and greatest(p.inserted_at, b.updated_at, a.seen_at,
          (select max(c.started_at) from platform.compute_usage c where c.project_ref = p.ref),
          (select max(last.minute) from unnest(${[...used]}::text[]) as metric (name), lateral (
            select m.minute from platform.usage_minutes m
            where m.project_ref = p.ref and m.metric = metric.name and m.value > 0
            order by m.minute desc limit 1) last)
        ) <= ${now}::timestamptz - make_interval(hours => wait.hours)
      order by p.id`.execute(db)
    return rows
  },
})
export type IdleStore = ReturnType<typeof idleStore>
