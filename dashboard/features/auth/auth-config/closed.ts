import { gatesOfSettings, type AuthKey } from '#contract/auth/auth-config-keys'
import { hasFeature, planWith } from '#contract/billing/plan-comparison'
import { planNames, type PlanId } from '#contract/billing/plans'

/** Why nobody can change a setting here, and whether another plan would help. */
export type Closed = { reason: string; byPlan: boolean }

/** Why an organization on this plan does not have a setting; undefined when it has. */
export function closedBy(key: AuthKey, plan: PlanId): Closed | undefined {
  const gate = gatesOfSettings[key]
  if (!gate || hasFeature(plan, gate)) return undefined
  const needed = planWith(gate)
  return needed && { reason: `Comes with the ${planNames[needed]} plan.`, byPlan: true }
}
