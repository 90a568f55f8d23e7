import type { Tier } from '#contract/billing/plans'
import type { Db } from '../../platform-database/database.ts'

export type KeptProject = { ref: string; tier: Tier; removed: boolean }

export const logStore = (db: Db) => ({
  /** The tier of a project's organization; undefined when there is no such project. */
  async tierOf(ref: string): Promise<Tier | undefined> {
    const row = await projectsWithTier(db).where('project.ref', '=', ref).executeTakeFirst()
    return row?.tier
  },

  /** The next projects by ref after `after`: those that are there, and those that were removed since. */
  async projects(after: string, removedSince: Date, limit: number): Promise<KeptProject[]> {
    const rows = await projectsWithTier(db)
      .where('project.ref', '>', after)
      .where((where) =>
        where.or([
          where('project.status', '<>', 'REMOVED'),
          where('project.status_since', '>', removedSince),
        ]),
      )
      .orderBy('project.ref')
      .limit(limit)
      .execute()
    return rows.map(({ ref, tier, status }) => ({ ref, tier, removed: status === 'REMOVED' }))
  },
})
export type LogStore = ReturnType<typeof logStore>

const projectsWithTier = (db: Db) =>
  db
    .selectFrom('platform.projects as project')
    .innerJoin(
      'platform.organizations as organization',
      'organization.id',
      'project.organization_id',
    )
    .select(['project.ref', 'project.status', 'organization.tier'])
