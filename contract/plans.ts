/** The plans an organization can be on and the tiers that stand for them in calls (requirements §9). */
export const planIds = ['free', 'pro', 'team', 'enterprise'] as const
export type PlanId = (typeof planIds)[number]

export const tiers = ['tier_free', 'tier_pro', 'tier_payg', 'tier_team', 'tier_enterprise'] as const
export type Tier = (typeof tiers)[number]

export const planNames: Record<PlanId, string> = {
  free: 'Free',
  pro: 'Pro',
  team: 'Team',
  enterprise: 'Enterprise',
}

/** Labels as the requirements print them. */
export const planPriceLabels: Record<PlanId, string> = {
  free: 'Free - $0/month',
  pro: 'Pro - $25/month',
  team: 'Team - $599/month',
  enterprise: 'Enterprise - custom',
}

/** `tier_payg` is Pro with the spend cap off. */
export const planOfTier: Record<Tier, PlanId> = {
  tier_free: 'free',
  tier_pro: 'pro',
  tier_payg: 'pro',
  tier_team: 'team',
  tier_enterprise: 'enterprise',
}

/** Active projects a member's free organizations may hold (requirements §9, "2 active projects"). */
export const freeActiveProjects = 2
