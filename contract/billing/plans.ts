/** The plans an organization can be on and the tiers that stand for them in calls (requirements §9). */
export const planIds = ['free', 'pro', 'team', 'enterprise'] as const
export type PlanId = (typeof planIds)[number]

export const tiers = ['tier_free', 'tier_pro', 'tier_payg', 'tier_team', 'tier_enterprise'] as const
export type Tier = (typeof tiers)[number]

/** What people can subscribe to by themselves; Enterprise is agreed with the operator. */
export const selfServiceTiers = ['tier_free', 'tier_pro', 'tier_payg', 'tier_team'] as const
export type SelfServiceTier = (typeof selfServiceTiers)[number]

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

/** Rank of a plan: a change to a higher one is an upgrade. */
export const planRank = (plan: PlanId): number => planIds.indexOf(plan)

/** Whether usage beyond what is included is billed; with the spend cap on (Pro) and on Free it is not. */
export const usageIsBilled: Record<Tier, boolean> = {
  tier_free: false,
  tier_pro: false,
  tier_payg: true,
  tier_team: true,
  tier_enterprise: true,
}

/** Through whom an organization may pay (requirements §3); null stands for the platform itself. */
export const billingPartners = ['vercel_marketplace', 'aws_marketplace', 'fly'] as const
export type BillingPartner = (typeof billingPartners)[number]

/** Sources of a plan (requirements §9). `managed_by` of an organization is one of them. */
export const planSources = ['vercel-marketplace', 'aws-marketplace', 'plinth'] as const
export type PlanSource = (typeof planSources)[number]

const sourceOfPartner: Partial<Record<BillingPartner, PlanSource>> = {
  vercel_marketplace: 'vercel-marketplace',
  aws_marketplace: 'aws-marketplace',
}

/** Where the plan of an organization is managed. */
export const managedBy = (partner: BillingPartner | null): PlanSource =>
  (partner && sourceOfPartner[partner]) ?? 'plinth'

const partnerPrefix = 'vercel_'

/** What a partner calls an organization that it has made: its slug without the prefix (requirements §3). */
export const partnerIdOf = (slug: string): string | null =>
  slug.startsWith(partnerPrefix) ? slug.slice(partnerPrefix.length) : null

/** Active projects that an owner's free organizations may hold together (requirements §9, "2 active projects"). */
export const freeActiveProjects = 2
