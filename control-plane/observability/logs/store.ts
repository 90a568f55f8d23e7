import type { Tier } from '#contract/billing/plans'
import type { Db } from '../../platform-database/database.ts'

export type KeptProject = { ref: string; tier: Tier }

export const logStore = (db: Db) => ({
  /** The tier of a project's organization, and since when there is the project; undefined when there is none. */
  async find(ref: string): Promise<{ tier: Tier; createdAt: Date } | undefined> {
    const row = await projectsWithTier(db)
      .select('project.inserted_at')
      .where('project.ref', '=', ref)
      .executeTakeFirst()
    return row && { tier: row.tier, createdAt: row.inserted_at }
  },

  /** The next projects by ref after `after`. */
  async projects(after: string, limit: number): Promise<KeptProject[]> {
    const rows = await projectsWithTier(db)
      .where('project.ref', '>', after)
      .where('project.status', '<>', 'REMOVED')
      .orderBy('project.ref')
      .limit(limit)
      .execute()
    return rows.map(({ ref, tier }) => ({ ref, tier }))
  },

  async anyRemoved(): Promise<boolean> {
    const row = await db
      .selectFrom('platform.projects')
      .select('id')
      .where('status', '=', 'REMOVED')
      .where('deleted_at', 'is', null)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  },

  /** Which of these were removed for good. One that is not known at all is not among them: it may be newer than this database. */
  async removed(refs: readonly string[]): Promise<string[]> {
    if (refs.length === 0) return []
    const rows = await db
      .selectFrom('platform.projects')
      .select('ref')
      .where('ref', 'in', refs)
      .where('status', '=', 'REMOVED')
      .where('deleted_at', 'is', null)
      .orderBy('ref')
      .execute()
    return rows.map(({ ref }) => ref)
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
    .select(['project.ref', 'organization.tier'])
