import type { Tier } from '#contract/billing/plans'
import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import type { Db } from '../../platform-database/database.ts'

type Facts = {
  tier: Tier
  compute_size: ComputeSizeId
  disk: { database_bytes: number; other_bytes: number } | null
  /** Null: nobody has seen its server yet. */
  restarts: number | null
}

/** What there is of a project for who scrapes its metrics; undefined: there is none. */
export const metricsFacts =
  (db: Db) =>
  async (ref: string): Promise<Facts | undefined> => {
    const row = await db
      .selectFrom('platform.projects as project')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'project.organization_id',
      )
      .leftJoin('platform.project_disk as disk', 'disk.project_id', 'project.id')
      .leftJoin('platform.server_starts as starts', 'starts.project_id', 'project.id')
      .select([
        'starts.restarts',
        'organization.tier',
        'project.compute_size',
        'disk.database_bytes',
        'disk.other_bytes',
      ])
      .where('project.ref', '=', ref)
      .where('project.status', '<>', 'REMOVED')
      .executeTakeFirst()
    if (!row) return undefined
    const { tier, compute_size, database_bytes, other_bytes, restarts } = row
    return {
      tier,
      compute_size,
      restarts: restarts === null ? null : Number(restarts),
      disk:
        database_bytes === null || other_bytes === null
          ? null
          : { database_bytes: Number(database_bytes), other_bytes: Number(other_bytes) },
    }
  }
