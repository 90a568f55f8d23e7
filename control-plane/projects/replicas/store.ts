import type { Selectable, Updateable } from 'kysely'
import type { Tier } from '#contract/billing/plans'
import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Db, Tx } from '../../platform-database/database.ts'
import { lockProject } from '../../platform-database/lock-project.ts'
import type { ProjectsTables } from '../../platform-database/tables-projects.ts'

type Table = ProjectsTables['platform.read_replicas']
export type ReplicaRow = Selectable<Table>
/** A replica with what its jobs and the rounds go by. */
export type ReplicaOfProject = ReplicaRow & {
  ref: string
  name: string
  project_status: ProjectStatus
  organization_id: string
  tier: Tier
}
/** What of a project its replicas depend on. */
export type Subject = {
  id: string
  ref: string
  name: string
  status: ProjectStatus
  compute_size: ComputeSizeId
  organization_id: string
  tier: Tier
}
export type ReplicaStore = ReturnType<typeof replicaStore>

export function replicaStore(db: Db) {
  const rows = (from: Db | Tx = db) =>
    from
      .selectFrom('platform.read_replicas as replica')
      .innerJoin('platform.projects as project', 'project.id', 'replica.project_id')
      .innerJoin('platform.organizations as owner', 'owner.id', 'project.organization_id')
      .selectAll('replica')
      .select([
        'project.ref',
        'project.name',
        'project.status as project_status',
        'project.organization_id',
        'owner.tier',
      ])
      .where('project.status', '<>', 'REMOVED')

  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),
    lock: lockProject,

    subject: (ref: string, from: Db | Tx = db): Promise<Subject | undefined> =>
      from
        .selectFrom('platform.projects as project')
        .innerJoin('platform.organizations as owner', 'owner.id', 'project.organization_id')
        .select([
          'project.id',
          'project.ref',
          'project.name',
          'project.status',
          'project.compute_size',
          'project.organization_id',
          'owner.tier',
        ])
        .where('project.ref', '=', ref)
        .where('project.status', '<>', 'REMOVED')
        .executeTakeFirst(),

    /** The oldest first. */
    list: (projectId: string, from: Db | Tx = db): Promise<ReplicaOfProject[]> =>
      rows(from)
        .where('replica.project_id', '=', projectId)
        .orderBy('replica.created_at')
        .execute(),

    find: (
      projectId: string,
      identifier: string,
      from: Db | Tx = db,
    ): Promise<ReplicaOfProject | undefined> =>
      rows(from)
        .where('replica.project_id', '=', projectId)
        .where('replica.identifier', '=', identifier)
        .executeTakeFirst(),

    ofJob: (job: string): Promise<ReplicaOfProject | undefined> =>
      rows().where('replica.job_id', '=', job).executeTakeFirst(),

    /** Undefined when the project has one of this name. */
    insert: (
      tx: Tx,
      row: { project_id: string; identifier: string; job_id: string; created_by: string },
    ): Promise<{ id: string } | undefined> =>
      tx
        .insertInto('platform.read_replicas')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst(),

    /** Gives a replica at rest to a job. False: another one has it. */
    async take(tx: Tx, id: string, job: string, status: ReplicaRow['status']): Promise<boolean> {
      const { numUpdatedRows } = await tx
        .updateTable('platform.read_replicas')
        .set({ job_id: job, status, failure: null })
        .where('id', '=', id)
        .where('job_id', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** What a job says of the replica that is its own, which is at rest then; false when it is not any more. */
    async settle(tx: Tx, job: string, values: Updateable<Table>): Promise<boolean> {
      const { numUpdatedRows } = await tx
        .updateTable('platform.read_replicas')
        .set({ ...values, job_id: null })
        .where('job_id', '=', job)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async forget(tx: Tx, job: string): Promise<void> {
      await tx.deleteFrom('platform.read_replicas').where('job_id', '=', job).execute()
    },

    /** All that nothing is being done to. */
    atRest: (): Promise<ReplicaOfProject[]> => rows().where('replica.job_id', 'is', null).execute(),

    /** Of jobs that have ended and said nothing of their replica. */
    async leaveBehind(): Promise<void> {
      await db
        .updateTable('platform.read_replicas')
        .set({ job_id: null, failure: 'It was broken off' })
        .where('job_id', 'in', (e) =>
          e.selectFrom('platform.jobs').select('id').where('finished_at', 'is not', null),
        )
        .execute()
    },
  }
}
