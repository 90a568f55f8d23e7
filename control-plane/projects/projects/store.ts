import { DatabaseError, type Client } from 'pg'
import { sql, type Insertable, type Selectable } from 'kysely'
import { projectMoves, type ProjectStatus } from '#contract/projects/project-status'
import { trashHolds } from '#contract/projects/trash'
import type { Db, Tx } from '../../platform-database/database.ts'
import { lockProject } from '../../platform-database/lock-project.ts'
import { servedHostname, servedVanity } from '../../platform-database/served-names-store.ts'
import type { ProjectAddress, Tables } from '../../platform-database/tables.ts'

type Row = Selectable<Tables['platform.projects']>
export type ProjectRow = Row & {
  organization_slug: string
  restriction_status: Selectable<Tables['platform.organizations']>['restriction_status']
  restriction_cause: Selectable<Tables['platform.organizations']>['restriction_cause']
  /** Until then a read-only server takes writes, because somebody asked for it. */
  writable_until: Date | null
  /** The names of its own by which requests reach it now. */
  served_hostname: string | null
  served_vanity: string | null
  /** Of the project that it is a branch of. */
  parent_ref: string | null
  /** Of its branches. */
  branch_refs: string[]
}
export type ProjectStore = ReturnType<typeof projectStore>

export type Move = {
  /** Only while this job owns the project; without it, only while no job does. */
  job?: string | undefined
  /** The job that owns it afterwards; null at rest. */
  nextJob?: string | null
  failure?: string | null
  address?: ProjectAddress | null
}

export type Standing = Pick<Row, 'status' | 'deleted_at' | 'job_id'>

type Viewer = {
  userId: string
  /** Without it, organizations that ask for a second factor show nothing. */
  factorShown: boolean
}
type Page = { limit: number; offset: number; search?: string | undefined }

const uniqueViolation = '23505'

/** Heard by every control plane, which tells the data planes. */
const projectChannel = 'plinth_projects'

