import type { PlanId, SelfServiceTier } from '#contract/billing/plans'

const tiers = { free: 'tier_free', pro: 'tier_pro', team: 'tier_team' } as const satisfies Partial<
  Record<PlanId, SelfServiceTier>
>

/** The plans that a link can ask for (requirements §2). */
export type RequestedPlan = keyof typeof tiers

const isRequested = (plan: unknown): plan is RequestedPlan =>
  typeof plan === 'string' && Object.hasOwn(tiers, plan)

/** `?plan=` of an address, as price lists write it; what is no such plan is as if it were not there. */
export const requestedPlanOf = ({ plan }: Record<string, unknown>): { plan?: RequestedPlan } =>
  isRequested(plan) ? { plan } : {}

export const tierOfRequested = (plan: RequestedPlan): SelfServiceTier => tiers[plan]
