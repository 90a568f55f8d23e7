import type { ChangePreview, Subscription } from '#contract/billing/billing-shapes'
import { formatCents } from '#contract/billing/money'
import { planLimits } from '#contract/limits'
import {
  planNames,
  planOfTier,
  usageIsBilled,
  type SelfServiceTier,
  type Tier,
} from '#contract/billing/plans'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Job } from '#kit/jobs'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { Books } from './books.ts'
import { changeOf, consequencesOf, kindOf, offersFrom } from './changes.ts'
import type { FreeProjects } from './free-projects.ts'
import type { InvoiceStore } from './invoice-store.ts'
import { planLines, showLine, sum } from './lines.ts'
import { periodFrom } from './periods.ts'
import { selectedAddOns } from './project-add-ons.ts'
import type { BillingStore, Payer, SubscriptionRow } from './store.ts'

type Deps = {
  store: BillingStore
  invoices: InvoiceStore
  books: Books
  free: FreeProjects
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  /** Looks at the standing of an organization again, which goes by its plan. */
  review: (tx: Tx, organizationId: string) => Promise<Job[]>
  planChanged: (tx: Tx, organizationId: string, at: Date) => Promise<void>
  acceptsCards: boolean
  /** Whether the organization has a card that is charged by itself. */
  hasCard: (organizationId: string) => Promise<boolean>
  now: () => Date
}

