import { DatabaseError } from 'pg'
import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'

export type TransferStore = ReturnType<typeof transferStore>
export type Party = Pick<
  Selectable<Tables['platform.organizations']>,
  'id' | 'slug' | 'name' | 'tier' | 'restriction_status'
>
export type Moving = Pick<
  Selectable<Tables['platform.projects']>,
  'id' | 'ref' | 'name' | 'organization_id' | 'status' | 'job_id' | 'compute_size'
> & {
  /** It is a branch, or has some. */
  branched: boolean
}

const uniqueViolation = '23505'

/** The two organizations of a transfer and the project between them. */
export function transferStore(db: Db) {
  const party = (tx: Tx) =>
    tx
      .selectFrom('platform.organizations')
      .select(['id', 'slug', 'name', 'tier', 'restriction_status'])
      // Neither may go, nor be restricted, before the transfer is over.
      .forShare()

  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    organizationOf: async (ref: string): Promise<string | undefined> =>
      (
        await db
          .selectFrom('platform.projects')
          .select('organization_id')
          .where('ref', '=', ref)
          .executeTakeFirst()
      )?.organization_id,

    /** Locked: nobody gives it a job before the transfer is over. */
    project: (tx: Tx, ref: string): Promise<Moving | undefined> =>
      tx
        .selectFrom('platform.projects')
        .select(['id', 'ref', 'name', 'organization_id', 'status', 'job_id', 'compute_size'])
        .select(
          sql<boolean>`parent_id is not null or exists (
            select from platform.projects branch
            where branch.parent_id = projects.id and branch.status <> 'REMOVED')`.as('branched'),
        )
        .where('ref', '=', ref)
        .where('status', '<>', 'REMOVED')
        .forUpdate()
        .executeTakeFirst(),

    organization: (tx: Tx, slug: string): Promise<Party | undefined> =>
      party(tx).where('slug', '=', slug).executeTakeFirst(),

    organizationById: (tx: Tx, id: string): Promise<Party> =>
      party(tx).where('id', '=', id).executeTakeFirstOrThrow(),

    nameTaken: async (tx: Tx, organizationId: string, name: string): Promise<boolean> =>
      (await tx
        .selectFrom('platform.projects')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where(sql<string>`lower(name)`, '=', name.toLowerCase())
        .where('status', 'not in', ['REMOVED', 'GOING_DOWN'])
        .executeTakeFirst()) !== undefined,

    /** Members who have a role for this project alone, and those of the source who are not in the target. */
    async losers(tx: Tx, projectId: string, from: string, to: string) {
      const roles = await tx
        .selectFrom('platform.project_role_projects')
        .select((e) => e.fn.countAll<string>().as('count'))
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      const members = await tx
        .selectFrom('platform.members as member')
        .select((e) => e.fn.countAll<string>().as('count'))
        .where('member.organization_id', '=', from)
        .where('member.user_id', 'not in', (e) =>
          e.selectFrom('platform.members').select('user_id').where('organization_id', '=', to),
        )
        .executeTakeFirstOrThrow()
      return { roles: Number(roles.count), members: Number(members.count) }
    },

    /**
     * The project belongs to the other organization from now on; roles for it alone end, with those that were for nothing
     * else. False when it has a project of that name; `tx` can then only be rolled back.
     */
    async move(tx: Tx, project: Moving, to: string): Promise<boolean> {
      await tx
        .deleteFrom('platform.project_role_projects')
        .where('project_id', '=', project.id)
        .execute()
      await tx
        .deleteFrom('platform.project_roles as role')
        .where('role.organization_id', '=', project.organization_id)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('platform.project_role_projects as link')
                .select('link.role_id')
                .whereRef('link.role_id', '=', 'role.id'),
            ),
          ),
        )
        .execute()
      await moveAddOns(tx, project.ref, to)
      try {
        await tx
          .updateTable('platform.projects')
          .set({ organization_id: to, updated_at: new Date() })
          .where('id', '=', project.id)
          // The channel on which data planes hear of projects that changed (projects/store.ts).
          .returning(sql`pg_notify('plinth_projects', ref)`.as('told'))
          .execute()
        return true
      } catch (error) {
        if (error instanceof DatabaseError && error.code === uniqueViolation) return false
        throw error
      }
    },
  }
}

/** Add-ons that are on end for the one organization and begin for the other; compute follows the project by itself. */
async function moveAddOns(tx: Tx, ref: string, to: string): Promise<void> {
  const at = new Date()
  const ended = await tx
    .updateTable('platform.add_on_usage')
    .set({ ended_at: sql`greatest(started_at, ${at})` })
    .where('project_ref', '=', ref)
    .where('ended_at', 'is', null)
    .returning(['project_ref', 'project_name', 'variant', 'item'])
    .execute()
  const begun = ended.map((usage) => ({
    ...usage,
    organization_id: to,
    started_at: at,
    ended_at: null,
  }))
  if (begun.length > 0) await tx.insertInto('platform.add_on_usage').values(begun).execute()
}
