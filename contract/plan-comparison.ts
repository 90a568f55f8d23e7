import { productSections } from './plan-comparison-product.ts'
import { serviceSections } from './plan-comparison-service.ts'
import type { PlanFeature } from './plan-feature.ts'
import type { PlanId } from './plans.ts'

/** The eight sections of the plan comparison, in their order (requirements §1). */
export const planComparison = [...productSections, ...serviceSections]

type Section = (typeof planComparison)[number]
/** `database.pitr`, `security.logDrain` ...: what a plan is asked about. */
export type PlanFeatureKey = Section['features'][number]['key']
export type PlanSectionKey = Section['key']

const byKey = new Map<string, PlanFeature>(
  planComparison.flatMap(({ features }) => features.map((row) => [row.key, row] as const)),
)

/** The one gate for what depends on the plan; server and dashboard both ask it (requirements §6, "Plan gating"). */
export function hasFeature(plan: PlanId, key: PlanFeatureKey): boolean {
  return byKey.get(key)?.plans[plan] !== false
}

/** The first plan that has it: what a disabled button names. Undefined: all of them do. */
export function planWith(key: PlanFeatureKey): PlanId | undefined {
  const order: PlanId[] = ['free', 'pro', 'team', 'enterprise']
  const first = order.find((plan) => hasFeature(plan, key))
  return first === 'free' ? undefined : first
}
