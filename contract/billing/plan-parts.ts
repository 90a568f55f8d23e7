import { planIds, type PlanId } from './plans.ts'

/** From which plan on; nothing of these is taken away by a larger one. */
const from = (first: PlanId): readonly PlanId[] => planIds.slice(planIds.indexOf(first))

/** What a row of the comparison says in words ("All", "Read-only, ..."), for whoever has to decide by it. */
export const planParts = {
  /** Hooks that check attempts, beside those that make tokens and send messages. */
  'auth.authHooks.all': from('team'),
  'security.accessRoles.readOnly': from('team'),
  /** Roles for single projects: the predefined ones. */
  'security.accessRoles.perProject': from('team'),
  'security.accessRoles.customPerProject': from('enterprise'),
} as const satisfies Record<string, readonly PlanId[]>

export type PlanPart = keyof typeof planParts
