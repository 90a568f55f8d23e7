import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import type { Tier } from '#contract/billing/plans'
import type { RealtimeConfig } from '#contract/realtime/realtime-config'
import type { Db, Tx } from '../../platform-database/database.ts'

/** What was chosen for a project's realtime service, and what bounds it. */
export type FoundConfig = {
  id: string
  organization_id: string
  tier: Tier
  compute_size: ComputeSizeId
  chosen: Partial<RealtimeConfig>
}

export function realtimeConfigStore(db: Db) {
  const projects = (from: Db | Tx, ref: string) =>
    from
      .selectFrom('platform.projects as project')
      .innerJoin('platform.organizations as organization', (join) =>
        join.onRef('organization.id', '=', 'project.organization_id'),
      )
      .where('project.ref', '=', ref)
      .where('project.status', '<>', 'REMOVED')

  return {
    /** Undefined when there is no such project. */
    async find(ref: string, from: Db | Tx = db): Promise<FoundConfig | undefined> {
      const row = await projects(from, ref)
        .leftJoin('platform.realtime_configs as config', 'config.project_id', 'project.id')
        .select([
          'project.id',
          'project.organization_id',
          'project.compute_size',
          'organization.tier',
          'config.settings',
        ])
        .executeTakeFirst()
      if (!row) return undefined
      const { settings, ...project } = row
      // Only `save` writes them.
      return { ...project, chosen: (settings ?? {}) as Partial<RealtimeConfig> }
    },

    async save(tx: Tx, projectId: string, chosen: Partial<RealtimeConfig>): Promise<void> {
      const values = { settings: JSON.stringify(chosen), updated_at: new Date() }
      await tx
        .insertInto('platform.realtime_configs')
        .values({ project_id: projectId, ...values })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
        .execute()
    },
  }
}
export type RealtimeConfigStore = ReturnType<typeof realtimeConfigStore>
