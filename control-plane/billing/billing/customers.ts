import type { billingCustomer as api } from '#contract/billing/billing-customer'
import type { Customer, TaxId } from '#contract/billing/billing-shapes'
import type { Output, Parsed } from '#contract/endpoint'
import { taxIdType } from '#contract/billing/tax-ids'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { PaymentBackend } from './backends/backend.ts'
import type { Books } from './books.ts'
import type { CustomerStore } from './customer-store.ts'
import type { Payments } from './payments.ts'
import type { BillingStore, Payer } from './store.ts'

type Deps = {
  store: BillingStore
  customers: CustomerStore
  books: Books
  backend: PaymentBackend
  payments: Pick<Payments, 'payeeOf' | 'knownPayee' | 'billingPage'>
  payerOf: (slug: string) => Promise<Payer>
  record: RecordChange
}

const maxTaxIds = 10

/** To whom invoices go, and what they are paid with. */
export function createCustomers(deps: Deps) {
  const { store, customers, backend, payerOf, payments } = deps

  async function get(slug: string): Promise<Customer> {
    const payer = await payerOf(slug)
    const { name, additional_emails, address } = await customers.find(payer.id)
    return {
      name,
      email: payer.billing_email,
      additional_emails,
      address,
      balance: await deps.books.credit(payer.id),
      billing_via_partner: payer.billing_partner !== null,
    }
  }

  const audit = (payer: Payer, caller: Caller, origin: Origin, action: string) => ({
    organizationId: payer.id,
    actor: caller,
    action,
    target: `organization:${payer.slug}`,
    origin,
  })

  return {
    get,

    async update(
      caller: Caller,
      { slug, email, ...change }: Parsed<typeof api.updateCustomer>,
      origin: Origin,
    ): Promise<Customer> {
      const payer = await payerOf(slug)
      await store.transaction(async (tx) => {
        await store.lockBooks(tx, payer.id)
        const before = await customers.find(payer.id, tx)
        await customers.save(tx, payer.id, change)
        if (email !== undefined) await customers.setEmail(tx, payer.id, email)
        const { name, additional_emails, address } = before
        await deps.record(tx, {
          ...audit(payer, caller, origin, 'billing.updateCustomer'),
          change: {
            before: { name, email: payer.billing_email, additional_emails, address },
            after: { ...change, ...(email === undefined ? {} : { email }) },
          },
        })
      })
      return get(slug)
    },

    taxIds: async (slug: string) => ({ data: await customers.taxIds((await payerOf(slug)).id) }),

    async addTaxId(
      caller: Caller,
      { slug, ...given }: Parsed<typeof api.taxIdsAdd>,
      origin: Origin,
    ): Promise<TaxId> {
      const kind = taxIdType(given.type, given.country, given.value)
      if (!kind) {
        throw new ApiError(
          'invalid_input',
          'value: is not a valid tax number for this country and type',
        )
      }
      const payer = await payerOf(slug)
      return store.transaction(async (tx) => {
        await store.lockBooks(tx, payer.id)
        const had = await customers.taxIds(payer.id, tx)
        const same = had.find(({ type, value }) => type === given.type && value === given.value)
        if (same) return same
        if (had.length >= maxTaxIds) {
          throw new ApiError(
            'invalid_input',
            `An organization can have up to ${maxTaxIds} tax numbers`,
          )
        }
        const added = await customers.addTaxId(tx, payer.id, given)
        await deps.record(tx, {
          ...audit(payer, caller, origin, 'billing.taxIdsAdd'),
          change: { after: { type: added.type, value: added.value } },
        })
        return added
      })
    },

    async removeTaxId(caller: Caller, slug: string, id: string, origin: Origin) {
      const payer = await payerOf(slug)
      await store.transaction(async (tx) => {
        const removed = await customers.removeTaxId(tx, payer.id, id)
        if (!removed) throw new ApiError('tax_id_not_found')
        await deps.record(tx, {
          ...audit(payer, caller, origin, 'billing.taxIdsRemove'),
          change: { before: { type: removed.type, value: removed.value } },
        })
      })
      return { removed: true }
    },

    async cards(slug: string): Promise<Output<typeof api.payments>> {
      const { externalId } = await payments.payeeOf(await payerOf(slug))
      const { data, defaultId } = await backend.cards(externalId)
      return { data, defaultPaymentMethodId: defaultId }
    },

    async removeCard(caller: Caller, slug: string, card: string, origin: Origin) {
      const payer = await payerOf(slug)
      const { externalId } = await payments.payeeOf(payer)
      await backend.removeCard(externalId, card)
      await store.transaction((tx) =>
        deps.record(tx, {
          ...audit(payer, caller, origin, 'billing.paymentsRemove'),
          change: { before: { card } },
        }),
      )
      return { removed: true }
    },

    async setDefaultCard(caller: Caller, slug: string, card: string, origin: Origin) {
      const payer = await payerOf(slug)
      const { externalId } = await payments.payeeOf(payer)
      await backend.setDefaultCard(externalId, card)
      await store.transaction((tx) =>
        deps.record(tx, {
          ...audit(payer, caller, origin, 'billing.paymentsSetDefault'),
          change: { after: { card } },
        }),
      )
      return { defaultPaymentMethodId: card }
    },

    async setUpCard(slug: string) {
      if (!backend.acceptsCards) throw new ApiError('cards_not_accepted')
      const payee = await payments.knownPayee(await payerOf(slug))
      return backend.setUpCard(payee, payments.billingPage(slug))
    },

    setUpCardOfNobody: () => backend.setUpCard(undefined, payments.billingPage('')),
  }
}
export type Customers = ReturnType<typeof createCustomers>
