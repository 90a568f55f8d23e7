import { sql, type Selectable } from 'kysely'
import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Tier } from '#contract/billing/plans'
import type { Db, Tx } from '../../platform-database/database.ts'
import { lockProject } from '../../platform-database/lock-project.ts'
import { readAtOnce } from '../../platform-database/read-at-once.ts'
import type { ProjectsTables } from '../../platform-database/tables-projects.ts'

export type ResizeRow = Selectable<ProjectsTables['platform.project_resizes']>

/** What of a project its size depends on. */
export type Subject = {
  id: string
  ref: string
  name: string
  status: ProjectStatus
  compute_size: ComputeSizeId
  organization_id: string
  tier: Tier
  /** Whether point in time recovery is on. */
  recovery: boolean
  /** How many read replicas it has. */
  replicas: number
}
type Ended = Pick<ResizeRow, 'outcome' | 'failure' | 'down_ms'> & { at: Date }

type ComputeState = {
  subject: Subject
  last: ResizeRow | undefined
  /** When the size last became another one. */
  changed: Date | undefined
}

const subjectOf = (from: Db | Tx, ref: string): Promise<Subject | undefined> =>
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
      'project.compute_size',
      'project.organization_id',
      'organization.tier',
      sql<boolean>`exists (select from platform.add_on_usage usage
        where usage.project_ref = project.ref and usage.ended_at is null and usage.variant like 'pitr%')`.as(
        'recovery',
      ),
      sql<number>`(select count(*)::int from platform.read_replicas r where r.project_id = project.id)`.as(
        'replicas',
      ),
    ])
    .where('project.ref', '=', ref)
    .where('project.status', '<>', 'REMOVED')
    .executeTakeFirst()

const lastOf = (from: Db | Tx, projectId: string): Promise<ResizeRow | undefined> =>
  from
    .selectFrom('platform.project_resizes')
    .selectAll()
    .where('project_id', '=', projectId)
    .whereRef('from_size', '<>', 'to_size')
    .orderBy('ordered_at', 'desc')
    .limit(1)
    .executeTakeFirst()

const changedAt = async (from: Db | Tx, projectId: string): Promise<Date | undefined> =>
  (
    await from
      .selectFrom('platform.project_resizes')
      .select('ordered_at')
      .where('project_id', '=', projectId)
      .where('outcome', '=', 'resized')
      .whereRef('from_size', '<>', 'to_size')
      .orderBy('ordered_at', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.ordered_at

export const computeStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),
  lock: lockProject,

  subject: (ref: string, from: Db | Tx = db): Promise<Subject | undefined> => subjectOf(from, ref),
  /** When the size last became another one. */
  lastChange: (projectId: string, tx: Tx): Promise<Date | undefined> => changedAt(tx, projectId),

  /** The project and the last change of its size, as of one moment: a change ends in both. */
  state: (ref: string): Promise<ComputeState | undefined> =>
    readAtOnce(db, async (tx) => {
      const subject = await subjectOf(tx, ref)
      if (!subject) return undefined
      const [last, changed] = [await lastOf(tx, subject.id), await changedAt(tx, subject.id)]
      return { subject, last, changed }
    }),

  async insert(
    tx: Tx,
    jobId: string,
    row: Pick<ResizeRow, 'project_id' | 'from_size' | 'to_size' | 'ordered_at'>,
  ): Promise<void> {
    await tx
      .insertInto('platform.project_resizes')
      .values({ job_id: jobId, ...row })
      .execute()
  },

  ofJob: (jobId: string): Promise<ResizeRow | undefined> =>
    db
      .selectFrom('platform.project_resizes')
      .selectAll()
      .where('job_id', '=', jobId)
      .executeTakeFirst(),

  async end(tx: Tx, jobId: string, { at, ...ended }: Ended): Promise<void> {
    await tx
      .updateTable('platform.project_resizes')
      .set({ finished_at: at, ...ended })
      .where('job_id', '=', jobId)
      .where('finished_at', 'is', null)
      .execute()
  },

  /** The trigger of compute usage writes down from when on it is paid for. */
  async setSize(tx: Tx, projectId: string, size: ComputeSizeId): Promise<void> {
    await tx
      .updateTable('platform.projects')
      .set({ compute_size: size })
      .where('id', '=', projectId)
      .execute()
  },

  /**
   * Changes whose job has ended without an end for them, because somebody else ended its claim on the project: nobody knows which
   * size the server has. Of projects that run, with the size that their row says.
   */
  async leftBehind(): Promise<{ ref: string; jobId: string }[]> {
    const rows = await db
      .selectFrom('platform.project_resizes as resize')
      .innerJoin('platform.projects as project', 'project.id', 'resize.project_id')
      .innerJoin('platform.jobs as job', 'job.id', 'resize.job_id')
      .select(['project.ref', 'resize.job_id as jobId'])
      .where('resize.finished_at', 'is', null)
      .where('job.finished_at', 'is not', null)
      .where('project.status', '=', 'ACTIVE_HEALTHY')
      .where('project.job_id', 'is', null)
      .execute()
    return rows
  },
})
export type ComputeStore = ReturnType<typeof computeStore>
