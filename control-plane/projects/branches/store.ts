import { sql, type Selectable, type Updateable } from 'kysely'
import type { BranchSettings, BranchStart } from '#contract/projects/branches'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'
import type { Ordered } from './travel/order.ts'

type Row = Selectable<Tables['platform.branches']>
export type BranchRow = Row & {
  ref: string
  project_status: ProjectStatus
  /** Why its project could not be made, or made anew. */
  project_failure: string | null
  parent_ref: string
  parent_status: ProjectStatus
  organization_id: string
}
/** The project that branches belong to. */
export type Parent = {
  id: string
  ref: string
  name: string
  organization_id: string
  organization_slug: string
  tier: Selectable<Tables['platform.organizations']>['tier']
  region: string
  cloud_provider: string
  status: ProjectStatus
  sealing_ref: string | null
  inserted_at: Date
  updated_at: Date
}
export type BranchStore = ReturnType<typeof branchStore>

/** Steps that are shown of a branch; older ones go. */
const keptSteps = 200

export function branchStore(db: Db) {
  const rows = (from: Db | Tx = db) =>
    from
      .selectFrom('platform.branches as branch')
      .innerJoin('platform.projects as project', 'project.id', 'branch.project_id')
      .innerJoin('platform.projects as parent', 'parent.id', 'branch.parent_id')
      .selectAll('branch')
      .select([
        'project.ref',
        'project.status as project_status',
        'project.failure as project_failure',
        'parent.ref as parent_ref',
        'parent.status as parent_status',
        'project.organization_id',
      ])
      .where('project.status', '<>', 'REMOVED')

  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    /** The project itself, or the parent of a branch. */
    parentOf: (ref: string, from: Db | Tx = db): Promise<Parent | undefined> =>
      from
        .selectFrom('platform.projects as asked')
        .innerJoin('platform.projects as project', (join) =>
          join.on('project.id', '=', sql<string>`coalesce(asked.parent_id, asked.id)`),
        )
        .innerJoin('platform.organizations as owner', 'owner.id', 'project.organization_id')
        .select([
          'project.id',
          'project.ref',
          'project.name',
          'project.organization_id',
          'owner.slug as organization_slug',
          'owner.tier',
          'project.region',
          'project.cloud_provider',
          'project.status',
          'project.sealing_ref',
          'project.inserted_at',
          'project.updated_at',
        ])
        .where('asked.ref', '=', ref)
        .where('asked.status', '<>', 'REMOVED')
        .where('project.status', '<>', 'REMOVED')
        .executeTakeFirst(),

    list: (parentId: string, from: Db | Tx = db): Promise<BranchRow[]> =>
      rows(from)
        .where('branch.parent_id', '=', parentId)
        .orderBy(sql`lower(branch.name)`)
        .execute(),

    find: (parentId: string, id: string, from: Db | Tx = db): Promise<BranchRow | undefined> =>
      rows(from)
        .where('branch.parent_id', '=', parentId)
        .where('branch.id', '=', id)
        .executeTakeFirst(),

    /** By its own id, or by the ref of its project. */
    findAny: (key: string): Promise<BranchRow | undefined> =>
      rows()
        .where((e) => e.or([e(sql<string>`branch.id::text`, '=', key), e('project.ref', '=', key)]))
        .executeTakeFirst(),

    /** Undefined when the project has a branch of this name. */
    insert: (
      tx: Tx,
      row: {
        project_id: string
        parent_id: string
        name: string
        git_branch: string | null
        persistent: boolean
        starts_with: BranchStart
        with_data: boolean
        created_by: string
        ordered_by: string
        ordered: string
        job_id: string
      },
    ): Promise<{ id: string } | undefined> =>
      tx
        .insertInto('platform.branches')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst(),

    async setParent(tx: Tx, projectId: string, parentId: string): Promise<void> {
      await tx
        .updateTable('platform.projects')
        .set({ parent_id: parentId })
        .where('id', '=', projectId)
        .execute()
    },

    /** Undefined when another branch has the name; the transaction can then only be rolled back. */
    async update(
      tx: Db | Tx,
      id: string,
      values: Updateable<Tables['platform.branches']>,
    ): Promise<void> {
      await tx
        .updateTable('platform.branches')
        .set({ ...values, updated_at: new Date() })
        .where('id', '=', id)
        .execute()
    },

    nameTaken: async (tx: Tx, parentId: string, name: string, but: string): Promise<boolean> =>
      (await tx
        .selectFrom('platform.branches')
        .select('id')
        .where('parent_id', '=', parentId)
        .where(sql`lower(name)`, '=', name.toLowerCase())
        .where('deleted', '=', false)
        .where('id', '<>', but)
        .executeTakeFirst()) !== undefined,

    /** Why nothing can go into a branch now, or from it into main; undefined: nothing else goes there. */
    async inTheWay(tx: Tx, row: BranchRow, isMerge: boolean): Promise<string | undefined> {
      const into = isMerge ? [row.project_id, row.parent_id] : [row.project_id]
      const deployment = await tx
        .selectFrom('platform.git_deployments as deployment')
        .innerJoin('platform.jobs as job', 'job.id', 'deployment.job_id')
        .select('deployment.id')
        .where('deployment.target_id', 'in', into)
        .where('deployment.status', '=', 'running')
        .where('job.finished_at', 'is', null)
        .executeTakeFirst()
      if (deployment) return 'A commit is being deployed. Try again when it is over'
      if (!isMerge) return undefined
      const merge = await tx
        .selectFrom('platform.branches as branch')
        .innerJoin('platform.jobs as job', 'job.id', 'branch.job_id')
        .select('branch.id')
        .where('branch.parent_id', '=', row.parent_id)
        .where('branch.id', '<>', row.id)
        .where('job.name', '=', 'branch.merge')
        .executeTakeFirst()
      return merge && 'Another branch is being merged. Try again when it is over'
    },

    /** Gives a branch at rest to a job. False: another one has it. */
    async take(tx: Tx, id: string, job: string, ordered: Ordered): Promise<boolean> {
      const { numUpdatedRows } = await tx
        .updateTable('platform.branches')
        .set({
          job_id: job,
          ordered_by: ordered.by.email,
          ordered: JSON.stringify(ordered),
          failure: null,
          updated_at: new Date(),
        })
        .where('id', '=', id)
        .where('job_id', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** What a job says of the branch that is still its own; nothing when it is not any more. */
    async settle(job: string, values: Updateable<Tables['platform.branches']>): Promise<void> {
      await db
        .updateTable('platform.branches')
        .set({ ...values, updated_at: new Date() })
        .where('job_id', '=', job)
        .execute()
    },

    ofJob: (job: string): Promise<BranchRow | undefined> =>
      rows().where('branch.job_id', '=', job).executeTakeFirst(),

    /** Undefined: the project has chosen nothing. */
    settings: (projectId: string, from: Db | Tx = db): Promise<BranchSettings | undefined> =>
      from
        .selectFrom('platform.branch_settings')
        .select(['pause_after_hours', 'masks', 'merge_approvals'])
        .where('project_id', '=', projectId)
        .executeTakeFirst(),

    async setSettings(
      tx: Tx,
      projectId: string,
      { masks, pause_after_hours, merge_approvals }: BranchSettings,
    ): Promise<void> {
      const values = { pause_after_hours, merge_approvals, masks: JSON.stringify(masks) }
      await tx
        .insertInto('platform.branch_settings')
        .values({ project_id: projectId, ...values })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet(values))
        .execute()
    },

    async note(branchId: string, message: string, failed = false): Promise<void> {
      await db
        .insertInto('platform.branch_steps')
        .values({ branch_id: branchId, message, failed })
        .execute()
      await db
        .deleteFrom('platform.branch_steps')
        .where('branch_id', '=', branchId)
        .where('id', '<=', (e) =>
          e
            .selectFrom('platform.branch_steps')
            .select('id')
            .where('branch_id', '=', branchId)
            .orderBy('id', 'desc')
            .offset(keptSteps)
            .limit(1),
        )
        .execute()
    },

    steps: (branchId: string) =>
      db
        .selectFrom('platform.branch_steps')
        .select(['at', 'failed', 'message'])
        .where('branch_id', '=', branchId)
        .orderBy('id', 'desc')
        .execute(),

    /** Branches of these projects, which have to go first. */
    countOf: async (ref: string, from: Db | Tx = db): Promise<number> =>
      Number(
        (
          await rows(from)
            .clearSelect()
            .select((e) => e.fn.countAll<string>().as('count'))
            .where('parent.ref', '=', ref)
            .executeTakeFirst()
        )?.count ?? 0,
      ),
  }
}
