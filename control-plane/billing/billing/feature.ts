import type { Platform } from '../../platform.ts'
import { manualBackend } from './backends/manual.ts'
import type { StripeOptions } from './backends/stripe.ts'
import { createBilling, type BillingDeps } from './billing.ts'
import { createFreeProjects } from './free-projects.ts'
import { freeStore } from './free-store.ts'
import type { UsageCharges } from './lines.ts'
import { billingRoutes } from './routes.ts'

type Needs = {
  usage: UsageCharges
  exceedsQuota: BillingDeps['exceedsQuota']
  tellStanding: BillingDeps['tellStanding']
  planChanged: BillingDeps['planChanged']
  /** Tells a project's server whether it takes writes, by the organization and all else that has a say. */
  settleReadOnly: (ref: string) => Promise<void>
}

/** Plans, invoices, payments, and what happens to organizations that do not pay. */
export async function billingFeature(
  platform: Platform,
  { settleReadOnly, usage, exceedsQuota, tellStanding, planChanged }: Needs,
) {
  const { db, record, projects, jobs, access, each, url, now, log } = platform
  const { billing: settings = {} } = platform
  const backend = settings.stripe
    ? await cards({ ...settings.stripe, log })
    : manualBackend(settings.paymentInstructions)
  const billing = createBilling({
    db,
    record,
    acceptJob: jobs.accept,
    startJob: jobs.start,
    permissionsOf: access.permissions,
    backend,
    usage,
    exceedsQuota,
    tellStanding,
    planChanged,
    notifyProjects: projects.notifyAllOf,
    refsOf: projects.refsOf,
    setReadOnly: settleReadOnly,
    sender: settings.sender ?? 'Plinth',
    each,
    url,
    now,
    log,
  })
  return {
    ...billing,
    /** Whether a person may have one more project of the free plan. */
    free: createFreeProjects(freeStore(db)),
    routes: billingRoutes(billing.parts),
    rounds: [{ seconds: 60, name: 'billing', run: () => billing.round() }],
  }
}
export type Billing = Awaited<ReturnType<typeof billingFeature>>

/** The client of Stripe is loaded where there are cards only. */
async function cards(options: StripeOptions) {
  const { stripeBackend } = await import('./backends/stripe.ts')
  return stripeBackend(options)
}
