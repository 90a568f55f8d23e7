import { sql } from 'kysely'
import type { RestrictionStatus } from '#contract/billing/billing-operator'
import type { Db, Tx } from '../../platform-database/database.ts'

export type Standing = {
  restriction_status: RestrictionStatus | null
  restriction_cause: 'overdue' | 'operator' | null
  grace_period_end: Date | null
}
export type RestrictionStore = ReturnType<typeof restrictionStore>

export function restrictionStore(db: Db) {
  return {
    /** Organizations that owe, and those that are in a state for having owed. */
    toReview: (now: Date): Promise<{ id: string }[]> =>
      db
        .selectFrom('platform.organizations as organization')
        .select('organization.id')
        .where((e) =>
          e.or([
            e('organization.restriction_cause', '=', 'overdue'),
            e.exists(
              e
                .selectFrom('platform.invoices as invoice')
                .select('invoice.id')
                .whereRef('invoice.organization_id', '=', 'organization.id')
                .where('invoice.status', 'in', ['open', 'uncollectible'])
                .where('invoice.due_at', '<', now),
            ),
          ]),
        )
        .orderBy('organization.id')
        .execute(),

    /** One compare-and-set: false when the state was not `from` any more. */
    move: async (
      tx: Tx,
      id: string,
      from: RestrictionStatus | null,
      to: Standing,
    ): Promise<boolean> =>
      (await tx
        .updateTable('platform.organizations')
        .set(to)
        .where('id', '=', id)
        .where(sql<boolean>`restriction_status is not distinct from ${from}::text`)
        .returning('id')
        .executeTakeFirst()) !== undefined,

    async setPartner(
      tx: Tx,
      id: string,
      partner: 'vercel_marketplace' | 'aws_marketplace' | 'fly' | null,
    ) {
      await tx
        .updateTable('platform.organizations')
        .set({ billing_partner: partner })
        .where('id', '=', id)
        .execute()
    },
  }
}
