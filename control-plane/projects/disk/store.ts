import { databaseLimit, type DiskState } from '#contract/projects/disk'
import type { Tier } from '#contract/billing/plans'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Db, Tx } from '../../platform-database/database.ts'

export type DiskStore = ReturnType<typeof diskStore>
/** A project with what was measured of it, if anything was. */
export type DiskRow = {
  id: string
  ref: string
  name: string
  organization_id: string
  tier: Tier
  status: ProjectStatus
  status_since: Date
  restricted: boolean
  /** It is restricted for a quota, which leaves deleting. */
  may_delete: boolean
  measured_at: Date | null
  database_bytes: number
  other_bytes: number
  limit: number | null
  state: DiskState
  writable_until: Date | null
  read_only: boolean
}
/** What a round writes down. */
export type Measured = {
  measured_at: Date
  database_bytes: number
  other_bytes: number
  state: DiskState
  writable_until: Date | null
}

/** In these a server runs, and no job is at work on it. */
export const runs: readonly ProjectStatus[] = ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY']

export const diskStore = (db: Db) => {
  const rows = async (from: Db | Tx, filter: { ref?: string; statuses?: ProjectStatus[] }) => {
    const found = await from
      .selectFrom('platform.projects as project')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'project.organization_id',
      )
      .leftJoin('platform.project_disk as disk', 'disk.project_id', 'project.id')
      .select([
        'project.id',
        'project.ref',
        'project.name',
        'project.organization_id',
        'project.status',
        'project.status_since',
        'organization.tier',
        'organization.restriction_status',
        'organization.restriction_cause',
        'disk.measured_at',
        'disk.database_bytes',
        'disk.other_bytes',
        'disk.state',
        'disk.writable_until',
        'disk.read_only',
      ])
      .where('project.status', '<>', 'REMOVED')
      .$if(filter.ref !== undefined, (query) => query.where('project.ref', '=', filter.ref ?? ''))
      .$if(filter.statuses !== undefined, (query) =>
        query.where('project.status', 'in', filter.statuses ?? []),
      )
      .orderBy('project.id')
      .execute()
    return found.map(
      ({
        restriction_status,
        restriction_cause,
        database_bytes,
        other_bytes,
        state,
        read_only,
        ...row
      }): DiskRow => ({
        ...row,
        restricted: restriction_status === 'restricted',
        may_delete: restriction_status === 'restricted' && restriction_cause === 'quota',
        database_bytes: Number(database_bytes ?? 0),
        other_bytes: Number(other_bytes ?? 0),
        limit: databaseLimit(row.tier),
        state: state ?? 'ok',
        read_only: read_only ?? false,
      }),
    )
  }
  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    find: async (ref: string): Promise<DiskRow | undefined> => (await rows(db, { ref }))[0],
    running: (): Promise<DiskRow[]> => rows(db, { statuses: [...runs] }),

    /** Two who change what is known of a project do it one after the other. */
    async lock(tx: Tx, ref: string): Promise<DiskRow | undefined> {
      await tx
        .selectFrom('platform.projects')
        .select('id')
        .where('ref', '=', ref)
        .forNoKeyUpdate()
        .execute()
      return (await rows(tx, { ref }))[0]
    },

    async keep(tx: Tx, projectId: string, measured: Measured): Promise<void> {
      const values = {
        ...measured,
        database_bytes: String(measured.database_bytes),
        other_bytes: String(measured.other_bytes),
      }
      await tx
        .insertInto('platform.project_disk')
        .values({ project_id: projectId, ...values })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
        .execute()
    },

    async allowWrites(tx: Tx, projectId: string, until: Date): Promise<void> {
      await tx
        .updateTable('platform.project_disk')
        .set({ writable_until: until })
        .where('project_id', '=', projectId)
        .execute()
    },

    /** The quarter of an hour that ended at `until` is over, and its server has been told. */
    async closed(projectId: string, until: Date): Promise<void> {
      await db
        .updateTable('platform.project_disk')
        .set({ writable_until: null })
        .where('project_id', '=', projectId)
        .where('writable_until', '=', until)
        .execute()
    },

    /** Whether the server may be read only because of its disk. */
    async notified(projectId: string, readOnly: boolean): Promise<void> {
      await db
        .updateTable('platform.project_disk')
        .set({ read_only: readOnly })
        .where('project_id', '=', projectId)
        .where('read_only', '<>', readOnly)
        .execute()
    },
  }
}
