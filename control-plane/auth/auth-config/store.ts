import { planOfTier, type PlanId } from '#contract/billing/plans'
import type { Db, Tx } from '../../platform-database/database.ts'

/** What is kept of a project's settings: those that are not the default, and secrets sealed. */
export type StoredConfig = {
  settings: Record<string, unknown>
  sealed: Record<string, string>
}

/** `plan`: of its organization, as it is now. */
export type FoundConfig = StoredConfig & { plan: PlanId }

export function authConfigStore(db: Db) {
  return {
    /** Undefined when there is no such project. */
    async find(ref: string, from: Db | Tx = db): Promise<FoundConfig | undefined> {
      const row = await from
        .selectFrom('platform.projects as project')
        .innerJoin(
          'platform.organizations as organization',
          'organization.id',
          'project.organization_id',
        )
        .leftJoin('platform.auth_configs as config', 'config.project_id', 'project.id')
        .select(['config.settings', 'config.sealed_secrets', 'organization.tier'])
        .where('project.ref', '=', ref)
        .where('project.status', '<>', 'REMOVED')
        .executeTakeFirst()
      return (
        row && {
          settings: row.settings ?? {},
          sealed: row.sealed_secrets ?? {},
          plan: planOfTier[row.tier],
        }
      )
    },

    async save(tx: Tx, projectId: string, { settings, sealed }: StoredConfig): Promise<void> {
      const values = {
        settings: JSON.stringify(settings),
        sealed_secrets: JSON.stringify(sealed),
        updated_at: new Date(),
      }
      await tx
        .insertInto('platform.auth_configs')
        .values({ project_id: projectId, ...values })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
        .execute()
    },
  }
}
export type AuthConfigStore = ReturnType<typeof authConfigStore>
