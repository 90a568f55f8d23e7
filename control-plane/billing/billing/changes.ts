import { gatesOfSettings } from '#contract/auth/auth-config-keys'
import type { ChangePreview, PlanOffer } from '#contract/billing/billing-shapes'
import { planLimits } from '#contract/limits'
import { offeredComparison } from '#contract/capabilities'
import { hasFeature } from '#contract/billing/plan-comparison'
import {
  freeActiveProjects,
  planIds,
  planNames,
  planOfTier,
  planRank,
  type PlanId,
  type Tier,
} from '#contract/billing/plans'
import { planLines, prorationLines, type Line } from './lines.ts'
import { periodFrom, type Period } from './periods.ts'
import type { SubscriptionRow } from './store.ts'

export type Change = {
  change_type: PlanOffer['change_type']
  effective_at: PlanOffer['effective_at']
  /** When it takes effect. */
  at: Date
  lines: Line[]
  /** The period that begins with it, where one does. */
  restart: Period | undefined
}

/** Upgrades take effect now, downgrades when the period ends (facts §3.3); the spend cap of Pro is switched at once. */
export function kindOf(from: Tier, to: Tier): Pick<Change, 'change_type' | 'effective_at'> {
  if (from === to) return { change_type: 'none', effective_at: 'none' }
  const step = planRank(planOfTier[to]) - planRank(planOfTier[from])
  if (step === 0) return { change_type: 'none', effective_at: 'now' }
  return step > 0
    ? { change_type: 'upgrade', effective_at: 'now' }
    : { change_type: 'downgrade', effective_at: 'end_of_billing_period' }
}

/**
 * What changing from one tier to another comes to at a moment. From Free a new period begins; between paid plans the rest
 * of the period is credited at the old price and charged at the new one.
 */
export function changeOf(from: Tier, to: Tier, subscription: SubscriptionRow, now: Date): Change {
  const kind = kindOf(from, to)
  const period = { start: subscription.period_start, end: subscription.period_end }
  if (kind.effective_at === 'end_of_billing_period') {
    return { ...kind, at: period.end, lines: [], restart: undefined }
  }
  if (kind.change_type !== 'upgrade') return { ...kind, at: now, lines: [], restart: undefined }
  if (planOfTier[from] === 'free') {
    const restart = periodFrom(now, now)
    return { ...kind, at: now, lines: planLines(to, restart), restart }
  }
  return { ...kind, at: now, lines: prorationLines(from, to, period, now), restart: undefined }
}

const tierOfPlan: Record<PlanId, Tier> = {
  free: 'tier_free',
  pro: 'tier_pro',
  team: 'tier_team',
  enterprise: 'tier_enterprise',
}

/** The four plans as they look from the current one. */
export const offersFrom = (current: Tier): PlanOffer[] =>
  planIds.map((id) => {
    const isCurrent = planOfTier[current] === id
    const tier = isCurrent ? current : tierOfPlan[id]
    return {
      id,
      tier,
      name: planNames[id],
      price: planLimits[id].monthlyPriceCents,
      is_current: isCurrent,
      ...kindOf(current, tier),
    }
  })

/** What the change gives and takes: the rows of the comparison that one plan has and the other has not, and the rest. */
export function consequencesOf(
  from: Tier,
  to: Tier,
  activeProjects: number,
): ChangePreview['consequences'] {
  const [before, after] = [planOfTier[from], planOfTier[to]]
  const rows = offeredComparison.flatMap(({ features }) => features)
  const differing = rows.filter(({ key }) => hasFeature(before, key) !== hasFeature(after, key))
  const changes = differing.map(({ key, title }) => ({
    kind: hasFeature(after, key) ? ('gain' as const) : ('loss' as const),
    text: title,
  }))
  const notices: string[] = []
  if (after === 'free' && before !== 'free') {
    notices.push(
      `Projects move to the smallest compute size. ${activeProjects} of this organization's projects run now; Free includes ${freeActiveProjects} active projects for each owner.`,
      'Free projects are paused after 1 week of inactivity.',
      'Point in time recovery is switched off. No more backups are made; those that are there stay until they expire.',
    )
  }
  const gates = Object.values(gatesOfSettings)
  if (gates.some((gate) => hasFeature(before, gate) && !hasFeature(after, gate))) {
    notices.push(
      `Auth settings that ${planNames[after]} does not include no longer apply. They are kept, and apply again with the plan.`,
    )
  }
  if (before === 'team' && after === 'pro') {
    notices.push('Read-only and project-scoped roles can no longer be given to members.')
  }
  if (from === 'tier_pro' && to === 'tier_payg') {
    notices.push('The spend cap is turned off: usage beyond what is included is billed.')
  }
  if (from === 'tier_payg' && to === 'tier_pro') {
    notices.push(
      'The spend cap is turned on: projects stop at what is included and nothing more is billed.',
    )
  }
  return [...changes, ...notices.map((text) => ({ kind: 'notice' as const, text }))]
}
