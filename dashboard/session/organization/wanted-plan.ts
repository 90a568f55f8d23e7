import type { PlanId, SelfServiceTier } from '#contract/billing/plans'

const tiers = { free: 'tier_free', pro: 'tier_pro', team: 'tier_team' } as const satisfies Partial<
  Record<PlanId, SelfServiceTier>
>

/** The plans that a link can ask for (requirements §2). */
export type WantedPlan = keyof typeof tiers

const isWanted = (plan: unknown): plan is WantedPlan =>
  typeof plan === 'string' && Object.hasOwn(tiers, plan)

/** `?plan=` of an address, as price lists write it; what is no such plan is as if it were not there. */
export const wantedPlanOf = ({ plan }: Record<string, unknown>): { plan?: WantedPlan } =>
  isWanted(plan) ? { plan } : {}

export const tierOfWanted = (plan: WantedPlan): SelfServiceTier => tiers[plan]
