import type { billingOperator as api } from '#contract/billing/billing-operator'
import type { Output, Parsed } from '#contract/endpoint'
import { formatCents } from '#contract/billing/money'
import { ApiError } from '#kit/errors'
import type { Job } from '#kit/jobs'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { Books } from './books.ts'
import type { Restriction } from './restriction.ts'
import type { BillingStore, Payer } from './store.ts'

type Deps = {
  store: BillingStore
  books: Books
  restriction: Restriction
  record: RecordChange
  startJob: (job: Job) => Promise<void>
  planChanged: (tx: Tx, organizationId: string, at: Date) => Promise<void>
  now: () => Date
}

/** What the operator of the platform decides by hand; every call carries the internal token. */
export function createOperator(deps: Deps) {
  const { store, books, restriction, record, startJob, planChanged, now } = deps
  async function locked(tx: Tx, slug: string): Promise<Payer> {
    const found = await store.payer(slug, tx)
    if (!found) throw new ApiError('organization_not_found')
    await store.lockBooks(tx, found.id)
    const payer = await store.payerById(found.id, tx)
    if (!payer) throw new ApiError('organization_not_found')
    return payer
  }
  const entry = (payer: Payer, action: string, change: Record<string, unknown>) => ({
    organizationId: payer.id,
    actor: null,
    action,
    target: `organization:${payer.slug}`,
    change,
    origin: null,
  })

  return {
    giveCredit: ({ slug, amount, description, key }: Parsed<typeof api.giveCredit>) =>
      store.transaction(async (tx) => {
        const payer = await locked(tx, slug)
        const before = await books.credit(payer.id, tx)
        const balance = await books.give(tx, payer, amount, description, key)
        if (balance !== before) {
          const after = { credit: formatCents(amount), description }
          await record(tx, entry(payer, 'billing.giveCredit', { after }))
        }
        return { balance }
      }),

    async setStanding({
      slug,
      tier,
      billing_partner: partner,
      restriction_status: status,
    }: Parsed<typeof api.setStanding>): Promise<Output<typeof api.setStanding>> {
      const { payer, jobs } = await store.transaction(async (tx) => {
        const before = await locked(tx, slug)
        if (tier !== undefined) {
          await store.setTier(tx, before.id, tier)
          await planChanged(tx, before.id, now())
        }
        if (partner !== undefined) await restriction.setPartner(tx, before.id, partner)
        if (tier !== undefined || partner !== undefined) {
          const was = { tier: before.tier, billing_partner: before.billing_partner }
          const change = { before: was, after: { tier, billing_partner: partner } }
          await record(tx, entry(before, 'billing.setStanding', change))
        }
        const restrict = status === undefined ? [] : await restriction.set(tx, before, status)
        const review = await restriction.review(tx, before.id)
        return {
          payer: (await store.payerById(before.id, tx)) ?? before,
          jobs: [...restrict, ...review],
        }
      })
      for (const job of jobs) await startJob(job)
      return {
        slug,
        tier: payer.tier,
        billing_partner: payer.billing_partner,
        restriction_status: payer.restriction_status,
        grace_period_end: payer.grace_period_end?.toISOString() ?? null,
      }
    },
  }
}
export type Operator = ReturnType<typeof createOperator>
