import { planOfTier } from '#contract/billing/plans'
import type { CronProject } from '#contract/internal-api'
import { planLimits } from '#contract/limits'
import type { Db, Tx } from '../../platform-database/database.ts'
import { keepExtensionUse } from '../../platform-database/extension-use-store.ts'

export type CronStore = ReturnType<typeof cronStore>

export const cronStore = (db: Db) => ({
  /** Of all that can have a running database. */
  async used(): Promise<CronProject[]> {
    const rows = await db
      .selectFrom('platform.cron_projects as cron')
      .innerJoin('platform.projects as project', 'project.id', 'cron.project_id')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'project.organization_id',
      )
      .select(['project.ref', 'organization.tier'])
      .where('project.status', 'in', ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY', 'PAUSE_FAILED'])
      .orderBy('project.id')
      .execute()
    return rows.map(({ ref, tier }) => ({
      ref,
      run_days: planLimits[planOfTier[tier]].logRetentionDays,
    }))
  },

  /** Whether that is new. */
  keep: (tx: Tx, ref: string, used: boolean) =>
    keepExtensionUse(tx, 'platform.cron_projects', ref, used),
})
