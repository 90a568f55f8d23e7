import { sql } from 'kysely'
import { planLimits } from '#contract/limits'
import { requestMetrics, type StoredMetric } from '#contract/billing/usage-metrics'
import { planOfTier, tiers, type Tier } from '#contract/billing/plans'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Db, Tx } from '../../platform-database/database.ts'

/** In these a project runs and no job is at work on it. */
const running: readonly ProjectStatus[] = ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY']
const used: readonly StoredMetric[] = [...requestMetrics, 'database_connections']
const pausing = tiers.filter((tier) => planLimits[planOfTier[tier]].pausesAfterDays !== null)

/** A project that may be paused, and when it was used last. */
export type Watched = {
  id: string
  ref: string
  name: string
  organization_id: string
  organization_slug: string
  organization_name: string
  tier: Tier
  used_at: Date
  warned_at: Date | null
}

export const inactivityStore = (db: Db) => {
  /** A project that was made, or resumed, was used then; minutes that are no longer kept are older than what matters here. */
  async function find(from: Db | Tx, ref: string | null): Promise<Watched[]> {
    const { rows } = await sql<Watched>`
      select p.id, p.ref, p.name, p.organization_id, o.slug as organization_slug, o.name as organization_name, o.tier,
        a.warned_at,
        greatest(p.inserted_at, a.seen_at,
          (select max(c.started_at) from platform.compute_usage c where c.project_ref = p.ref),
          (select max(last.minute) from unnest(${[...used]}::text[]) as metric (name), lateral (
            select m.minute from platform.usage_minutes m
            where m.project_ref = p.ref and m.metric = metric.name and m.value > 0
            order by m.minute desc limit 1) last)
        ) as used_at
      from platform.projects p join platform.organizations o on o.id = p.organization_id
        left join platform.project_activity a on a.project_ref = p.ref
      where p.status = any(${[...running]}::text[]) and p.job_id is null and o.tier = any(${pausing}::text[])
        and (${ref}::text is null or p.ref = ${ref})
      order by p.id`.execute(from)
    return rows
  }

  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    /** Projects of plans that pause them, which run now. */
    watched: (): Promise<Watched[]> => find(db, null),

    /** One of these as it is now, held until `tx` ends; undefined when it is none of them any more. */
    async lock(tx: Tx, ref: string): Promise<Watched | undefined> {
      await tx
        .selectFrom('platform.projects')
        .select('id')
        .where('ref', '=', ref)
        .forNoKeyUpdate()
        .execute()
      return (await find(tx, ref))[0]
    },

    async warned(tx: Tx, ref: string, at: Date): Promise<void> {
      await tx
        .insertInto('platform.project_activity')
        .values({ project_ref: ref, seen_at: null, warned_at: at })
        .onConflict((conflict) => conflict.column('project_ref').doUpdateSet({ warned_at: at }))
        .execute()
    },

    async seen(ref: string, at: Date): Promise<void> {
      await sql`
        insert into platform.project_activity (project_ref, seen_at) values (${ref}, ${at})
        on conflict (project_ref) do update set seen_at = greatest(platform.project_activity.seen_at, excluded.seen_at)`.execute(
        db,
      )
    },
  }
}
export type InactivityStore = ReturnType<typeof inactivityStore>
