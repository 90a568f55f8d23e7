import type { Job, JobHandler } from '#kit/jobs'
import type { EachSubject } from '#kit/subjects'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { Books } from './books.ts'
import type { InvoiceStore } from './invoice-store.ts'
import type { LateLines } from './late.ts'
import { chargeLines, planLines, usageLines, type UsageCharges } from './lines.ts'
import { cycleKey, periodFrom } from './periods.ts'
import type { BillingStore } from './store.ts'

type Deps = {
  store: BillingStore
  invoices: InvoiceStore
  books: Books
  usage: UsageCharges
  late: LateLines
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  begin: (tx: Tx, organizationId: string) => Promise<unknown>
  /** Looks at the standing of an organization again: what was used belongs to the cycle that has ended. */
  review: (tx: Tx, organizationId: string) => Promise<Job[]>
  planChanged: (tx: Tx, organizationId: string, at: Date) => Promise<void>
  collect: (invoiceId: string) => Promise<void>
  each: EachSubject
  now: () => Date
}

const retries = { attempts: 8, seconds: 2 }

const subjectOf = (organizationId: string, end: Date) => `${organizationId} ${end.toISOString()}`

/**
 * The end of a period: what it has cost is billed together with the next month of the plan, and a scheduled change takes
 * effect. One job for each organization and period; each of its steps finds out by itself that it was done before.
 */
export function createCycles(deps: Deps) {
  const { store, invoices, books, now } = deps

  /** Ends the period that ends at `end`. Returns the draft of its invoice, where there is something to bill. */
  async function close(organizationId: string, end: Date): Promise<string | null> {
    await deps.usage.settle()
    const closed = await store.transaction(async (tx) => {
      await store.lockBooks(tx, organizationId)
      const payer = await store.payerById(organizationId, tx)
      const row = await store.subscription(organizationId, tx)
      const before = await invoices.byKey(organizationId, cycleKey(end), tx)
      // Also when the period was restarted by an upgrade after this run was accepted.
      if (!payer || row?.period_end.getTime() !== end.getTime() || end > now()) {
        return { id: before?.id ?? null, jobs: [] }
      }
      const period = { start: row.period_start, end }
      const next = periodFrom(row.anchor, end)
      const tier = row.scheduled_tier ?? payer.tier
      const lines = [
        ...usageLines(
          payer.tier,
          await store.compute(payer.id, period, tx),
          await store.addOns(payer.id, period, tx),
          period,
        ),
        ...chargeLines(
          await deps.usage.charges({ organizationId, tier: payer.tier, period }, tx),
          period,
        ),
        ...(await deps.late(payer.id, period, tx)),
        ...planLines(tier, next),
      ]
      await store.updateSubscription(tx, payer.id, {
        period_start: next.start,
        period_end: next.end,
        scheduled_tier: null,
      })
      if (tier !== payer.tier) {
        await store.setTier(tx, payer.id, tier)
        // From the end of the period on, however late it is closed: the next one has none of it.
        await deps.planChanged(tx, payer.id, end)
        if (tier === 'tier_free') await store.shrinkProjects(tx, payer.id)
        await deps.record(tx, {
          organizationId: payer.id,
          actor: null,
          action: 'billing.changeSubscription',
          target: `organization:${payer.slug}`,
          change: { before: { tier: payer.tier }, after: { tier } },
          origin: null,
        })
      }
      const jobs = await deps.review(tx, payer.id)
      if (payer.billing_partner || lines.length === 0) return { id: null, jobs }
      const key = cycleKey(end)
      const draft = await books.draft(tx, payer, {
        key,
        reason: 'subscription_cycle',
        period,
        lines,
      })
      return { id: draft?.id ?? before?.id ?? null, jobs }
    })
    for (const job of closed.jobs) await deps.startJob(job)
    return closed.id
  }

  async function issue(organizationId: string, invoiceId: string): Promise<void> {
    await store.transaction(async (tx) => {
      await store.lockBooks(tx, organizationId)
      const payer = await store.payerById(organizationId, tx)
      // Nobody can delete an organization with a draft; should one be gone all the same, its draft stays one.
      if (payer) await books.issue(tx, payer, invoiceId)
    })
  }

  const workflows: Record<string, JobHandler> = {
    'billing.cycle': async ({ subject }, step) => {
      const [organizationId = '', end = ''] = subject.split(' ')
      const invoiceId = await step('draft', () => close(organizationId, new Date(end)), retries)
      if (invoiceId === null) return
      await step('issue', () => issue(organizationId, invoiceId), retries)
      await step('collect', () => deps.collect(invoiceId), retries)
    },
    'billing.collect': async ({ subject }, step) => {
      await step('collect', () => deps.collect(subject), retries)
    },
  }

  /** Accepts the run for a period once. */
  async function accept(organizationId: string, end: Date): Promise<Job | undefined> {
    return store
      .transaction(async (tx) => {
        await store.lockBooks(tx, organizationId)
        const job = await deps.acceptJob(tx, 'billing.cycle', subjectOf(organizationId, end))
        const fresh = await store.insertRun(tx, organizationId, end, job.id)
        return fresh ? job : Promise.reject(new AcceptedBefore())
      })
      .catch((error: unknown) => {
        if (error instanceof AcceptedBefore) return undefined
        throw error
      })
  }

  return {
    workflows,

    /** Begins what has not begun and accepts a run for every period that has ended. Safe to call twice, also at once. */
    async round(): Promise<void> {
      await deps.each(
        'subscriptions to begin',
        await store.withoutSubscription(),
        ({ id }) => id,
        ({ id }) => store.transaction((tx) => deps.begin(tx, id)),
      )
      await deps.each(
        'billing periods that have ended',
        await store.ended(now()),
        ({ organization_id: id }) => id,
        async ({ organization_id: id, period_end: end }) => {
          const job = await accept(id, end)
          if (job) await deps.startJob(job)
        },
      )
    },
  }
}

/** Rolls the acceptance back: somebody else's run is there. */
class AcceptedBefore extends Error {}
