import { sql, type Insertable, type Selectable } from 'kysely'
import type { Tier } from '#contract/billing/plans'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'

/** Whose drains: a project's, or those of the audit log of an organization. */
export type Owner = { of: 'project'; ref: string } | { of: 'organization'; slug: string }

export type DrainRow = Selectable<Tables['platform.log_drains']>
export type ReportRow = Selectable<Tables['platform.log_drain_reports']>
type Change = Partial<
  Pick<DrainRow, 'name' | 'description' | 'config' | 'sealed_secrets' | 'enabled'>
>
/** Where an owner stands. One of the two ids is that of its drains. */
export type Place = {
  project_id: string | null
  organization_id: string
  tier: Tier
}

const own = ({ project_id, organization_id }: Place) =>
  project_id === null
    ? { project_id: null, organization_id }
    : { project_id, organization_id: null }

export const logDrainStore = (db: Db) => ({
  /** Undefined: there is no such project or organization. */
  async place(owner: Owner, from: Db | Tx = db): Promise<Place | undefined> {
    if (owner.of === 'organization') {
      const row = await from
        .selectFrom('platform.organizations')
        .select(['id', 'tier'])
        .where('slug', '=', owner.slug)
        .executeTakeFirst()
      return row && { project_id: null, organization_id: row.id, tier: row.tier }
    }
    const row = await from
      .selectFrom('platform.projects as project')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'project.organization_id',
      )
      .select(['project.id', 'organization.id as organization_id', 'organization.tier'])
      .where('project.ref', '=', owner.ref)
      .where('project.status', '<>', 'REMOVED')
      .executeTakeFirst()
    return row && { project_id: row.id, organization_id: row.organization_id, tier: row.tier }
  },

  /** Runs while nobody else changes the organization itself. */
  inOrganization: <T>(
    slug: string,
    work: (tx: Tx, id: string | undefined) => Promise<T>,
  ): Promise<T> =>
    db.transaction().execute(async (tx) => {
      const row = await tx
        .selectFrom('platform.organizations')
        .select('id')
        .where('slug', '=', slug)
        .forNoKeyUpdate()
        .executeTakeFirst()
      return work(tx, row?.id)
    }),

  /** Oldest first. */
  list: (place: Place, from: Db | Tx = db): Promise<DrainRow[]> => {
    const { project_id, organization_id } = own(place)
    return from
      .selectFrom('platform.log_drains')
      .selectAll()
      .$if(project_id !== null, (query) => query.where('project_id', '=', project_id))
      .$if(organization_id !== null, (query) =>
        query.where('organization_id', '=', organization_id),
      )
      .orderBy('id')
      .execute()
  },

  insert: (
    tx: Tx,
    place: Place,
    row: Omit<
      Insertable<Tables['platform.log_drains']>,
      'project_id' | 'organization_id' | 'failure_told_at' | 'loss_told_at'
    >,
  ): Promise<DrainRow> =>
    tx
      .insertInto('platform.log_drains')
      .values({ ...row, ...own(place) })
      .returningAll()
      .executeTakeFirstOrThrow(),

  async update(tx: Tx, id: string, { config, ...change }: Change, at: Date): Promise<void> {
    await tx
      .updateTable('platform.log_drains')
      .set({
        ...change,
        ...(config === undefined ? {} : { config: JSON.stringify(config) }),
        revision: sql`revision + 1`,
        updated_at: at,
      })
      .where('id', '=', id)
      .execute()
  },

  async remove(tx: Tx, id: string): Promise<void> {
    await tx.deleteFrom('platform.log_drains').where('id', '=', id).execute()
  },
})
export type LogDrainStore = ReturnType<typeof logDrainStore>
