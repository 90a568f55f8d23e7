import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { ProjectsTables } from '../../platform-database/tables-projects.ts'
import type { RestorePoint } from './compute.ts'

export type RestoreRow = Selectable<ProjectsTables['platform.restores']>
type NewRestore = Omit<
  Insertable<ProjectsTables['platform.restores']>,
  'status' | 'inserted_at' | 'finished_at'
>

/** Orders to restore, in place or to a new project. */
export const restoreStore = (db: Db) => ({
  async insert(tx: Tx, restore: NewRestore): Promise<void> {
    await tx.insertInto('platform.restores').values(restore).execute()
  },

  /** The newest one that gives this project its data, with where it is from. */
  async last(ref: string): Promise<(RestoreRow & { from: RestorePoint }) | undefined> {
    const row = await db
      .selectFrom('platform.restores as restore')
      .innerJoin('platform.projects as project', 'project.id', 'restore.project_id')
      .innerJoin('platform.projects as source', 'source.id', 'restore.source_id')
      .selectAll('restore')
      .select('source.ref as source_ref')
      .where('project.ref', '=', ref)
      .orderBy('restore.id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!row) return undefined
    const { source_ref, ...restore } = row
    return { ...restore, from: pointOf(source_ref, restore) }
  },

  async isClone(ref: string): Promise<boolean> {
    const row = await db
      .selectFrom('platform.restores as restore')
      .innerJoin('platform.projects as project', 'project.id', 'restore.project_id')
      .select('restore.id')
      .where('project.ref', '=', ref)
      .whereRef('restore.source_id', '<>', 'restore.project_id')
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
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
      .orderBy('restore.id', 'desc')
      .limit(50)
      .execute(),
})
export type RestoreStore = ReturnType<typeof restoreStore>

function pointOf(ref: string, { backup_id, until }: RestoreRow): RestorePoint {
  if (backup_id !== null) return { ref, id: backup_id }
  if (until !== null) return { ref, until }
  throw new Error('A restore is from a backup or to a moment')
}