/** What an organization is subscribed to, and changing it. */
export function createSubscriptions(deps: Deps) {
  const { store, invoices, books, free, record, now } = deps

  async function payerOf(slug: string, tx?: Tx): Promise<Payer> {
    const payer = await store.payer(slug, tx)
    if (!payer) throw new ApiError('organization_not_found')
    return payer
  }

  /** Draws up and issues an invoice; returns the job that collects it. None where a partner bills, or nothing is asked. */
  async function bill(tx: Tx, payer: Payer, invoice: Parameters<Books['draft']>[2]) {
    if (payer.billing_partner || invoice.lines.length === 0) return undefined
    const draft = await books.draft(tx, payer, invoice)
    if (!draft) return undefined
    await books.issue(tx, payer, draft.id)
    return deps.acceptJob(tx, 'billing.collect', draft.id)
  }

  /**
   * Begins the subscription with which an organization is made. Saying it twice begins it once. `job` collects its first
   * invoice: whoever does not start it after the commit leaves it to the next round.
   */
  async function begin(
    tx: Tx,
    organizationId: string,
  ): Promise<SubscriptionRow & { job?: Job | undefined }> {
    await store.lockBooks(tx, organizationId)
    const found = await store.subscription(organizationId, tx)
    if (found) return found
    const payer = await store.payerById(organizationId, tx)
    if (!payer) throw new ApiError('organization_not_found')
    const period = periodFrom(now(), now())
    const row = {
      organization_id: organizationId,
      anchor: period.start,
      period_start: period.start,
      period_end: period.end,
    }
    await store.insertSubscription(tx, row)
    const job = await bill(tx, payer, {
      key: `start:${period.start.toISOString()}`,
      reason: 'subscription_start',
      period,
      lines: planLines(payer.tier, period),
    })
    return { ...row, scheduled_tier: null, job }
  }

  const subscriptionOf = async (payer: Payer) =>
    (await store.subscription(payer.id)) ?? store.transaction((tx) => begin(tx, payer.id))

  /** Why the change cannot be made now. */
  async function obstacle(payer: Payer, to: Tier, tx: Tx): Promise<ApiError | undefined> {
    if (payer.billing_partner) {
      return new ApiError('not_allowed', "Change this organization's plan with its billing partner")
    }
    if (payer.tier === 'tier_enterprise') {
      return new ApiError('plan_limit', 'Contact support to change an Enterprise plan')
    }
    const { change_type } = kindOf(payer.tier, to)
    if (change_type === 'upgrade' && (await invoices.overdueCount(payer.id, now(), tx)) > 0) {
      return new ApiError('unpaid_invoices')
    }
    if (to !== 'tier_free' || change_type !== 'downgrade') return undefined
    const own = (await free.activeIn(payer.id, tx)).map(({ ref }) => ref)
    try {
      await free.admit(tx, payer.id, { adding: own.length, except: own })
      return undefined
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'free_project_limit') throw error
      return error
    }
  }

  async function get(slug: string): Promise<Subscription> {
    const payer = await payerOf(slug)
    const row = await subscriptionOf(payer)
    const plan = planOfTier[payer.tier]
    const { scheduled_tier: target } = row
    return {
      plan: { id: plan, name: planNames[plan] },
      tier: payer.tier,
      addons: [],
      project_addons: selectedAddOns(await store.projectAddOns(payer.id)),
      billing_cycle_anchor: row.anchor.toISOString(),
      current_period_start: row.period_start.toISOString(),
      current_period_end: row.period_end.toISOString(),
      next_invoice_at: row.period_end.toISOString(),
      customer_balance: await books.credit(payer.id),
      payment_method_type: !deps.acceptsCards
        ? 'invoice'
        : (await deps.hasCard(payer.id))
          ? 'card'
          : 'none',
      accepts_cards: deps.acceptsCards,
      billing_via_partner: payer.billing_partner !== null,
      billing_partner: payer.billing_partner,
      scheduled_plan_change: target && {
        at: row.period_end.toISOString(),
        target_plan: planOfTier[target],
        target_tier: target,
        usage_billing_enabled: usageIsBilled[target],
      },
      usage_billing_enabled: usageIsBilled[payer.tier],
    }
  }

  return {
    get,
    begin,
    payerOf,
    subscriptionOf,
    bill,

    plans: async (slug: string) => ({ plans: offersFrom((await payerOf(slug)).tier) }),

    async preview(slug: string, to: SelfServiceTier): Promise<ChangePreview> {
      const payer = await payerOf(slug)
      const change = changeOf(payer.tier, to, await subscriptionOf(payer), now())
      const total = sum(change.lines)
      const applied = total > 0 ? Math.min(await books.credit(payer.id), total) : 0
      const plan = planOfTier[to]
      const active = await free.activeIn(payer.id)
      const blocked = await store.transaction((tx) => obstacle(payer, to, tx))
      return {
        plan: { id: plan, name: planNames[plan] },
        target_tier: to,
        change_type: change.change_type,
        effective_at: change.effective_at,
        at: change.at.toISOString(),
        lines: change.lines.map(showLine),
        total,
        credit_applied: applied,
        amount_due: Math.max(total, 0) - applied,
        monthly_price: planLimits[plan].monthlyPriceCents,
        consequences: consequencesOf(payer.tier, to, active.length),
        blocked: blocked?.message ?? null,
      }
    },

    /**
     * Changes the tier, now or at the end of the period. Row, invoice, job and audit entry are one transaction under
     * the lock of the organization's books: of two that upgrade at once, the second finds it done.
     */
    async change(
      caller: Caller,
      slug: string,
      to: SelfServiceTier,
      origin: Origin,
    ): Promise<Subscription> {
      const { id } = await payerOf(slug)
      const jobs = await store.transaction(async (tx) => {
        const row = await begin(tx, id)
        const payer = await payerOf(slug, tx)
        const change = changeOf(payer.tier, to, row, now())
        if (change.effective_at === 'none' && row.scheduled_tier === null) return []
        const refusal = change.effective_at === 'none' ? undefined : await obstacle(payer, to, tx)
        if (refusal) throw refusal
        if (row.scheduled_tier === to) return []
        const later = change.effective_at === 'end_of_billing_period'
        await store.updateSubscription(tx, payer.id, {
          scheduled_tier: later ? to : null,
          ...(change.restart
            ? {
                anchor: change.restart.start,
                period_start: change.restart.start,
                period_end: change.restart.end,
              }
            : {}),
        })
        if (change.effective_at === 'now') {
          await store.setTier(tx, payer.id, to)
          await deps.planChanged(tx, payer.id, now())
        }
        await record(tx, {
          organizationId: payer.id,
          actor: caller,
          action: 'billing.changeSubscription',
          target: `organization:${slug}`,
          change: {
            before: { tier: payer.tier, scheduled: row.scheduled_tier },
            after: later
              ? { tier: payer.tier, scheduled: to, at: change.at.toISOString() }
              : { tier: to, charged: formatCents(sum(change.lines)) },
          },
          origin,
        })
        const collect = await bill(tx, payer, {
          key: `change:${change.at.toISOString()}:${to}`,
          reason: change.restart ? 'subscription_start' : 'subscription_change',
          period: change.restart ?? { start: change.at, end: row.period_end },
          lines: change.lines,
        })
        return [...(collect ? [collect] : []), ...(await deps.review(tx, payer.id))]
      })
      for (const job of jobs) await deps.startJob(job)
      return get(slug)
    },
  }
}
export type Subscriptions = ReturnType<typeof createSubscriptions>
