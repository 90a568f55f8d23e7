import { sql, type Selectable } from 'kysely'
import type { Backup } from '#contract/projects/backups'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import type { Tier } from '#contract/billing/plans'
import type { Db, Tx } from '../../platform-database/database.ts'
import { lockProject } from '../../platform-database/lock-project.ts'
import type { ProjectsTables } from '../../platform-database/tables-projects.ts'
import type { Copied, Readback } from './compute.ts'

export type BackupRow = Selectable<ProjectsTables['platform.backups']>

/** What of a project its backups depend on. */
export type Subject = {
  id: string
  ref: string
  name: string
  status: ProjectStatus
  region: string
  cloud_provider: string
  compute_size: ComputeSizeId
  sealing_ref: string | null
  keeps_wal_since: Date | null
  inserted_at: Date
  organization_id: string
  slug: string
  tier: Tier
  /** The variant of point in time recovery that is switched on. */
  recovery: string | null
}
type NewBackup = {
  projectId: string
  reason: Backup['reason']
  insertedAt: Date
  expiresAt: Date
}

export const backupStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),
  lock: lockProject,

  subject: (ref: string, from: Db | Tx = db): Promise<Subject | undefined> =>
    from
      .selectFrom('platform.projects as project')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'project.organization_id',
      )
      .select([
        'project.id',
        'project.ref',
        'project.name',
        'project.status',
        'project.region',
        'project.cloud_provider',
        'project.compute_size',
        'project.sealing_ref',
        'project.keeps_wal_since',
        'project.inserted_at',
        'project.organization_id',
        'organization.slug',
        'organization.tier',
        sql<string | null>`(select usage.variant from platform.add_on_usage usage
          where usage.project_ref = project.ref and usage.ended_at is null and usage.variant like 'pitr%')`.as(
          'recovery',
        ),
      ])
      .where('project.ref', '=', ref)
      .where('project.status', '<>', 'REMOVED')
      .executeTakeFirst(),

  /** Newest first; not those that are made for a branch and go with that. */
  list: (projectId: string): Promise<BackupRow[]> =>
    db
      .selectFrom('platform.backups')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('status', '<>', 'REMOVED')
      .where('reason', '<>', 'branch')
      .orderBy('id', 'desc')
      .execute(),

  find: (projectId: string, id: number): Promise<BackupRow | undefined> =>
    db
      .selectFrom('platform.backups')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('status', '<>', 'REMOVED')
      .where('reason', '<>', 'branch')
      .where('id', '=', String(id))
      .executeTakeFirst(),

  /** With whose it is; undefined once it is gone. */
  ofId: (id: string, from: Db | Tx = db) =>
    from
      .selectFrom('platform.backups as backup')
      .innerJoin('platform.projects as project', 'project.id', 'backup.project_id')
      .selectAll('backup')
      .select(['project.ref', 'project.name', 'project.organization_id'])
      .where('backup.id', '=', id)
      .executeTakeFirst(),

  /** Undefined while another one of the project is being made. */
  insert: (tx: Tx, backup: NewBackup): Promise<BackupRow | undefined> =>
    tx
      .insertInto('platform.backups')
      .values({
        project_id: backup.projectId,
        reason: backup.reason,
        inserted_at: backup.insertedAt,
        expires_at: backup.expiresAt,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst(),

  /** One whose file is there. False while another one of the project is being made, or where it has a row. */
  async adopt(
    tx: Tx,
    id: string,
    { projectId, insertedAt, expiresAt, bytes, takenAt }: Omit<NewBackup, 'reason'> & Copied,
  ): Promise<boolean> {
    const { numAffectedRows = 0n } = await sql`
      insert into platform.backups (id, project_id, reason, inserted_at, expires_at, size_bytes, taken_at)
      overriding system value
      values (${id}, ${projectId}, 'manual', ${insertedAt}, ${expiresAt}, ${bytes}, ${takenAt})
      on conflict do nothing`.execute(tx)
    return numAffectedRows > 0n
  },

  async copied(id: string, { bytes, takenAt }: Copied): Promise<void> {
    await db
      .updateTable('platform.backups')
      .set({ size_bytes: String(bytes), taken_at: takenAt })
      .where('id', '=', id)
      .execute()
  },

  /** False: nobody waits for it any more. */
  async complete(id: string, { tables, rows }: Readback, at: Date): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('platform.backups')
      .set({ status: 'COMPLETED', tables, rows: String(rows), finished_at: at })
      .where('id', '=', id)
      .where('status', 'in', ['PENDING', 'COMPLETED'])
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** False: it had ended before. */
  async fail(tx: Tx, id: string, failure: string, at: Date): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .updateTable('platform.backups')
      .set({ status: 'FAILED', failure, finished_at: at })
      .where('id', '=', id)
      .where('status', '=', 'PENDING')
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  async forget(id: string): Promise<void> {
    await db.deleteFrom('platform.backups').where('id', '=', id).execute()
  },
})
export type BackupStore = ReturnType<typeof backupStore>
