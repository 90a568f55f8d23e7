import { sql, type Selectable } from 'kysely'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Db, Tx } from '../../platform-database/database.ts'
import { lockBranches } from '../../platform-database/branches-lock-store.ts'
import type { Tables } from '../../platform-database/tables.ts'

export type SourceRow = Selectable<Tables['platform.git_sources']>
export type DeploymentRow = Selectable<Tables['platform.git_deployments']> & {
  target_ref: string
  target_status: ProjectStatus
  target_branch: string | null
  /** It is a branch that began with the rows of main. */
  target_with_data: boolean | null
}
/** A project or branch to which commits of a branch of git go. */
export type Target = { id: string; ref: string }
export type GitStore = ReturnType<typeof gitStore>

/** Deployments that are shown of a project. */
const shown = 50
/** As many are kept: by them it is known what a git host has said before. */
const kept = 1000
const keptLines = 500

export const gitStore = (db: Db) => {
  const deployments = (from: Db | Tx = db) =>
    from
      .selectFrom('platform.git_deployments as deployment')
      .innerJoin('platform.projects as target', 'target.id', 'deployment.target_id')
      .leftJoin('platform.branches as branch', 'branch.project_id', 'target.id')
      .selectAll('deployment')
      .select([
        'target.ref as target_ref',
        'target.status as target_status',
        'branch.name as target_branch',
        'branch.with_data as target_with_data',
      ])

  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    /** The project itself, or the parent of a branch. */
    project: (
      ref: string,
      from: Db | Tx = db,
    ): Promise<{ id: string; ref: string; organization_id: string; name: string } | undefined> =>
      from
        .selectFrom('platform.projects as asked')
        .innerJoin('platform.projects as project', (join) =>
          join.on('project.id', '=', sql<string>`coalesce(asked.parent_id, asked.id)`),
        )
        .select(['project.id', 'project.ref', 'project.organization_id', 'project.name'])
        .where('asked.ref', '=', ref)
        .where('asked.status', '<>', 'REMOVED')
        .where('project.status', '<>', 'REMOVED')
        .executeTakeFirst(),

    source: (projectId: string, from: Db | Tx = db): Promise<SourceRow | undefined> =>
      from
        .selectFrom('platform.git_sources')
        .selectAll()
        .where('project_id', '=', projectId)
        .executeTakeFirst(),

    async setSource(tx: Tx, row: Omit<SourceRow, 'set_at'>): Promise<void> {
      const { project_id: _, ...values } = row
      await tx
        .insertInto('platform.git_sources')
        .values(row)
        .onConflict((clash) =>
          clash.column('project_id').doUpdateSet({ ...values, set_at: new Date() }),
        )
        .execute()
    },

    async setSecret(tx: Tx, projectId: string, sealed_secret: string): Promise<boolean> {
      const { numUpdatedRows } = await tx
        .updateTable('platform.git_sources')
        .set({ sealed_secret })
        .where('project_id', '=', projectId)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async removeSource(tx: Tx, projectId: string): Promise<boolean> {
      const { numDeletedRows } = await tx
        .deleteFrom('platform.git_sources')
        .where('project_id', '=', projectId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    /** The branch of the project that names this branch of git; the oldest, where several do. */
    branchTarget: (tx: Tx, projectId: string, gitBranch: string): Promise<Target | undefined> =>
      tx
        .selectFrom('platform.branches as branch')
        .innerJoin('platform.projects as project', 'project.id', 'branch.project_id')
        .select(['project.id', 'project.ref'])
        .where('branch.parent_id', '=', projectId)
        .where('branch.git_branch', '=', gitBranch)
        .where('branch.deleted', '=', false)
        .where('project.status', '<>', 'REMOVED')
        .orderBy('branch.created_at')
        .executeTakeFirst(),

    /** Undefined: the git host has said the same before. Older ones that wait for the same target are not made any more. */
    async insert(
      tx: Tx,
      row: {
        project_id: string
        target_id: string
        git_branch: string
        commit: string
        body_digest: string | null
      },
    ): Promise<string | undefined> {
      const made = await tx
        .insertInto('platform.git_deployments')
        .values(row)
        .onConflict((clash) => clash.columns(['project_id', 'body_digest']).doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!made) return undefined
      await tx
        .updateTable('platform.git_deployments')
        .set({ status: 'superseded', finished_at: new Date() })
        .where('target_id', '=', row.target_id)
        .where('status', '=', 'waiting')
        .where('id', '<>', made.id)
        .execute()
      await sql`delete from platform.git_deployments where project_id = ${row.project_id} and id in (
        select id from platform.git_deployments where project_id = ${row.project_id}
        order by at desc offset ${kept})`.execute(tx)
      return made.id
    },

    sameBefore: async (
      tx: Tx,
      projectId: string,
      bodyDigest: string,
    ): Promise<string | undefined> =>
      (
        await tx
          .selectFrom('platform.git_deployments')
          .select('id')
          .where('project_id', '=', projectId)
          .where('body_digest', '=', bodyDigest)
          .executeTakeFirst()
      )?.id,

    async setJob(tx: Tx, id: string, job_id: string): Promise<void> {
      await tx
        .updateTable('platform.git_deployments')
        .set({ job_id })
        .where('id', '=', id)
        .execute()
    },

    find: (id: string): Promise<DeploymentRow | undefined> =>
      deployments().where('deployment.id', '=', id).executeTakeFirst(),

    list: (projectId: string): Promise<DeploymentRow[]> =>
      deployments()
        .where('deployment.project_id', '=', projectId)
        .orderBy('deployment.at', 'desc')
        .limit(shown)
        .execute(),

    /**
     * Begins one that waits, unless another goes to the same target, something else is done to its branch, or a branch is being
     * merged into it.
     */
    begin: ({ id, project_id }: Pick<DeploymentRow, 'id' | 'project_id'>): Promise<boolean> =>
      db.transaction().execute(async (tx) => {
        await lockBranches(tx, project_id)
        const { numAffectedRows } =
          await sql`update platform.git_deployments d set status = 'running'
          where d.id = ${id} and d.status in ('waiting', 'running')
          and not exists (select from platform.git_deployments other
            join platform.jobs job on job.id = other.job_id and job.finished_at is null
            where other.target_id = d.target_id and other.status = 'running' and other.id <> d.id)
          and not exists (select from platform.branches branch
            join platform.jobs job on job.id = branch.job_id
            where branch.project_id = d.target_id
            or (branch.parent_id = d.target_id and job.name = 'branch.merge'))`.execute(tx)
        return Number(numAffectedRows) > 0
      }),

    async note(id: string, line: string): Promise<void> {
      await sql`update platform.git_deployments set log = (log || ${line}::text)[1:${keptLines}]
        where id = ${id}`.execute(db)
    },

    async end(id: string, status: 'done' | 'failed', failure: string | null): Promise<void> {
      await db
        .updateTable('platform.git_deployments')
        .set({ status, failure, finished_at: new Date() })
        .where('id', '=', id)
        .where('status', 'in', ['waiting', 'running'])
        .execute()
    },
  }
}
