import { z } from 'zod'
import { Address, Customer, PaymentMethod, TaxId } from './billing-shapes.ts'
import { endpoint } from '../endpoint.ts'
import { inOrganization } from '../permissions.ts'
import { displayName, Slug } from '../values.ts'

const BySlug = z.object({ slug: Slug })
const PaymentMethodId = z.string().regex(/^[\w-]{1,100}$/)
const changesMethods = inOrganization('billing:Write', 'stripe.payment_methods')
const SetupIntent = z.object({
  id: z.string(),
  /** For a card form of one's own. */
  client_secret: z.string().nullable(),
  /** The provider's page where the card is entered; it leads back to the billing page. */
  url: z.string().nullable(),
})

/** To whom invoices go, what stands on them, and what they are paid with. */
export const billingCustomer = {
  customer: endpoint('billing.customer', 'GET /platform/organizations/:slug/customer', {
    needs: inOrganization('billing:Read', 'stripe.customer'),
    input: BySlug,
    returns: Customer,
  }),
  /** What is left out stays; null takes away. */
  updateCustomer: endpoint('billing.updateCustomer', 'PUT /platform/organizations/:slug/customer', {
    needs: inOrganization('billing:Write', 'stripe.customer'),
    input: BySlug.extend({
      name: displayName(1, 200).nullable().optional(),
      email: z.email().max(254).optional(),
      additional_emails: z.array(z.email().max(254)).max(20).optional(),
      address: Address.nullable().optional(),
    }),
    returns: Customer,
  }),
  taxIds: endpoint('billing.taxIds', 'GET /platform/organizations/:slug/tax-ids', {
    needs: inOrganization('billing:Read', 'stripe.tax_ids'),
    input: BySlug,
    returns: z.object({ data: z.array(TaxId) }),
  }),
  /** Adds a tax number, or says that it is there already. `type` and `country` as in tax-ids.ts. */
  taxIdsAdd: endpoint('billing.taxIdsAdd', 'PUT /platform/organizations/:slug/tax-ids', {
    needs: inOrganization('billing:Write', 'stripe.tax_ids'),
    input: BySlug.extend({
      type: z.string().max(20),
      country: z.string().length(2),
      value: z.string().trim().min(1).max(40),
    }),
    returns: TaxId,
  }),
  taxIdsRemove: endpoint('billing.taxIdsRemove', 'DELETE /platform/organizations/:slug/tax-ids', {
    needs: inOrganization('billing:Write', 'stripe.tax_ids'),
    input: BySlug.extend({ id: z.uuid() }),
    returns: z.object({ removed: z.boolean() }),
  }),
  payments: endpoint('billing.payments', 'GET /platform/organizations/:slug/payments', {
    needs: inOrganization('billing:Read', 'stripe.payment_methods'),
    input: BySlug,
    returns: z.object({
      data: z.array(PaymentMethod),
      defaultPaymentMethodId: z.string().nullable(),
    }),
  }),
  paymentsRemove: endpoint(
    'billing.paymentsRemove',
    'DELETE /platform/organizations/:slug/payments',
    {
      needs: changesMethods,
      input: BySlug.extend({ card_id: PaymentMethodId }),
      returns: z.object({ removed: z.boolean() }),
    },
  ),
  paymentsSetDefault: endpoint(
    'billing.paymentsSetDefault',
    'PUT /platform/organizations/:slug/payments/default',
    {
      needs: changesMethods,
      input: BySlug.extend({ payment_method_id: PaymentMethodId }),
      returns: z.object({ defaultPaymentMethodId: z.string() }),
    },
  ),
  /** Begins adding a card to an organization. Refused where cards are not taken. */
  paymentsSetupIntent: endpoint(
    'billing.paymentsSetupIntent',
    'POST /platform/organizations/:slug/payments/setup-intent',
    { needs: changesMethods, perMinute: 10, input: BySlug, returns: SetupIntent },
  ),
  /** The same before there is an organization: for the card of a new one. */
  setupIntent: endpoint('billing.setupIntent', 'POST /platform/stripe/setup-intent', {
    needs: 'signed-in',
    perMinute: 10,
    input: z.object({}),
    returns: SetupIntent,
  }),
}
