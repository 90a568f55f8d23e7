import { expect, test } from 'vitest'
import { startingPlans, tierFor } from './NewOrganizationPage.tsx'

test('Pro without the spend cap is tier_payg; other plans have no cap to take off', () => {
  expect(tierFor('tier_pro', true)).toBe('tier_pro')
  expect(tierFor('tier_pro', false)).toBe('tier_payg')
  for (const tier of ['tier_free', 'tier_team'] as const)
    for (const cap of [true, false]) expect(tierFor(tier, cap)).toBe(tier)
})

test('one starts on Free, Pro or Team by oneself', () => {
  expect(startingPlans.map(({ tier }) => tier)).toEqual(['tier_free', 'tier_pro', 'tier_team'])
})
