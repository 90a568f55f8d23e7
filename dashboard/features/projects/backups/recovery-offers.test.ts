import { expect, test } from 'vitest'
import { computeSizeIds } from '#contract/projects/compute-sizes'
import { isLargeEnough, recoveryOffers } from './recovery-offers.ts'

test('it is to be had for 7, 14 and 28 days, at a hundred dollars for each 7', () => {
  expect(recoveryOffers).toEqual([
    { identifier: 'pitr_7', days: 7, price: '$100.00 a month' },
    { identifier: 'pitr_14', days: 14, price: '$200.00 a month' },
    { identifier: 'pitr_28', days: 28, price: '$400.00 a month' },
  ])
})

test('Small and all above it are large enough', () => {
  expect(computeSizeIds.filter((size) => !isLargeEnough(size))).toEqual(['nano', 'micro'])
})
