import type { Tx } from '../../platform-database/database.ts'
import type { InvoiceStore } from './invoice-store.ts'
import { chargeLines, type Charge, type Line, type UsageCharges } from './lines.ts'
import { cycleKey, type Period } from './periods.ts'
import type { BillingStore } from './store.ts'

type Deps = {
  store: Pick<BillingStore, 'cycleBefore'>
  invoices: Pick<InvoiceStore, 'byKey' | 'usageOf'>
  usage: Pick<UsageCharges, 'charges'>
}

const suffix = ', counted late'
/** Quantities are divisions of whole numbers: what differs by less is the same. */
const same = 1e-9

/**
 * What was used in the cycle before a period and came when the invoice of that cycle was drawn up already, after an outage perhaps: services may
 * send for a week. It is priced as part of its own cycle, less what was asked for.
 */
export const createLateLines =
  ({ store, invoices, usage }: Deps) =>
  async (organizationId: string, { start }: Pick<Period, 'start'>, tx?: Tx): Promise<Line[]> => {
    const before = await store.cycleBefore(organizationId, start, tx)
    // Without an invoice it was not for us to bill.
    if (!before || !(await invoices.byKey(organizationId, cycleKey(before.end), tx))) return []
    const { tier, ...period } = before
    const billed = await invoices.usageOf(organizationId, period.start, tx)
    const charges = await usage.charges({ organizationId, tier, period }, tx)
    const late = charges.flatMap((charge): Charge[] => {
      const parts = billed.filter(
        ({ description }) => description.replace(suffix, '') === charge.description,
      )
      const rest = {
        quantity: parts.reduce((left, { quantity }) => left - quantity, charge.quantity),
        amount: parts.reduce((left, { amount }) => left - amount, charge.amount),
      }
      // A price that has changed since is no use.
      if (rest.quantity < same || rest.amount <= 0) return []
      return [{ ...charge, ...rest, description: charge.description + suffix }]
    })
    return chargeLines(late, period)
  }
export type LateLines = ReturnType<typeof createLateLines>
