import type { PlanId } from './plans.ts'

/** What a plan offers of a feature: nothing, all of it, how much, or how much and what more costs. */
export type PlanValue = boolean | string | readonly string[]

/** One row of the plan comparison (requirements §1). */
export type PlanFeature<Key extends string = string> = {
  key: Key
  title: string
  plans: Readonly<Record<PlanId, PlanValue>>
  /** Whether what is used beyond the included amount is billed. */
  usage_based: boolean
  tooltip: string | undefined
}

/** A row from its cells in the order of the columns: Free, Pro, Team, Enterprise. */
export function feature<const Key extends string>(
  key: Key,
  title: string,
  [free, pro, team, enterprise]: readonly [PlanValue, PlanValue, PlanValue, PlanValue],
  more: { usage_based?: true; tooltip?: string } = {},
): PlanFeature<Key> {
  return {
    key,
    title,
    plans: { free, pro, team, enterprise },
    usage_based: more.usage_based ?? false,
    tooltip: more.tooltip,
  }
}
