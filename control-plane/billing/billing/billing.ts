import type { Permission } from '#contract/permissions'
import { allows } from '#contract/permissions'
import { offersSize, smallestSize, type ComputeSizeId } from '#contract/projects/compute-sizes'
import { planNames, planOfTier, type Tier } from '#contract/billing/plans'
import { ApiError } from '#kit/errors'
import type { Caller } from '#kit/http'
import type { Job } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { EachSubject } from '#kit/subjects'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { AcceptJob } from '../../operations/jobs/store.ts'
import type { PaymentBackend } from './backends/backend.ts'
import { createBooks } from './books.ts'
import { customerStore } from './customer-store.ts'
import { createCustomers } from './customers.ts'
import { createCycles } from './cycles.ts'
import { createFreeProjects } from './free-projects.ts'
import { freeStore } from './free-store.ts'
import { invoiceStore } from './invoice-store.ts'
import { createLateLines } from './late.ts'
import { createInvoices } from './invoices.ts'
import { ledgerStore } from './ledger-store.ts'
import type { UsageCharges } from './lines.ts'
import { createOperator } from './operator.ts'
import { paymentStore } from './payment-store.ts'
import { createPayments } from './payments.ts'
import { createProjectAddOns } from './project-add-ons.ts'
import { restrictionStore } from './restriction-store.ts'
import { createRestriction, refuseRestricted, type StandingNews } from './restriction.ts'
import { billingStore } from './store.ts'
import { createSubscriptions } from './subscriptions.ts'

export type BillingDeps = {
  db: Db
  record: RecordChange
  acceptJob: AcceptJob
  startJob: (job: Job) => Promise<void>
  backend: PaymentBackend
  usage: UsageCharges
  exceedsQuota: (tx: Tx, payer: { id: string; tier: Tier }) => Promise<boolean>
  tellStanding: (tx: Tx, news: StandingNews) => Promise<Job[]>
  /** After an organization has got another plan: begins or ends what only some plans have, from a moment on. */
  planChanged: (tx: Tx, organizationId: string, at: Date) => Promise<void>
  permissionsOf: (userId: string) => Promise<Permission[]>
  notifyProjects: (tx: Tx, organizationId: string) => Promise<void>
  refsOf: (organizationId: string) => Promise<string[]>
  setReadOnly: (ref: string, readOnly: boolean) => Promise<void>
  each: EachSubject
  /** The dashboard's own address, without a slash at its end. */
  url: string
  /** Name and address of who sends the invoices, a line each. */
  sender: string
  now?: (() => Date) | undefined
  log: Log
}
export type Billing = ReturnType<typeof createBilling>
export type BillingParts = Billing['parts']

