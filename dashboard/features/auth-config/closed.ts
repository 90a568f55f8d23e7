import { plansOfSettings, type AuthKey } from '#contract/auth-config-keys'
import { isOffered, notOfferedReason } from '#contract/auth-config-offered'
import { planNames, planRank, type PlanId } from '#contract/plans'

/** Why nobody can change a setting here, and whether another plan would help. */
export type Closed = { reason: string; byPlan: boolean }

const sentence = `${notOfferedReason.replace(/^./, (first) => first.toUpperCase())}.`

/** Whether the service offers a setting, and to an organization on this plan; undefined when it does. */
export function closedBy(key: AuthKey, plan: PlanId): Closed | undefined {
  if (!isOffered(key)) return { reason: sentence, byPlan: false }
  const needed = plansOfSettings[key]
  if (!needed || planRank(plan) >= planRank(needed)) return undefined
  return { reason: `Comes with the ${planNames[needed]} plan.`, byPlan: true }
}
