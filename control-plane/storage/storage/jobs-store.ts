import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import { lockProject } from '../../platform-database/lock-project.ts'
import type { ServicesTables } from '../../platform-database/tables-services.ts'

export type StorageJobRow = Selectable<ServicesTables['platform.storage_jobs']>
type NewJob = Pick<
  Insertable<ServicesTables['platform.storage_jobs']>,
  'project_id' | 'kind' | 'bucket' | 'to_bucket' | 'items' | 'started_by'
>
type Progress = { done: number; failed: number; item: number; after: string }

/** Hours that a job is told about after its end. */
const memory = 24

export const storageJobStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),
  lock: lockProject,

  async running(tx: Tx, projectId: string): Promise<number> {
    const rows = await tx
      .selectFrom('platform.storage_jobs')
      .select('id')
      .where('project_id', '=', projectId)
      .where('status', '=', 'RUNNING')
      .execute()
    return rows.length
  },

  insert: (tx: Tx, job: NewJob): Promise<StorageJobRow> =>
    tx.insertInto('platform.storage_jobs').values(job).returningAll().executeTakeFirstOrThrow(),

  /**
   * Has the job that empties a bucket begin again when it is through, for what was stored where it had been already.
   * Undefined: none runs.
   */
  emptyAgain: (tx: Tx, projectId: string, bucket: string): Promise<StorageJobRow | undefined> =>
    tx
      .updateTable('platform.storage_jobs')
      .set({
        items: sql`case when item < jsonb_array_length(items) - 1 then items else items || '[{"from": ""}]' end`,
      })
      .where('project_id', '=', projectId)
      .where('bucket', '=', bucket)
      .where('kind', '=', 'remove')
      .where('status', '=', 'RUNNING')
      .where(sql<boolean>`not jsonb_path_exists(items, '$[*].from ? (@ != "")')`)
      .returningAll()
      .executeTakeFirst(),

  list: (ref: string): Promise<StorageJobRow[]> =>
    db
      .selectFrom('platform.storage_jobs as job')
      .innerJoin('platform.projects as project', 'project.id', 'job.project_id')
      .selectAll('job')
      .where('project.ref', '=', ref)
      .where((where) =>
        where.or([
          where('job.status', '=', 'RUNNING'),
          where('job.created_at', '>', new Date(Date.now() - memory * 3_600_000)),
        ]),
      )
      .orderBy('job.created_at', 'desc')
      .limit(50)
      .execute(),

  /** With the ref of its project. */
  find: (id: string): Promise<(StorageJobRow & { ref: string }) | undefined> =>
    db
      .selectFrom('platform.storage_jobs as job')
      .innerJoin('platform.projects as project', 'project.id', 'job.project_id')
      .selectAll('job')
      .select('project.ref')
      .where('job.id', '=', id)
      .executeTakeFirst(),

  /** Only of one that runs: who was cancelled stays so. False: it does not run any more. */
  async advance(id: string, { done, failed, item, after }: Progress): Promise<boolean> {
    const changed = await db
      .updateTable('platform.storage_jobs')
      .set((set) => ({
        done: set('done', '+', String(done)),
        failed: set('failed', '+', String(failed)),
        item,
        after,
      }))
      .where('id', '=', id)
      .where('status', '=', 'RUNNING')
      .executeTakeFirst()
    return changed.numUpdatedRows > 0n
  },

  /** False: it has ended already, or more was asked of it meanwhile. */
  async complete(id: string): Promise<boolean> {
    const changed = await db
      .updateTable('platform.storage_jobs')
      .set({ status: 'DONE', finished_at: new Date() })
      .where('id', '=', id)
      .where('status', '=', 'RUNNING')
      .where(sql<boolean>`item >= jsonb_array_length(items)`)
      .executeTakeFirst()
    return changed.numUpdatedRows > 0n
  },

  /** Undefined: it had ended already. */
  end: (
    by: Db | Tx,
    id: string,
    status: 'FAILED' | 'CANCELLED',
    failure?: string,
  ): Promise<StorageJobRow | undefined> =>
    by
      .updateTable('platform.storage_jobs')
      .set({ status, failure: failure ?? null, finished_at: new Date() })
      .where('id', '=', id)
      .where('status', '=', 'RUNNING')
      .returningAll()
      .executeTakeFirst(),

  db,
})
export type StorageJobStore = ReturnType<typeof storageJobStore>
