import { DatabaseError } from 'pg'
import { sql } from 'kysely'
import type { Tier } from '#contract/billing/plans'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Db, Tx } from '../../platform-database/database.ts'
import { lockProject } from '../../platform-database/lock-project.ts'

/** A deleted project with what its line in the trash says. */
export type TrashRow = {
  ref: string
  name: string
  status: ProjectStatus
  job_id: string | null
  deleted_at: Date
  removed_for_good_at: Date
  deleted_by: string | null
  parent_ref: string | null
  parent_name: string | null
  parent_status: ProjectStatus | null
  branch_name: string | null
  branches: string
}
/** One that waits, as it is decided about. */
export type Waiting = {
  id: string
  ref: string
  name: string
  organization_id: string
  tier: Tier
  parent_id: string | null
  listen_port: number | null
  kept_add_ons: string[]
}
export type Clash = 'name' | 'branch-name' | 'port'
export type TrashStore = ReturnType<typeof trashStore>

const uniqueViolation = '23505'
const clashes: Record<string, Clash> = {
  projects_name: 'name',
  branches_name: 'branch-name',
  projects_listen_port: 'port',
}

const waits = sql<boolean>`project.status = 'REMOVED' and project.deleted_at is not null`

export const trashStore = (db: Db) => {
  /** Of organizations in which they have a role for everything, and the projects for which they have one. */
  const visible = (slug: string, userId: string) =>
    db
      .selectFrom('platform.projects as project')
      .innerJoin('platform.organizations as owner', 'owner.id', 'project.organization_id')
      .innerJoin('platform.members as member', 'member.organization_id', 'owner.id')
      .leftJoin('platform.projects as parent', 'parent.id', 'project.parent_id')
      .leftJoin('platform.branches as branch', 'branch.project_id', 'project.id')
      .leftJoin('platform.profiles as person', (join) =>
        join.onRef('person.user_id', '=', 'project.deleted_by').on('person.deleted_at', 'is', null),
      )
      .where('owner.slug', '=', slug)
      .where('member.user_id', '=', userId)
      .where('project.deleted_at', 'is not', null)
      .where(({ eb, or, exists, selectFrom }) =>
        or([
          eb('member.role', 'is not', null),
          exists(
            selectFrom('platform.project_role_projects as link')
              .select('link.role_id')
              .where('link.project_id', '=', sql<string>`coalesce(project.parent_id, project.id)`)
              .whereRef('link.user_id', '=', 'member.user_id'),
          ),
        ]),
      )

  const waiting = (from: Db | Tx) =>
    from
      .selectFrom('platform.projects as project')
      .innerJoin('platform.organizations as owner', 'owner.id', 'project.organization_id')
      .select([
        'project.id',
        'project.ref',
        'project.name',
        'project.organization_id',
        'owner.tier',
        'project.parent_id',
        'project.listen_port',
        'project.kept_add_ons',
      ])
      .where(waits)

  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    async list(slug: string, userId: string, page: { limit: number; offset: number }) {
      const found = visible(slug, userId)
      const { count } = await found
        .select((e) => e.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      const rows = await found
        .select([
          'project.ref',
          'project.name',
          'project.status',
          'project.job_id',
          'parent.ref as parent_ref',
          'parent.name as parent_name',
          'parent.status as parent_status',
          'branch.name as branch_name',
          'person.primary_email as deleted_by',
        ])
        .select([
          // What is looked for is deleted.
          sql<Date>`project.deleted_at`.as('deleted_at'),
          sql<Date>`project.removed_for_good_at`.as('removed_for_good_at'),
          sql<string>`(select count(*) from platform.projects own
            where own.parent_id = project.id and own.deleted_at is not null)`.as('branches'),
        ])
        .orderBy('project.deleted_at', 'desc')
        .orderBy('project.id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
      return { rows, count: Number(count) }
    },

    /** In this organization, whether it waits yet or is only on its way. */
    find: (slug: string, ref: string) =>
      db
        .selectFrom('platform.projects as project')
        .innerJoin('platform.organizations as owner', 'owner.id', 'project.organization_id')
        .select(['project.status', 'project.parent_id'])
        .where('owner.slug', '=', slug)
        .where('project.ref', '=', ref)
        .where('project.deleted_at', 'is not', null)
        .executeTakeFirst(),

    /** Held until `tx` ends. Undefined: it does not wait, or something is being done to it. */
    lock: (tx: Tx, ref: string): Promise<Waiting | undefined> =>
      waiting(tx)
        .where('project.ref', '=', ref)
        .where('project.job_id', 'is', null)
        .forUpdate('project')
        .executeTakeFirst(),

    /** Its branches that wait and to which nothing is being done, held until `tx` ends. */
    lockBranches: (tx: Tx, id: string): Promise<Waiting[]> =>
      waiting(tx)
        .where('project.parent_id', '=', id)
        .where('project.job_id', 'is', null)
        .orderBy('project.id')
        .forUpdate('project')
        .execute(),

    /** The project that a branch belongs to, held until `tx` ends. */
    async lockParent(tx: Tx, parentId: string) {
      const { ref, name } = await tx
        .selectFrom('platform.projects')
        .select(['ref', 'name'])
        .where('id', '=', parentId)
        .executeTakeFirstOrThrow()
      return { name, isThere: (await lockProject(tx, ref)) !== undefined }
    },

    branchesOf: async (tx: Tx, parentId: string): Promise<number> =>
      Number(
        (
          await tx
            .selectFrom('platform.projects')
            .select((e) => e.fn.countAll<string>().as('count'))
            .where('parent_id', '=', parentId)
            .where('status', '<>', 'REMOVED')
            .executeTakeFirstOrThrow()
        ).count,
      ),

    /**
     * The project is RESTORING and this job's, with the add-ons that it had; a port of the machine that another one has taken
     * meanwhile is given up. Beside `ProjectStore.transition` the only writer of a status: nothing else leaves REMOVED.
     * A clash: `tx` can then only be rolled back.
     */
    async bringBack(
      tx: Tx,
      { id, kept_add_ons: addOns }: Waiting,
      by: { job: string; at: Date; withAddOns: boolean },
    ): Promise<{ listen_port: number | null } | Clash> {
      try {
        const back = await tx
          .updateTable('platform.projects')
          .set({
            status: 'RESTORING',
            status_since: new Date(),
            updated_at: new Date(),
            job_id: by.job,
            failure: null,
            deleted_at: null,
            deleted_by: null,
            removed_for_good_at: null,
            kept_add_ons: [],
            listen_port: sql<
              number | null
            >`case when exists (select from platform.projects other where other.id <> projects.id
              and other.listen_port = projects.listen_port and other.status <> 'REMOVED') then null else listen_port end`,
          })
          .where('id', '=', id)
          .returning('listen_port')
          // The channel on which data planes hear of projects that changed (projects/store.ts).
          .returning(sql`pg_notify('plinth_projects', ref)`.as('told'))
          .executeTakeFirstOrThrow()
        if (by.withAddOns && addOns.length > 0)
          await sql`
            insert into platform.add_on_usage (organization_id, project_ref, project_name, variant, started_at, ended_at)
            select p.organization_id, p.ref, p.name, variant, ${by.at}, null
            from platform.projects p, unnest(${addOns}::text[]) variant where p.id = ${id}`.execute(
            tx,
          )
        return back
      } catch (error) {
        const clash = error instanceof DatabaseError && error.code === uniqueViolation
        const what = clash ? clashes[error.constraint ?? ''] : undefined
        if (what === undefined) throw error
        return what
      }
    },

    /** It is this job's to remove for good. */
    async give(tx: Tx, id: string, job: string): Promise<void> {
      await tx
        .updateTable('platform.projects')
        .set({ job_id: job, updated_at: new Date() })
        .where('id', '=', id)
        .execute()
    },

    async isOf(ref: string, job: string): Promise<boolean> {
      const row = await db
        .selectFrom('platform.projects as project')
        .select('project.id')
        .where('project.ref', '=', ref)
        .where('project.job_id', '=', job)
        .where(waits)
        .executeTakeFirst()
      return row !== undefined
    },

    /** It waits no more: what was kept for it is forgotten with that, by the triggers of its row. */
    async forget(ref: string, job: string): Promise<void> {
      await db
        .updateTable('platform.projects as project')
        .set({
          deleted_at: null,
          deleted_by: null,
          removed_for_good_at: null,
          kept_add_ons: [],
          job_id: null,
          sealed_secrets: '',
          db_address: null,
          updated_at: new Date(),
        })
        .where('project.ref', '=', ref)
        .where('project.job_id', '=', job)
        .where(waits)
        .execute()
    },

    /** Whose time is over, and nothing is being done to them. */
    due: (now: Date): Promise<Waiting[]> =>
      waiting(db)
        .where('project.removed_for_good_at', '<=', now)
        .where('project.job_id', 'is', null)
        .orderBy('project.id')
        .execute(),

    /** Refs of those whose removal for good has given up. */
    async leftBehind(): Promise<string[]> {
      const rows = await db
        .selectFrom('platform.projects as project')
        .innerJoin('platform.jobs as job', 'job.id', 'project.job_id')
        .select('project.ref')
        .where(waits)
        .where('job.finished_at', 'is not', null)
        .execute()
      return rows.map(({ ref }) => ref)
    },

    /** Held until `tx` ends; undefined: it goes on, or is done. */
    lockLeftBehind: (tx: Tx, ref: string): Promise<{ id: string } | undefined> =>
      tx
        .selectFrom('platform.projects as project')
        .innerJoin('platform.jobs as job', 'job.id', 'project.job_id')
        .select('project.id')
        .where('project.ref', '=', ref)
        .where(waits)
        .where('job.finished_at', 'is not', null)
        .forUpdate('project')
        .executeTakeFirst(),
  }
}
