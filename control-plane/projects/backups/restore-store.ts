import type { Insertable, Selectable } from 'kysely'
import type { CopyChanges } from '#compute/provider'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { ProjectsTables } from '../../platform-database/tables-projects.ts'
import type { RestorePoint } from './compute.ts'

export type RestoreRow = Selectable<ProjectsTables['platform.restores']>
type NewRestore = Omit<
  Insertable<ProjectsTables['platform.restores']>,
  'status' | 'inserted_at' | 'finished_at' | 'changes'
>
/** A copy of a project that runs, and what is changed in it. */
type NewCopy = { projectId: string; sourceId: string; at: Date; changes: CopyChanges }
export type CopyRow = RestoreRow & { source_ref: string; changes: CopyChanges }

/** Orders to restore, in place or to a new project. */
export const restoreStore = (db: Db) => ({
  async insert(tx: Tx, restore: NewRestore): Promise<void> {
    await tx.insertInto('platform.restores').values(restore).execute()
  },

  /** The newest one that gives this project its data, with where it is from. */
  async last(ref: string): Promise<(RestoreRow & { from: RestorePoint }) | undefined> {
    const row = await lastOf(db, ref)
    if (!row) return undefined
    const { source_ref, ...restore } = row
    return { ...restore, from: pointOf(source_ref, restore) }
  },

  async insertCopy(tx: Tx, { projectId, sourceId, at, changes }: NewCopy): Promise<void> {
    // Whoever orders has the project at rest: what was ordered before has ended, whatever its row says.
    await tx
      .updateTable('platform.restores')
      .set({ status: 'FAILED', finished_at: at })
      .where('project_id', '=', projectId)
      .where('status', '=', 'IN_PROGRESS')
      .execute()
    await tx
      .insertInto('platform.restores')
      .values({
        project_id: projectId,
        source_id: sourceId,
        backup_id: null,
        until: null,
        restored_to: at,
        came_from: 'COMING_UP',
        safety_id: null,
        changes: JSON.stringify(changes),
      })
      .execute()
  },

  /** What gives this project its data, where that is a copy of one that runs. */
  async copyOf(ref: string, from: Db | Tx = db): Promise<CopyRow | undefined> {
    const row = await lastOf(from, ref)
    return row?.changes ? { ...row, changes: row.changes } : undefined
  },

  /** The backup that was made for it. */
  async setBackup(tx: Db | Tx, id: string, backupId: string): Promise<void> {
    await tx
      .updateTable('platform.restores')
      .set({ backup_id: backupId })
      .where('id', '=', id)
      .execute()
  },

  async setMoment(id: string, at: Date): Promise<void> {
    await db
      .updateTable('platform.restores')
      .set({ restored_to: at })
      .where('id', '=', id)
      .execute()
  },

  /** The job that makes a project anew as it was ordered. */
  async creationOf(ref: string): Promise<'project.create' | 'project.clone' | 'project.copy'> {
    const row = await db
      .selectFrom('platform.restores as restore')
      .innerJoin('platform.projects as project', 'project.id', 'restore.project_id')
      .select('restore.changes')
      .where('project.ref', '=', ref)
      .whereRef('restore.source_id', '<>', 'restore.project_id')
      .orderBy('restore.id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!row) return 'project.create'
    return row.changes === null ? 'project.clone' : 'project.copy'
  },

  async set(id: string, status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED'): Promise<void> {
    await db
      .updateTable('platform.restores')
      .set({ status, finished_at: status === 'IN_PROGRESS' ? null : new Date() })
      .where('id', '=', id)
      .execute()
  },

  /** To new projects of the same organization still, newest first. */
  clonesOf: (sourceId: string) =>
    db
      .selectFrom('platform.restores as restore')
      .innerJoin('platform.projects as target', 'target.id', 'restore.project_id')
      .innerJoin('platform.projects as source', (join) =>
        join
          .onRef('source.id', '=', 'restore.source_id')
          .onRef('source.organization_id', '=', 'target.organization_id'),
      )
      .select([
        'restore.id',
        'restore.inserted_at',
        'restore.restored_to',
        'target.ref',
        'target.name',
        'target.status',
      ])
      .where('restore.source_id', '=', sourceId)
      .whereRef('restore.project_id', '<>', 'restore.source_id')
      // Branches are on a page of their own.
      .where('restore.changes', 'is', null)
      .orderBy('restore.id', 'desc')
      .limit(50)
      .execute(),
})
export type RestoreStore = ReturnType<typeof restoreStore>

/** The newest one that gives a project its data, with whose they are. */
const lastOf = (db: Db | Tx, ref: string) =>
  db
    .selectFrom('platform.restores as restore')
    .innerJoin('platform.projects as project', 'project.id', 'restore.project_id')
    .innerJoin('platform.projects as source', 'source.id', 'restore.source_id')
    .selectAll('restore')
    .select('source.ref as source_ref')
    .where('project.ref', '=', ref)
    .orderBy('restore.id', 'desc')
    .limit(1)
    .executeTakeFirst()

function pointOf(ref: string, { backup_id, until }: RestoreRow): RestorePoint {
  if (backup_id !== null) return { ref, id: backup_id }
  if (until !== null) return { ref, until }
  throw new Error('A restore is from a backup or to a moment')
}