/** Plans, money and what depends on them. Assembled here; each part is a file of its own. */
export function createBilling(deps: BillingDeps) {
  const { db, record, acceptJob, startJob, backend, log, now = () => new Date() } = deps
  const store = billingStore(db)
  const invoices = invoiceStore(db)
  const customers = customerStore(db)
  const books = createBooks({ invoices, ledger: ledgerStore(db), customers, now })
  const free = createFreeProjects(freeStore(db))
  const restriction = createRestriction({
    ...deps,
    store,
    standings: restrictionStore(db),
    invoices,
    now,
  })
  const hasCard = async (organizationId: string) => {
    const { external_id } = await customers.find(organizationId)
    try {
      return (await backend.cards(external_id)).defaultId !== null
    } catch (error) {
      log.warn({ err: error }, 'the payment provider does not answer')
      return false
    }
  }
  const subscriptions = createSubscriptions({
    store,
    invoices,
    books,
    free,
    record,
    acceptJob,
    startJob,
    review: restriction.review,
    planChanged: deps.planChanged,
    acceptsCards: backend.acceptsCards,
    hasCard,
    now,
  })
  const { payerOf, subscriptionOf, begin, bill } = subscriptions
  const late = createLateLines({ store, invoices, usage: deps.usage })
  const shown = createInvoices({
    store,
    invoices,
    books,
    usage: deps.usage,
    late,
    payerOf,
    subscriptionOf,
    now,
  })
  const payments = createPayments({
    ...deps,
    store,
    invoices,
    shown,
    customers,
    payments: paymentStore(db),
    books,
    bill,
    review: restriction.review,
    payerOf,
    now,
  })
  const cycles = createCycles({
    store,
    invoices,
    books,
    usage: deps.usage,
    late,
    record,
    acceptJob,
    startJob,
    review: restriction.review,
    planChanged: deps.planChanged,
    begin,
    each: deps.each,
    collect: payments.collect,
    now,
  })

  return {
    parts: {
      subscriptions,
      invoices: shown,
      payments,
      customers: createCustomers({ ...deps, store, customers, books, payments, payerOf }),
      operator: createOperator({ ...deps, store, books, restriction, now }),
      free,
      projectAddOns: createProjectAddOns(store),
      keepFeedback: store.keepFeedback,

      async invoicePdf(slug: string, id: string) {
        const invoice = await shown.rowOf(slug, id)
        const lines = await invoices.lines(id)
        // What draws papers is as large as the rest of billing: it is loaded for the first one.
        const { invoicePdf } = await import('./invoice-pdf.ts')
        return {
          number: invoice.number ?? 'invoice',
          stream: invoicePdf({ invoice, lines, sender: deps.sender }),
        }
      },

      async overdueOf(caller: Caller) {
        const rows = await deps.permissionsOf(caller.userId)
        const slugs = new Map(rows.map((row) => [row.organization_id, row.organization_slug]))
        const seen = [...slugs].filter(([, organizationSlug]) =>
          allows(rows, 'billing:Read', 'stripe.subscriptions', { organizationSlug }),
        )
        const overdue = await invoices.overdueOf(
          seen.map(([id]) => String(id)),
          now(),
        )
        return overdue.map(({ organization_id, count }) => ({
          organization_id: Number(organization_id),
          overdue_invoice_count: Number(count),
        }))
      },
    },

    workflows: { ...cycles.workflows, ...restriction.workflows },

    /** Looks at the standing of one organization again, and sees to what follows. */
    review: (organizationId: string) => restriction.reviewNow(organizationId, startJob),

    /** Everything that the clock asks for. */
    async round(): Promise<void> {
      const parts = ['cycles', 'restriction'] as const
      const run = { cycles: cycles.round, restriction: () => restriction.round(startJob) }
      await deps.each('billing', parts, String, (part) => run[part]())
    },

    /** For who makes an organization: its subscription, in the transaction that makes it. */
    beginning: {
      begin: async (tx: Tx, organizationId: string): Promise<Job | undefined> =>
        (await begin(tx, organizationId)).job,
      startJob,
    },

    /** For who deletes an organization: what it still has to pay. */
    hasUnpaid: invoices.hasUnpaid,
    freeSlots: free.freeSlots,
    /** For the organization list: cents paid ahead and the like are not there, only what decides banners. */
    refuseRestricted,

    /** For who makes, restores or takes in a project: whether the organization may have it running. */
    admission: {
      /** Returns the compute size it gets. */
      async create(
        tx: Tx,
        input: { organizationId: string; callerId: string; size: ComputeSizeId | undefined },
      ): Promise<ComputeSizeId> {
        const plan = await admit(tx, input.organizationId, input.callerId)
        const size = input.size ?? smallestSize(plan)
        if (!offersSize(plan, size)) {
          throw new ApiError(
            'plan_limit',
            `The ${planNames[plan]} plan does not offer this compute size`,
          )
        }
        return size
      },
      /** One that exists and is to run (again) in this organization: restored, or transferred while it runs. */
      async run(
        tx: Tx,
        input: { organizationId: string; callerId: string; ref: string },
      ): Promise<void> {
        await admit(tx, input.organizationId, input.callerId, input.ref)
      },
    },
  }

  async function admit(tx: Tx, organizationId: string, callerId: string, ref?: string) {
    const payer = await store.payerById(organizationId, tx)
    if (!payer) throw new ApiError('organization_not_found')
    refuseRestricted(payer)
    const plan = planOfTier[payer.tier]
    const row = await store.subscription(organizationId, tx)
    if (plan === 'free' || row?.scheduled_tier === 'tier_free') {
      const except = ref === undefined ? [] : [ref]
      await free.admit(tx, organizationId, { adding: 1, except, callerId })
    }
    return plan
  }
}