export function projectStore(db: Db) {
  const rows = (from: Db | Tx = db) =>
    from
      .selectFrom('platform.projects as project')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'project.organization_id',
      )
      .leftJoin('platform.project_disk as disk', 'disk.project_id', 'project.id')
      .selectAll('project')
      .select([
        'organization.slug as organization_slug',
        'organization.restriction_status',
        'organization.restriction_cause',
        'disk.writable_until',
        servedHostname.as('served_hostname'),
        servedVanity.as('served_vanity'),
      ])
      .select((e) => [
        e
          .selectFrom('platform.projects as parent')
          .select('parent.ref')
          .whereRef('parent.id', '=', 'project.parent_id')
          .as('parent_ref'),
        sql<string[]>`array(select branch.ref from platform.projects branch
          where branch.parent_id = project.id and branch.status <> 'REMOVED' and not branch.is_dry_run order by branch.id)`.as(
          'branch_refs',
        ),
      ])
  const living = (from?: Db | Tx) => rows(from).where('project.status', '<>', 'REMOVED')

  /** Of organizations in which they have a role for everything, and the projects for which they have one. */
  const visibleTo = ({ userId, factorShown }: Viewer) =>
    living()
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('platform.members as member')
            .select('member.user_id')
            .whereRef('member.organization_id', '=', 'project.organization_id')
            .where('member.user_id', '=', userId)
            .where(({ eb, or, exists: also, selectFrom: from }) =>
              or([
                eb('member.role', 'is not', null),
                also(
                  from('platform.project_role_projects as link')
                    .select('link.role_id')
                    .whereRef('link.project_id', '=', 'project.id')
                    .whereRef('link.user_id', '=', 'member.user_id'),
                ),
              ]),
            ),
        ),
      )
      .$if(!factorShown, (query) => query.where('organization.requires_mfa', '=', false))

  /** What the person has marked comes first, then what is newest. */
  const pageFor = async (
    { userId }: Viewer,
    query: ReturnType<typeof rows>,
    { limit, offset, search }: Page,
  ) => {
    // Branches stand in the list of their project.
    const all = query.where('project.parent_id', 'is', null)
    const found = search
      ? all.where(sql<boolean>`position(lower(${search}) in lower(project.name)) > 0`)
      : all
    const { count } = await db
      .selectFrom(found.as('found'))
      .select((e) => e.fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    const list = await found
      .orderBy(
        ({ exists, selectFrom }) =>
          exists(
            selectFrom('platform.favorites as favorite')
              .select('favorite.project_id')
              .whereRef('favorite.project_id', '=', 'project.id')
              .where('favorite.user_id', '=', userId),
          ),
        'desc',
      )
      .orderBy('project.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return { rows: list, pagination: { count: Number(count), limit, offset } }
  }

  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    find: (ref: string, from?: Db | Tx): Promise<ProjectRow | undefined> =>
      living(from).where('project.ref', '=', ref).executeTakeFirst(),

    /** Also a removed one: for the reconciler, which must tell "gone" from "never was". */
    findAny: (ref: string): Promise<ProjectRow | undefined> =>
      rows().where('project.ref', '=', ref).executeTakeFirst(),

    /** Also of removed ones; nothing of those that have no row. `deleted_at`: it waits in the trash. */
    async standingsOf(refs: readonly string[]): Promise<Map<string, Standing>> {
      if (refs.length === 0) return new Map()
      const found = await db
        .selectFrom('platform.projects')
        .select(['ref', 'status', 'deleted_at', 'job_id'])
        .where('ref', 'in', refs)
        .execute()
      return new Map(found.map(({ ref, ...standing }) => [ref, standing]))
    },

    withStatus: (statuses: ProjectStatus[]): Promise<ProjectRow[]> =>
      rows().where('project.status', 'in', statuses).orderBy('project.id').execute(),

    /** `slug`: of one organization only. */
    ofUser: (viewer: Viewer, input: Page, slug?: string) => {
      const seen = visibleTo(viewer)
      const listed = slug === undefined ? seen : seen.where('organization.slug', '=', slug)
      return pageFor(viewer, listed, input)
    },

    /** Undefined when the organization is gone; it stays locked against its removal until `tx` ends. */
    organizationId: async (tx: Tx, slug: string): Promise<string | undefined> =>
      (
        await tx
          .selectFrom('platform.organizations')
          .select('id')
          .where('slug', '=', slug)
          .forKeyShare()
          .executeTakeFirst()
      )?.id,

    /** Whoever makes a branch of it waits until `tx` ends. */
    async hasBranches(tx: Tx, ref: string): Promise<boolean> {
      const project = await lockProject(tx, ref)
      const branch =
        project &&
        (await tx
          .selectFrom('platform.projects')
          .select('id')
          .where('parent_id', '=', project.id)
          .where('is_dry_run', '=', false)
          .where('status', '<>', 'REMOVED')
          .executeTakeFirst())
      return branch !== undefined
    },

    /** Undefined when the organization has a project of this name. */
    insert: (tx: Tx, row: Insertable<Tables['platform.projects']>): Promise<Row | undefined> =>
      tx
        .insertInto('platform.projects')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst(),

    /** False when the organization has another project of this name; `tx` can then only be rolled back. */
    async rename(tx: Tx, ref: string, name: string): Promise<boolean> {
      try {
        await tx
          .updateTable('platform.projects')
          .set({ name, updated_at: new Date() })
          .where('ref', '=', ref)
          .execute()
        return true
      } catch (error) {
        if (error instanceof DatabaseError && error.code === uniqueViolation) return false
        throw error
      }
    },

    /**
     * The only writer of `status`, but for what comes back from the trash (trash/store.ts): one compare-and-set. Undefined
     * when the project is not in `from` or another job moved it first. Tells every control plane, when the transaction commits.
     */
    async transition(
      within: Tx | undefined,
      ref: string,
      from: readonly ProjectStatus[],
      to: ProjectStatus,
      move: Move = {},
    ): Promise<Row | undefined> {
      const wrong = from.find((status) => !projectMoves[status].includes(to))
      if (wrong) throw new Error(`A project cannot move from ${wrong} to ${to}`)
      const row = await (within ?? db)
        .updateTable('platform.projects')
        .set({
          status: to,
          status_since: new Date(),
          updated_at: new Date(),
          job_id: move.nextJob ?? null,
          failure: move.failure ?? null,
          ...(move.address === undefined
            ? {}
            : { db_address: move.address && JSON.stringify(move.address) }),
          // What waits in the trash keeps its secrets.
          ...(to === 'REMOVED'
            ? {
                sealed_secrets: sql<string>`case when deleted_at is null then '' else sealed_secrets end`,
              }
            : {}),
        })
        .where('ref', '=', ref)
        .where('status', 'in', from)
        .where('job_id', move.job ? '=' : 'is', move.job ?? null)
        .returningAll()
        .returning(sql`pg_notify(${projectChannel}, ref)`.as('notified'))
        .executeTakeFirst()
      return row
    },

    /**
     * A project that is going down waits in the trash afterwards, with the add-ons that it has now; the oldest beyond what the trash
     * holds have no time left.
     */
    async keepInTrash(
      tx: Tx,
      ref: string,
      kept: { at: Date; by: string; until: Date },
    ): Promise<void> {
      await tx
        .updateTable('platform.projects')
        .set({
          deleted_at: kept.at,
          deleted_by: kept.by,
          removed_for_good_at: kept.until,
          kept_add_ons: sql<string[]>`array(select usage.variant from platform.add_on_usage usage
            where usage.project_ref = projects.ref and usage.ended_at is null and usage.item is null order by usage.id)`,
        })
        .where('ref', '=', ref)
        .where('status', '=', 'GOING_DOWN')
        .execute()
      await sql`
        with kept as (
          select p.organization_id, p.deleted_by, o.tier = 'tier_free' as is_free
          from platform.projects p join platform.organizations o on o.id = p.organization_id where p.ref = ${ref}
        ), waiting as (
          select p.id, row_number() over (order by p.deleted_at desc, p.id desc) as place
          from platform.projects p join platform.organizations o on o.id = p.organization_id, kept
          where p.deleted_at is not null and (p.organization_id = kept.organization_id
            or kept.is_free and o.tier = 'tier_free' and p.deleted_by = kept.deleted_by)
        )
        update platform.projects p set removed_for_good_at = ${kept.at} from waiting w, kept
        where p.id = w.id and p.removed_for_good_at > ${kept.at}
          and w.place > case when kept.is_free then ${trashHolds.free}::int else ${trashHolds.paid}::int end`.execute(
        tx,
      )
    },

    /**
     * Hands a project that a job is working on over to another job: whatever the first one still does, it cannot move
     * the project any more. False when none of these jobs works on it in this status.
     */
    async handOver(
      tx: Tx,
      ref: string,
      status: ProjectStatus,
      from: readonly string[],
      job: string,
    ): Promise<boolean> {
      const { numUpdatedRows } = await tx
        .updateTable('platform.projects')
        .set({ job_id: job, updated_at: new Date() })
        .where('ref', '=', ref)
        .where('status', '=', status)
        .where('job_id', 'in', (e) =>
          e.selectFrom('platform.jobs').select('id').where('name', 'in', from),
        )
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Whether the project is still this job's to change. */
    async isOf(job: string, ref: string): Promise<boolean> {
      const row = await db
        .selectFrom('platform.projects')
        .select('id')
        .where('ref', '=', ref)
        .where('job_id', '=', job)
        .executeTakeFirst()
      return row !== undefined
    },

    /** Projects on which one of these jobs is working, however long that takes. */
    async workedOnBy(jobs: readonly string[]): Promise<Set<string>> {
      const found = await db
        .selectFrom('platform.projects as project')
        .innerJoin('platform.jobs as job', 'job.id', 'project.job_id')
        .select('project.ref')
        .where('job.name', 'in', jobs)
        .where('job.finished_at', 'is', null)
        .execute()
      return new Set(found.map(({ ref }) => ref))
    },

    /** Notifies every control plane, when `tx` commits, that what its services go by has changed. */
    async notify(tx: Tx, ref: string): Promise<void> {
      await tx.selectNoFrom(sql`pg_notify(${projectChannel}, ${ref})`.as('notified')).execute()
    },

    /** Notifies every control plane, when `tx` commits, that all projects of an organization have changed for their users. */
    async notifyAllOf(tx: Tx, organizationId: string): Promise<void> {
      await tx
        .selectFrom('platform.projects')
        .select(sql`pg_notify(${projectChannel}, ref)`.as('notified'))
        .where('organization_id', '=', organizationId)
        .where('status', '<>', 'REMOVED')
        .execute()
    },

    /** Notifies every control plane, when `tx` commits, that something has changed that is of no project. */
    async notifyAny(tx: Tx): Promise<void> {
      await tx.selectNoFrom(sql`pg_notify(${projectChannel}, '')`.as('notified')).execute()
    },

    /** Projects of an organization that have a database, running or not. */
    async refsOf(organizationId: string): Promise<string[]> {
      const found = await db
        .selectFrom('platform.projects')
        .select('ref')
        .where('organization_id', '=', organizationId)
        .where('db_address', 'is not', null)
        .where('status', 'not in', ['REMOVED', 'GOING_DOWN'])
        .orderBy('id')
        .execute()
      return found.map(({ ref }) => ref)
    },

    async setAddress(ref: string, address: ProjectAddress): Promise<void> {
      await db
        .updateTable('platform.projects')
        .set({ db_address: JSON.stringify(address), updated_at: new Date() })
        .where('ref', '=', ref)
        .returning(sql`pg_notify(${projectChannel}, ref)`.as('notified'))
        .execute()
    },
  }
}

/** Calls `changed` with the ref of every project whose row changes, and with null for what is of none, until the client ends. */
export async function listenForChanges(
  client: Client,
  changed: (ref: string | null) => void,
): Promise<void> {
  client.on('notification', ({ channel, payload }) => {
    if (channel === projectChannel) changed(payload || null)
  })
  await client.query('listen plinth_projects')
}
