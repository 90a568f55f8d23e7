import type { SelfServiceTier } from '#contract/billing/plans'

/** The plans one can start on by oneself; Enterprise is agreed on in person. */
export const startingPlans: { tier: SelfServiceTier; about: string }[] = [
  { tier: 'tier_free', about: 'For trying things out' },
  { tier: 'tier_pro', about: 'For apps in production' },
  { tier: 'tier_team', about: 'For companies with many members' },
]

/** What is asked of the server: Pro without the spend cap is a tier of its own. */
export const tierFor = (tier: SelfServiceTier, spendCap: boolean): SelfServiceTier =>
  tier === 'tier_pro' && !spendCap ? 'tier_payg' : tier
