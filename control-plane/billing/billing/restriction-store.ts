import { sql } from 'kysely'
import type { RestrictionStatus } from '#contract/billing/billing-operator'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { OwnCause, Stage, Stages, Standing } from './stages.ts'

export type RestrictionStore = ReturnType<typeof restrictionStore>

export function restrictionStore(db: Db) {
  return {
    /** Organizations that owe, and those that are in a state for what they did. */
    toReview: (now: Date): Promise<{ id: string }[]> =>
      db
        .selectFrom('platform.organizations as organization')
        .select('organization.id')
        .where((e) =>
          e.or([
            e.exists(
              e
                .selectFrom('platform.restriction_stages as stage')
                .select('stage.cause')
                .whereRef('stage.organization_id', '=', 'organization.id'),
            ),
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

    /** How far each cause has come, and when the last grace period for a quota began. */
    async stages(tx: Tx, id: string): Promise<{ stages: Stages; quotaGraceAt: Date | null }> {
      const rows = await tx
        .selectFrom('platform.restriction_stages')
        .select(['cause', 'status', 'grace_period_end'])
        .where('organization_id', '=', id)
        .execute()
      const of = (cause: OwnCause): Stage | null => {
        const row = rows.find((one) => one.cause === cause)
        return row ? { status: row.status, grace_period_end: row.grace_period_end } : null
      }
      const { quota_grace_at } = await tx
        .selectFrom('platform.organizations')
        .select('quota_grace_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return {
        stages: { overdue: of('overdue'), quota: of('quota') },
        quotaGraceAt: quota_grace_at,
      }
    },

    async keepStage(tx: Tx, id: string, cause: OwnCause, stage: Stage | null): Promise<void> {
      if (stage === null) {
        await tx
          .deleteFrom('platform.restriction_stages')
          .where('organization_id', '=', id)
          .where('cause', '=', cause)
          .execute()
        return
      }
      await tx
        .insertInto('platform.restriction_stages')
        .values({ organization_id: id, cause, ...stage })
        .onConflict((conflict) =>
          conflict.columns(['organization_id', 'cause']).doUpdateSet({ ...stage }),
        )
        .execute()
    },

    async noteQuotaGrace(tx: Tx, id: string, at: Date): Promise<void> {
      await tx
        .updateTable('platform.organizations')
        .set({ quota_grace_at: at })
        .where('id', '=', id)
        .execute()
    },

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
