import { sql, type Selectable } from 'kysely'
import type { Tier } from '#contract/billing/plans'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'
import type { AddOnUse, ComputeUse } from './lines.ts'
import type { Period } from './periods.ts'

export type SubscriptionRow = Selectable<Tables['platform.subscriptions']>
export type Payer = Pick<
  Selectable<Tables['platform.organizations']>,
  | 'id'
  | 'slug'
  | 'name'
  | 'tier'
  | 'billing_email'
  | 'billing_partner'
  | 'restriction_status'
  | 'restriction_cause'
  | 'grace_period_end'
>
export type BillingStore = ReturnType<typeof billingStore>

const payerColumns = [
  'id',
  'slug',
  'name',
  'tier',
  'billing_email',
  'billing_partner',
  'restriction_status',
  'restriction_cause',
  'grace_period_end',
] as const

/** Organizations as payers, their subscriptions, and what they have used. */
export function billingStore(db: Db) {
  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    /** Makes everything that concerns the money of one organization take turns until `tx` ends. */
    async lockBooks(tx: Tx, organizationId: string): Promise<void> {
      const key = `billing:${organizationId}`
      await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
    },

    payer: (slug: string, from: Db | Tx = db): Promise<Payer | undefined> =>
      from
        .selectFrom('platform.organizations')
        .select(payerColumns)
        .where('slug', '=', slug)
        .executeTakeFirst(),

    payerById: (id: string, from: Db | Tx = db): Promise<Payer | undefined> =>
      from
        .selectFrom('platform.organizations')
        .select(payerColumns)
        .where('id', '=', id)
        .executeTakeFirst(),

    async setTier(tx: Tx, id: string, tier: Tier): Promise<void> {
      await tx.updateTable('platform.organizations').set({ tier }).where('id', '=', id).execute()
    },

    /** Free projects run on the smallest size; the provider takes it up when a project starts the next time. */
    async shrinkProjects(tx: Tx, organizationId: string): Promise<void> {
      await tx
        .updateTable('platform.projects')
        .set({ compute_size: 'nano' })
        .where('organization_id', '=', organizationId)
        .where('compute_size', '<>', 'nano')
        .where('status', '<>', 'REMOVED')
        .execute()
    },

    subscription: (id: string, from: Db | Tx = db): Promise<SubscriptionRow | undefined> =>
      from
        .selectFrom('platform.subscriptions')
        .selectAll()
        .where('organization_id', '=', id)
        .executeTakeFirst(),

    /** False when there is one already. */
    insertSubscription: async (tx: Tx, row: Omit<SubscriptionRow, 'scheduled_tier'>) =>
      (await tx
        .insertInto('platform.subscriptions')
        .values({ ...row, scheduled_tier: null })
        .onConflict((conflict) => conflict.doNothing())
        .returning('organization_id')
        .executeTakeFirst()) !== undefined,

    async updateSubscription(
      tx: Tx,
      id: string,
      values: Partial<Omit<SubscriptionRow, 'organization_id'>>,
    ): Promise<void> {
      await tx
        .updateTable('platform.subscriptions')
        .set(values)
        .where('organization_id', '=', id)
        .execute()
    },

    /** Organizations whose subscription has not begun. */
    withoutSubscription: (): Promise<{ id: string }[]> =>
      db
        .selectFrom('platform.organizations as organization')
        .leftJoin(
          'platform.subscriptions as subscription',
          'subscription.organization_id',
          'organization.id',
        )
        .select('organization.id')
        .where('subscription.organization_id', 'is', null)
        .limit(500)
        .execute(),

    /** Periods that have ended and for which no run was accepted yet. */
    ended: (now: Date): Promise<{ organization_id: string; period_end: Date }[]> =>
      db
        .selectFrom('platform.subscriptions as subscription')
        .select(['subscription.organization_id', 'subscription.period_end'])
        .where('subscription.period_end', '<=', now)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('platform.billing_runs as run')
                .select('run.job_id')
                .whereRef('run.organization_id', '=', 'subscription.organization_id')
                .whereRef('run.period_end', '=', 'subscription.period_end'),
            ),
          ),
        )
        .limit(500)
        .execute(),

    /** False when a run for this period was accepted before. */
    insertRun: async (tx: Tx, organizationId: string, periodEnd: Date, jobId: string) =>
      (await tx
        .insertInto('platform.billing_runs')
        .values({ organization_id: organizationId, period_end: periodEnd, job_id: jobId })
        .onConflict((conflict) => conflict.doNothing())
        .returning('job_id')
        .executeTakeFirst()) !== undefined,

    /** The cycle before the one that begins at `start`, and the tier that it had. */
    async cycleBefore(organizationId: string, start: Date, from: Db | Tx = db) {
      const row = await from
        .selectFrom('platform.billing_cycles')
        .select(['started_at as start', 'ended_at as end', 'tier'])
        .where('organization_id', '=', organizationId)
        .where('started_at', '<', start)
        .orderBy('started_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && row.tier !== null ? { ...row, tier: row.tier } : undefined
    },

    compute: (organizationId: string, period: Period, from: Db | Tx = db): Promise<ComputeUse[]> =>
      from
        .selectFrom('platform.compute_usage as used')
        // A project that is gone still has its row.
        .leftJoin('platform.projects as parent', 'parent.ref', 'used.branch_of')
        .select([
          'used.project_ref as ref',
          'used.project_name as name',
          'used.compute_size as size',
          'used.replica',
          'used.branch_of',
          'parent.name as parent_name',
          'used.started_at as start',
          'used.ended_at as end',
        ])
        .where('used.organization_id', '=', organizationId)
        .where('used.started_at', '<', period.end)
        .where((e) => e.or([e('used.ended_at', 'is', null), e('used.ended_at', '>', period.start)]))
        .orderBy('used.id')
        .execute(),

    addOns: (organizationId: string, period: Period, from: Db | Tx = db): Promise<AddOnUse[]> =>
      from
        .selectFrom('platform.add_on_usage')
        .select([
          'project_ref as ref',
          'project_name as name',
          'variant',
          'item',
          'started_at as start',
          'ended_at as end',
        ])
        .where('organization_id', '=', organizationId)
        .where('started_at', '<', period.end)
        .where((e) => e.or([e('ended_at', 'is', null), e('ended_at', '>', period.start)]))
        .orderBy('id')
        .execute(),

    /** What is switched on now, compute as the variant that its size is. */
    projectAddOns: (organizationId: string): Promise<ProjectAddOns[]> =>
      db
        .selectFrom('platform.projects as project')
        .select([
          'project.ref',
          'project.name',
          'project.compute_size',
          sql<string[]>`array(
            select usage.variant from platform.add_on_usage usage
            where usage.project_ref = project.ref and usage.ended_at is null
            group by usage.variant order by min(usage.id)
          )`.as('variants'),
        ])
        .where('project.organization_id', '=', organizationId)
        .where('project.status', '<>', 'REMOVED')
        .orderBy('project.id')
        .execute(),

    slugOfProject: async (ref: string): Promise<string | undefined> =>
      (
        await db
          .selectFrom('platform.projects as project')
          .innerJoin(
            'platform.organizations as organization',
            'organization.id',
            'project.organization_id',
          )
          .select('organization.slug')
          .where('project.ref', '=', ref)
          .where('project.status', '<>', 'REMOVED')
          .executeTakeFirst()
      )?.slug,

    async keepFeedback(organizationId: string, reasons: readonly string[], message: string) {
      await db
        .insertInto('platform.downgrade_feedback')
        .values({ organization_id: organizationId, reasons: [...reasons], message })
        .execute()
    },
  }
}

type ProjectAddOns = {
  ref: string
  name: string
  compute_size: ComputeUse['size']
  variants: string[]
}
