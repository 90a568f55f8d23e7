import { sql } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'

export type Ownership = { id: string; slug: string; name: string }
export type RemovalStore = ReturnType<typeof removalStore>

/** What ends together with an account. */
export function removalStore(db: Db) {
  const soleOwnerships = (from: Db | Tx, userId: string): Promise<Ownership[]> =>
    from
      .selectFrom('platform.members as member')
      .innerJoin(
        'platform.organizations as organization',
        'organization.id',
        'member.organization_id',
      )
      .select(['organization.id', 'organization.slug', 'organization.name'])
      .where('member.user_id', '=', userId)
      .where('member.role', '=', 'Owner')
      .where((e) =>
        e.not(
          e.exists(
            e
              .selectFrom('platform.members as other')
              .select('other.user_id')
              .whereRef('other.organization_id', '=', 'member.organization_id')
              .where('other.role', '=', 'Owner')
              .where('other.user_id', '<>', userId),
          ),
        ),
      )
      .orderBy(sql`lower(organization.name)`)
      .execute()

  return {
    soleOwnerships: (userId: string) => soleOwnerships(db, userId),

    /**
     * The same under a lock of every organization of theirs, in one order for everybody: of two owners who leave at once the
     * second sees that the first is gone.
     */
    async soleOwnershipsLocked(tx: Tx, userId: string): Promise<Ownership[]> {
      await tx
        .selectFrom('platform.organizations')
        .select('id')
        .where('id', 'in', (e) =>
          e.selectFrom('platform.members').select('organization_id').where('user_id', '=', userId),
        )
        .orderBy('id')
        .forUpdate()
        .execute()
      return soleOwnerships(tx, userId)
    },

    /** Ends every membership; returns the organizations that were left. */
    leaveAll: (
      tx: Tx,
      userId: string,
    ): Promise<{ organization_id: string; role: string | null }[]> =>
      tx
        .deleteFrom('platform.members')
        .where('user_id', '=', userId)
        .returning(['organization_id', 'role'])
        .execute(),

    async removeBelongings(tx: Tx, userId: string): Promise<void> {
      await tx.deleteFrom('platform.access_tokens').where('user_id', '=', userId).execute()
      await tx.deleteFrom('platform.consents').where('user_id', '=', userId).execute()
      await tx.deleteFrom('platform.telemetry_events').where('user_id', '=', userId).execute()
      await tx.deleteFrom('platform.notifications').where('user_id', '=', userId).execute()
      await tx.deleteFrom('platform.snippet_favorites').where('user_id', '=', userId).execute()
      // Shared snippets belong to their project by now.
      await tx
        .deleteFrom('platform.snippets')
        .where('owner_id', '=', userId)
        .where('visibility', '=', 'user')
        .execute()
    },
  }
}
