import { z } from 'zod'
import { addOnTypes } from './add-ons.ts'
import { overdue } from './billing-overdue.ts'
import {
  Amount,
  ChangePreview,
  Invoice,
  InvoiceDetail,
  PlanOffer,
  Subscription,
  UpcomingInvoice,
} from './billing-shapes.ts'
import { endpoint } from '../endpoint.ts'
import { inOrganization, inProject } from '../permissions.ts'
import { selfServiceTiers } from './plans.ts'
import { Pagination, pageInput, ProjectRef, Slug } from '../values.ts'

const BySlug = z.object({ slug: Slug })
const InvoiceId = z.uuid()
const ByInvoice = BySlug.extend({ invoice_id: InvoiceId })

const seesSubscription = inOrganization('billing:Read', 'stripe.subscriptions')
const changesSubscription = inOrganization('billing:Write', 'stripe.subscriptions')
const seesInvoices = inOrganization('read:Read', 'invoices')

/** Least and most of one top-up, in cents: $5 and $1,000,000. */
export const topUpBounds = { least: 500, max: 100_000_000 } as const

/** Why people leave a plan (facts §1.3, the 14 reasons). */
export const cancellationReasons = [
  'Pricing',
  "My project isn't getting traction",
  'Poor customer service',
  'Missing feature',
  "I didn't see the value",
  "Plinth didn't meet my needs",
  'Dashboard is too complicated',
  'Postgres is too complicated',
  'Problem not solved',
  'Too many bugs/issues',
  'I decided to use something else',
  'My work has finished/discontinued',
  "I'm migrating to/starting a new project",
  'None of the above',
] as const

/** Plans, subscriptions and invoices of an organization, whom they are sent to and how they are paid. */
export const billing = {
  subscription: endpoint(
    'billing.subscription',
    'GET /platform/organizations/:slug/billing/subscription',
    { needs: seesSubscription, input: BySlug, returns: Subscription },
  ),
  /** An upgrade takes effect now, a downgrade when the period ends. The current tier takes back a scheduled change. */
  changeSubscription: endpoint(
    'billing.changeSubscription',
    'PUT /platform/organizations/:slug/billing/subscription',
    {
      needs: changesSubscription,
      perMinute: 30,
      // tier_pro is Pro with the spend cap on, tier_payg with it off.
      input: BySlug.extend({ tier: z.enum(selfServiceTiers) }),
      returns: Subscription,
    },
  ),
  previewChange: endpoint(
    'billing.previewChange',
    'POST /platform/organizations/:slug/billing/subscription/preview',
    {
      needs: changesSubscription,
      input: BySlug.extend({ tier: z.enum(selfServiceTiers) }),
      returns: ChangePreview,
    },
  ),
  plans: endpoint('billing.plans', 'GET /platform/organizations/:slug/billing/plans', {
    needs: seesSubscription,
    input: BySlug,
    returns: z.object({ plans: z.array(PlanOffer) }),
  }),
  /** The number of invoices in `x-total-count`. Stands before the list: a HEAD of its own, not the list's. */
  invoiceCount: endpoint(
    'billing.invoiceCount',
    'HEAD /platform/organizations/:slug/billing/invoices',
    { needs: seesInvoices, raw: true, input: BySlug, returns: z.unknown() },
  ),
  /** Newest first. */
  invoices: endpoint('billing.invoices', 'GET /platform/organizations/:slug/billing/invoices', {
    needs: seesInvoices,
    input: BySlug.extend(pageInput),
    returns: z.object({ invoices: z.array(Invoice), pagination: Pagination }),
  }),
  invoiceUpcoming: endpoint(
    'billing.invoiceUpcoming',
    'GET /platform/organizations/:slug/billing/invoices/upcoming',
    { needs: seesInvoices, input: BySlug, returns: UpcomingInvoice },
  ),
  invoice: endpoint(
    'billing.invoice',
    'GET /platform/organizations/:slug/billing/invoices/:invoice_id',
    { needs: seesInvoices, input: ByInvoice, returns: InvoiceDetail },
  ),
  /** Where to pay it: a page, or (without one) in words how. */
  invoicePaymentLink: endpoint(
    'billing.invoicePaymentLink',
    'GET /platform/organizations/:slug/billing/invoices/:invoice_id/payment-link',
    {
      needs: inOrganization('billing:Write', 'stripe.payment_methods'),
      perMinute: 30,
      input: ByInvoice,
      returns: z.object({ url: z.string().nullable(), instructions: z.string() }),
    },
  ),
  invoicePdf: endpoint(
    'billing.invoicePdf',
    'GET /platform/organizations/:slug/billing/invoices/:invoice_id/pdf',
    { needs: seesInvoices, perMinute: 60, raw: true, input: ByInvoice, returns: z.unknown() },
  ),
  /** Asks for money ahead: makes an invoice, and the credit is there when it is paid. */
  creditsTopUp: endpoint(
    'billing.creditsTopUp',
    'POST /platform/organizations/:slug/billing/credits/top-up',
    {
      needs: inOrganization('billing:Write', 'stripe.payment_methods'),
      perMinute: 10,
      status: 201,
      input: BySlug.extend({ amount: Amount.min(topUpBounds.least).max(topUpBounds.max) }),
      returns: Invoice,
    },
  ),
  overdue,
  /** Owners of this organization whose free organizations hold as many active projects as they may. */
  freeProjectLimitCheck: endpoint(
    'billing.freeProjectLimitCheck',
    'GET /platform/organizations/:slug/members/reached-free-project-limit',
    {
      needs: inOrganization('read:Read', 'projects'),
      input: BySlug,
      returns: z.array(
        z.object({
          gotrue_id: z.string(),
          username: z.string(),
          primary_email: z.string(),
          free_project_limit: z.number(),
          active_free_projects: z.number(),
        }),
      ),
    },
  ),
  downgradeFeedback: endpoint('billing.downgradeFeedback', 'POST /platform/feedback/downgrade', {
    needs: changesSubscription,
    perMinute: 10,
    status: 201,
    input: z.object({
      organization_slug: Slug,
      reasons: z.array(z.enum(cancellationReasons)).max(cancellationReasons.length),
      message: z.string().trim().max(5000).default(''),
    }),
    returns: z.object({ kept: z.boolean() }),
  }),
  /** What is switched on for a project and what could be. */
  projectAddOns: endpoint('billing.projectAddOns', 'GET /platform/projects/:ref/billing/addons', {
    needs: inProject('billing:Read', 'stripe.subscriptions'),
    input: z.object({ ref: ProjectRef }),
    returns: z.object({
      selected_addons: Subscription.shape.addons,
      available_addons: Subscription.shape.addons,
    }),
  }),
  /** Chooses a compute size, point in time recovery or a custom domain; the first two restart the database where they have to. */
  setAddOn: endpoint('billing.setAddOn', 'POST /platform/projects/:ref/billing/addons', {
    needs: inProject('billing:Write', 'stripe.subscriptions'),
    perMinute: 20,
    status: 201,
    input: z.object({
      ref: ProjectRef,
      addon_type: z.enum(addOnTypes),
      addon_variant: z.string().min(1).max(60),
    }),
    returns: z.object({}),
  }),
  removeAddOn: endpoint(
    'billing.removeAddOn',
    'DELETE /platform/projects/:ref/billing/addons/:addon_variant',
    {
      needs: inProject('billing:Write', 'stripe.subscriptions'),
      perMinute: 10,
      input: z.object({ ref: ProjectRef, addon_variant: z.string().min(1).max(60) }),
      returns: z.object({}),
    },
  ),
}
