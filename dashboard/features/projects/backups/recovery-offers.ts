import { addOnVariants } from '#contract/billing/add-ons'
import { computeSizeIds, type ComputeSizeId } from '#contract/projects/compute-sizes'
import { formatRate } from '#contract/billing/money'

export type RecoveryOffer = { identifier: string; days: number; price: string }

/** What point in time recovery is to be had for, the shortest first. */
export const recoveryOffers: readonly RecoveryOffer[] = addOnVariants
  .filter(({ type }) => type === 'pitr')
  .map(({ identifier, rate }) => ({
    identifier,
    days: Number(identifier.replace('pitr_', '')),
    price: `${formatRate(rate)} a month`,
  }))

/** The smallest size that has the room to keep its log (facts §1.3). */
const smallest: ComputeSizeId = 'small'

export const isLargeEnough = (size: ComputeSizeId): boolean =>
  computeSizeIds.indexOf(size) >= computeSizeIds.indexOf(smallest)
