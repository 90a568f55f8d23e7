import { productSections } from './plan-comparison-product.ts'
import { serviceSections } from './plan-comparison-service.ts'
import type { PlanFeature } from './plan-feature.ts'
import { planParts, type PlanPart } from './plan-parts.ts'
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

/** What can be asked of a plan: a row of the comparison, or a part of one. */
export type PlanGate = PlanFeatureKey | PlanPart

const parts: Partial<Record<PlanGate, readonly PlanId[]>> = planParts

/** The one gate for what depends on the plan; server and dashboard both ask it (requirements §6, "Plan gating"). */
export function hasFeature(plan: PlanId, key: PlanGate): boolean {
  return parts[key]?.includes(plan) ?? byKey.get(key)?.plans[plan] !== false
}

/** The first plan that has it: what a disabled button names. Undefined: all of them do. */
export function planWith(key: PlanGate): PlanId | undefined {
  const order: PlanId[] = ['free', 'pro', 'team', 'enterprise']
  const first = order.find((plan) => hasFeature(plan, key))
  return first === 'free' ? undefined : first
}
