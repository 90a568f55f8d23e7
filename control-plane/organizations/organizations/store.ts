import { sql, type Selectable } from 'kysely'
import type { RoleName } from '#contract/permissions'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'

type Row = Selectable<Tables['platform.organizations']>
export type OrganizationRow = Row & {
  role: RoleName | null
  missing_address: boolean
  exceeds_quota: boolean
  member_count: string
  project_count: string
}
/** What its owners can change. */
export type OrganizationSettings = Pick<
  Row,
  'name' | 'billing_email' | 'kind' | 'size' | 'opt_in_tags' | 'requires_mfa'
>
export type OrganizationStore = ReturnType<typeof organizationStore>

type NewRow = Pick<Row, 'name' | 'kind' | 'size' | 'tier' | 'billing_email'> & {
  /** Tried in order until one is free. */
  slugs: string[]
}

export function organizationStore(db: Db) {
  const visibleTo = (userId: string) =>
    db
      .selectFrom('platform.organizations as organization')
      .innerJoin('platform.members as member', 'member.organization_id', 'organization.id')
      .selectAll('organization')
      .select([
        'member.role',
        // On a paid plan, not billed by a partner, and no address to bill to.
        sql<boolean>`(organization.tier <> 'tier_free' and organization.billing_partner is null and not exists (
          select 1 from platform.billing_customers c where c.organization_id = organization.id and c.address is not null))`.as(
          'missing_address',
        ),
        sql<boolean>`exists (select 1 from platform.restriction_stages s where s.organization_id = organization.id and s.cause = 'quota')`.as(
          'exceeds_quota',
        ),
        sql<string>`(select count(*) from platform.members m where m.organization_id = organization.id)`.as(
          'member_count',
        ),
        sql<string>`(select count(*) from platform.projects p where p.organization_id = organization.id and p.status <> 'REMOVED' and not p.is_dry_run
          and (member.role is not null or exists (select 1 from platform.project_role_projects l where l.project_id = p.id and l.user_id = member.user_id)))`.as(
          'project_count',
        ),
      ])
      .where('member.user_id', '=', userId)

  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    /** Sorted by name as people read it (requirements §7). */
    list: (userId: string): Promise<OrganizationRow[]> =>
      visibleTo(userId)
        .orderBy(sql`lower(organization.name)`)
        .orderBy('organization.id')
        .execute(),

    find: (userId: string, slug: string): Promise<OrganizationRow | undefined> =>
      visibleTo(userId).where('organization.slug', '=', slug).executeTakeFirst(),

    hasProfile: async (userId: string): Promise<boolean> =>
      (await db
        .selectFrom('platform.profiles')
        .select('id')
        .where('user_id', '=', userId)
        .executeTakeFirst()) !== undefined,

    async insert(tx: Tx, { slugs, ...row }: NewRow): Promise<{ id: string; slug: string }> {
      for (const slug of slugs) {
        const made = await tx
          .insertInto('platform.organizations')
          .values({ ...row, slug })
          .onConflict((conflict) => conflict.column('slug').doNothing())
          .returning(['id', 'slug'])
          .executeTakeFirst()
        if (made) return made
      }
      throw new Error('No free slug was found among random ones')
    },

    async addMember(tx: Tx, organizationId: string, userId: string, role: RoleName) {
      await tx
        .insertInto('platform.members')
        .values({ organization_id: organizationId, user_id: userId, role })
        .execute()
    },

    lock: (tx: Tx, slug: string): Promise<Row | undefined> =>
      tx
        .selectFrom('platform.organizations')
        .selectAll()
        .where('slug', '=', slug)
        .forUpdate()
        .executeTakeFirst(),

    async update(tx: Tx, id: string, values: OrganizationSettings): Promise<void> {
      await tx.updateTable('platform.organizations').set(values).where('id', '=', id).execute()
    },

    hasProjects: async (tx: Tx, id: string): Promise<boolean> =>
      (await tx
        .selectFrom('platform.projects')
        .select('id')
        .where('organization_id', '=', id)
        .where('status', '<>', 'REMOVED')
        .limit(1)
        .executeTakeFirst()) !== undefined,

    /** Deleted ones that can still be brought back. */
    hasTrash: async (tx: Tx, id: string): Promise<boolean> =>
      (await tx
        .selectFrom('platform.projects')
        .select('id')
        .where('organization_id', '=', id)
        .where('deleted_at', 'is not', null)
        .limit(1)
        .executeTakeFirst()) !== undefined,

    /** Also drops the rows of its removed projects, which nothing refers to any more. */
    async remove(tx: Tx, id: string): Promise<void> {
      await tx.deleteFrom('platform.projects').where('organization_id', '=', id).execute()
      await tx.deleteFrom('platform.organizations').where('id', '=', id).execute()
    },
  }
}
