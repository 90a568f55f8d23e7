import { plansOfSettings, type AuthKey } from '#contract/auth-config-keys'
import { planNames, planRank, type PlanId } from '#contract/plans'

/** Why nobody can change a setting here, and whether another plan would help. */
export type Closed = { reason: string; byPlan: boolean }

/** Why an organization on this plan does not have a setting; undefined when it has. */
export function closedBy(key: AuthKey, plan: PlanId): Closed | undefined {
  const needed = plansOfSettings[key]
  if (!needed || planRank(plan) >= planRank(needed)) return undefined
  return { reason: `Comes with the ${planNames[needed]} plan.`, byPlan: true }
}
