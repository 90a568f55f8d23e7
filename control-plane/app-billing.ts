import type { Permission } from '#contract/permissions'
import type { Job } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { EachSubject } from '#kit/subjects'
import type { RecordChange } from './organizations/audit/audit.ts'
import { manualBackend } from './billing/billing/backends/manual.ts'
import type { StripeOptions } from './billing/billing/backends/stripe.ts'
import { createBilling } from './billing/billing/billing.ts'
import { billingRoutes } from './billing/billing/routes.ts'
import type { Db } from './platform-database/database.ts'
import { acceptJob } from './operations/jobs/store.ts'
import type { ProjectStore } from './projects/projects/store.ts'

/** How money comes in, as the operator has set it. */
export type BillingSettings = {
  /** Cards by Stripe; without it the operator marks invoices paid. */
  stripe?: { secretKey: string; webhookSecret: string; apiUrl?: string | undefined } | undefined
  /** Where people pay to, for those who do not pay by card. */
  paymentInstructions?: string | undefined
  /** Name and address on invoices, a line each. */
  sender?: string | undefined
}

type Deps = {
  db: Db
  record: RecordChange
  startJob: (job: Job) => Promise<void>
  permissionsOf: (userId: string) => Promise<Permission[]>
  projects: Pick<ProjectStore, 'tellAllOf' | 'refsOf'>
  /** Tells a project's server whether it takes writes, by the organization and all else that has a say. */
  settleReadOnly: (ref: string) => Promise<void>
  each: EachSubject
  settings: BillingSettings | undefined
  url: string
  now?: (() => Date) | undefined
  log: Log
}

/** Plans, invoices, payments, and what happens to organizations that do not pay. */
export async function assembleBilling({ settings = {}, projects, settleReadOnly, ...deps }: Deps) {
  const backend = settings.stripe
    ? await cards({ ...settings.stripe, log: deps.log })
    : manualBackend(settings.paymentInstructions)
  const billing = createBilling({
    ...deps,
    acceptJob,
    backend,
    tellProjects: projects.tellAllOf,
    refsOf: projects.refsOf,
    setReadOnly: settleReadOnly,
    sender: settings.sender ?? 'Plinth',
  })
  return { ...billing, routes: billingRoutes(billing.parts) }
}

/** The client of Stripe is loaded where there are cards only. */
async function cards(options: StripeOptions) {
  const { stripeBackend } = await import('./billing/billing/backends/stripe.ts')
  return stripeBackend(options)
}
