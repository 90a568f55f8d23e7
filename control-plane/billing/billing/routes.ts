import { billing as api } from '#contract/billing/billing'
import { billingCustomer as customerApi } from '#contract/billing/billing-customer'
import { billingOperator as operatorApi } from '#contract/billing/billing-operator'
import { implement, implementOpen, implementRaw } from '#kit/http'
import { rawBodyOf } from '#kit/http/http-security'
import type { BillingParts } from './billing.ts'

export const billingRoutes = ({
  subscriptions,
  invoices,
  payments,
  customers,
  operator,
  free,
  ...parts
}: BillingParts) => [
  implement(api.subscription, ({ slug }) => subscriptions.get(slug)),
  implement(api.changeSubscription, ({ slug, tier }, caller, origin) =>
    subscriptions.change(caller, slug, tier, origin),
  ),
  implement(api.previewChange, ({ slug, tier }) => subscriptions.preview(slug, tier)),
  implement(api.plans, ({ slug }) => subscriptions.plans(slug)),
  implementRaw(api.invoiceCount, async ({ slug }, _caller, { reply }) =>
    reply.header('x-total-count', String(await invoices.count(slug))).send(),
  ),
  implement(api.invoices, ({ slug, ...page }) => invoices.list(slug, page)),
  implement(api.invoiceUpcoming, ({ slug }) => invoices.upcoming(slug)),
  implement(api.invoice, ({ slug, invoice_id }) => invoices.detail(slug, invoice_id)),
  implement(api.invoicePaymentLink, ({ slug, invoice_id }) => payments.link(slug, invoice_id)),
  implementRaw(api.invoicePdf, async ({ slug, invoice_id }, _caller, { reply }) => {
    const { number, stream } = await parts.invoicePdf(slug, invoice_id)
    return reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="${number}.pdf"`)
      .send(stream)
  }),
  implement(api.creditsTopUp, ({ slug, amount }, caller, origin) =>
    payments.topUp(caller, slug, amount, origin),
  ),
  implement(api.overdue, (_, caller) => parts.overdueOf(caller)),
  implement(api.freeProjectLimitCheck, async ({ slug }) =>
    free.reached((await subscriptions.payerOf(slug)).id),
  ),
  implement(api.downgradeFeedback, async ({ organization_slug, reasons, message }) => {
    const { id } = await subscriptions.payerOf(organization_slug)
    await parts.keepFeedback(id, reasons, message)
    return { kept: true }
  }),
  implement(api.projectAddOns, ({ ref }) => parts.projectAddOns(ref)),

  implement(customerApi.customer, ({ slug }) => customers.get(slug)),
  implement(customerApi.updateCustomer, (input, caller, origin) =>
    customers.update(caller, input, origin),
  ),
  implement(customerApi.taxIds, ({ slug }) => customers.taxIds(slug)),
  implement(customerApi.taxIdsAdd, (input, caller, origin) =>
    customers.addTaxId(caller, input, origin),
  ),
  implement(customerApi.taxIdsRemove, ({ slug, id }, caller, origin) =>
    customers.removeTaxId(caller, slug, id, origin),
  ),
  implement(customerApi.payments, ({ slug }) => customers.cards(slug)),
  implement(customerApi.paymentsRemove, ({ slug, card_id }, caller, origin) =>
    customers.removeCard(caller, slug, card_id, origin),
  ),
  implement(customerApi.paymentsSetDefault, ({ slug, payment_method_id }, caller, origin) =>
    customers.setDefaultCard(caller, slug, payment_method_id, origin),
  ),
  implement(customerApi.paymentsSetupIntent, ({ slug }) => customers.setUpCard(slug)),
  implement(customerApi.setupIntent, () => customers.setUpCardOfNobody()),

  implementOpen(operatorApi.markPaid, ({ invoice_id }) => payments.markPaid(invoice_id)),
  implementOpen(operatorApi.markVoid, ({ invoice_id }) => payments.markVoid(invoice_id)),
  implementOpen(operatorApi.markUncollectible, ({ invoice_id }) =>
    payments.markUncollectible(invoice_id),
  ),
  implementOpen(operatorApi.giveCredit, (input) => operator.giveCredit(input)),
  implementOpen(operatorApi.setStanding, (input) => operator.setStanding(input)),
  implementRaw(operatorApi.webhook, async (_input, _caller, { request }) =>
    payments.takeIn(rawBodyOf(request), String(request.headers['stripe-signature'] ?? '')),
  ),
]
