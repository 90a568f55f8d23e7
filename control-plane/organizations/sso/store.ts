import type { RoleName } from '#contract/permissions'
import type { Tier } from '#contract/billing/plans'
import type { JoinRole } from '#contract/organizations/sso'
import type { Db, Tx } from '../../platform-database/database.ts'

export type SsoDomainRow = { domain: string; token: string; verified_at: Date | null }
export type SsoStore = ReturnType<typeof ssoStore>

export function ssoStore(db: Db) {
  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    /** Whoever changes the sign-in of an organization waits here for the one before. */
    lock: (tx: Tx, slug: string): Promise<{ id: string; tier: Tier } | undefined> =>
      tx
        .selectFrom('platform.organizations')
        .select(['id', 'tier'])
        .where('slug', '=', slug)
        .forUpdate()
        .executeTakeFirst(),

    idOf: async (slug: string): Promise<string | undefined> =>
      (
        await db
          .selectFrom('platform.organizations')
          .select('id')
          .where('slug', '=', slug)
          .executeTakeFirst()
      )?.id,

    find: (
      organizationId: string,
      from: Db | Tx = db,
    ): Promise<{ provider_id: string; join_role: JoinRole } | undefined> =>
      from
        .selectFrom('platform.organization_sso')
        .select(['provider_id', 'join_role'])
        .where('organization_id', '=', organizationId)
        .executeTakeFirst(),

    async save(tx: Tx, organizationId: string, providerId: string, role: JoinRole): Promise<void> {
      await tx
        .insertInto('platform.organization_sso')
        .values({ organization_id: organizationId, provider_id: providerId, join_role: role })
        .onConflict((conflict) =>
          conflict
            .column('organization_id')
            .doUpdateSet({ join_role: role, updated_at: new Date() }),
        )
        .execute()
    },

    async remove(tx: Tx, organizationId: string): Promise<void> {
      await tx
        .deleteFrom('platform.organization_sso')
        .where('organization_id', '=', organizationId)
        .execute()
      await tx
        .deleteFrom('platform.sso_domains')
        .where('organization_id', '=', organizationId)
        .execute()
    },

    domains: (organizationId: string, from: Db | Tx = db): Promise<SsoDomainRow[]> =>
      from
        .selectFrom('platform.sso_domains')
        .select(['domain', 'token', 'verified_at'])
        .where('organization_id', '=', organizationId)
        .orderBy('domain')
        .execute(),

    async addDomain(tx: Tx, organizationId: string, domain: string, token: string): Promise<void> {
      await tx
        .insertInto('platform.sso_domains')
        .values({ organization_id: organizationId, domain, token })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    async dropDomains(tx: Tx, organizationId: string, kept: readonly string[]): Promise<void> {
      await tx
        .deleteFrom('platform.sso_domains')
        .where('organization_id', '=', organizationId)
        .where('domain', 'not in', [...kept, ''])
        .execute()
    },

    isOwned: async (tx: Tx, domain: string): Promise<boolean> =>
      (await tx
        .selectFrom('platform.sso_domains')
        .select('domain')
        .where('domain', '=', domain)
        .where('verified_at', 'is not', null)
        .executeTakeFirst()) !== undefined,

    async verifyDomain(tx: Tx, organizationId: string, domain: string): Promise<void> {
      await tx
        .updateTable('platform.sso_domains')
        .set({ verified_at: new Date() })
        .where('organization_id', '=', organizationId)
        .where('domain', '=', domain)
        .execute()
    },

    /** The roles, for whole organizations, of some people in one of them. */
    async rolesOf(tx: Tx, organizationId: string, userIds: readonly string[]): Promise<RoleName[]> {
      if (userIds.length === 0) return []
      const rows = await tx
        .selectFrom('platform.members')
        .select('role')
        .where('organization_id', '=', organizationId)
        .where('user_id', 'in', userIds)
        .execute()
      return rows.flatMap(({ role }) => (role === null ? [] : [role]))
    },

    /** The organization of a provider, while it has it. */
    ofProvider: (tx: Tx, providerId: string) =>
      tx
        .selectFrom('platform.organization_sso as sso')
        .innerJoin(
          'platform.organizations as organization',
          'organization.id',
          'sso.organization_id',
        )
        .select(['organization.id', 'organization.slug', 'organization.tier', 'sso.join_role'])
        .where('sso.provider_id', '=', providerId)
        .forUpdate('organization')
        .executeTakeFirst(),
  }
}
