import { addOnVariant, branchHourlyRate } from '#contract/billing/add-ons'
import type { InvoiceLine } from '#contract/billing/billing-shapes'
import { computeSizes, hourlyRate, type ComputeSizeId } from '#contract/projects/compute-sizes'
import { planLimits } from '#contract/limits'
import { hourly, microPerCent, share, type Cents } from '#contract/billing/money'
import { planNames, planOfTier, type PlanId, type Tier } from '#contract/billing/plans'
import type { Tx } from '../../platform-database/database.ts'
import { lengthOf, overlap, type Period } from './periods.ts'

/** A line of an invoice, before it has one. */
export type Line = Omit<InvoiceLine, 'period_start' | 'period_end'> & {
  period_start: Date
  period_end: Date
}

type Used = { name: string; start: Date; end: Date | null }
/**
 * `replica`: of which read replica of the project; none: of the project itself. `branch_of`: the project that it is a branch of, with the
 * name of that.
 */
export type ComputeUse = Used & {
  ref: string
  size: ComputeSizeId
  replica?: string | null
  branch_of?: string | null
  parent_name?: string | null
}
/** Of a project, or of the organization itself. `item`: which of several, such as log drains. */
export type AddOnUse = Used & { ref: string | null; variant: string; item?: string | null }

const hourMs = 3_600_000

export const sum = (lines: readonly { amount: number }[]): Cents =>
  lines.reduce((total, { amount }) => total + amount, 0)

export const monthlyPrice = (tier: Tier): Cents =>
  planLimits[planOfTier[tier]].monthlyPriceCents ?? 0

const once = (kind: Line['kind'], description: string, amount: Cents, period: Period): Line => ({
  kind,
  description,
  quantity: 1,
  unit: 'item',
  unit_price: null,
  amount,
  project_ref: null,
  compute_size: null,
  period_start: period.start,
  period_end: period.end,
})

/** The plan's month, ahead. None for plans that cost nothing or are agreed one by one. */
export function planLines(tier: Tier, period: Period): Line[] {
  const price = monthlyPrice(tier)
  if (price === 0) return []
  const line = once('plan', `${planNames[planOfTier[tier]]} plan`, price, period)
  return [{ ...line, unit: 'month', unit_price: price * microPerCent }]
}

/** What is left of the period, taken from the one plan and charged for the other. */
export function prorationLines(from: Tier, to: Tier, period: Period, now: Date): Line[] {
  const rest = { start: now, end: period.end }
  const part = (tier: Tier) => share(monthlyPrice(tier), lengthOf(rest), lengthOf(period))
  const name = (tier: Tier) => planNames[planOfTier[tier]]
  return [
    once('proration', `Unused time on the ${name(from)} plan`, -part(from), rest),
    once('proration', `Remaining time on the ${name(to)} plan`, part(to), rest),
  ].filter(({ amount }) => amount !== 0)
}

type Group = { use: ComputeUse; ms: number }
/** What has the same key makes one line. */
function grouped(
  uses: readonly ComputeUse[],
  period: Period,
  keyOf: (use: ComputeUse) => string,
): Group[] {
  const groups = new Map<string, Group>()
  for (const use of uses) {
    const key = keyOf(use)
    const ms = (groups.get(key)?.ms ?? 0) + overlap(use, period)
    groups.set(key, { use, ms })
  }
  return [...groups.values()]
}

/** Compute by project and size, afterwards, and the credits of the plan against it. Branches have lines of their own. */
export function computeLines(plan: PlanId, uses: readonly ComputeUse[], period: Period): Line[] {
  const own = uses.filter((use) => !use.branch_of)
  const groups = grouped(
    own,
    period,
    (use) => `${use.ref} ${use.size} ${use.replica ? 'replicas' : ''}`,
  )
  const lines = groups.flatMap(({ use, ms }): Line[] => {
    const rate = hourlyRate(plan, use.size)
    if (rate === 0 || ms === 0) return []
    const { label } = computeSizes[use.size]
    const what = use.replica ? `Read replicas, ${label} compute` : `${label} compute`
    const line = once('compute', `${what}, ${use.name}`, hourly(rate, ms), period)
    return [
      {
        ...line,
        quantity: ms / hourMs,
        unit: 'hour',
        unit_price: rate,
        project_ref: use.ref,
        compute_size: use.size,
      },
    ]
  })
  const credits = Math.min(planLimits[plan].computeCreditsCents, sum(lines))
  if (credits > 0) lines.push(once('compute_credits', 'Compute credits', -credits, period))
  return lines
}

/**
 * All branches of a project together, by the hour that they ran. One on larger compute than a branch begins with costs what that costs.
 * They are an add-on: the credits of the plan are for the compute of projects. Enterprise agrees on a price.
 */
export function branchLines(plan: PlanId, uses: readonly ComputeUse[], period: Period): Line[] {
  if (plan === 'enterprise') return []
  const rateOf = ({ size, replica }: ComputeUse) =>
    replica ? hourlyRate(plan, size) : Math.max(branchHourlyRate, hourlyRate(plan, size))
  const groups = grouped(
    uses.filter((use) => use.branch_of),
    period,
    (use) => `${use.branch_of} ${rateOf(use)} ${use.replica ? 'replicas' : ''}`,
  )
  return groups.flatMap(({ use, ms }): Line[] => {
    if (ms === 0) return []
    const rate = rateOf(use)
    const what = use.replica ? 'Read replicas of branches' : 'Branches'
    const size = rate > branchHourlyRate ? `, ${computeSizes[use.size].label} compute` : ''
    const name = use.parent_name ?? use.name
    return [
      {
        ...once('branches', `${what}${size}, ${name}`, hourly(rate, ms), period),
        quantity: ms / hourMs,
        unit: 'hour',
        unit_price: rate,
        project_ref: use.branch_of ?? null,
        compute_size: use.size,
      },
    ]
  })
}

/** Fixed add-ons for the share of the period in which they were on. The first project pays more where the list says so. */
export function addOnLines(uses: readonly AddOnUse[], period: Period): Line[] {
  const firstOf = new Map<string, string | null>()
  // Each of several is on for the whole period at most; together they make one line.
  const groups = new Map<string, { use: AddOnUse; times: Map<string | null, number> }>()
  const inOrder = uses.toSorted((a, b) => a.start.getTime() - b.start.getTime())
  for (const use of inOrder) {
    const used = overlap(use, period)
    if (used === 0) continue
    if (!firstOf.has(use.variant)) firstOf.set(use.variant, use.ref)
    const key = `${use.variant} ${use.ref}`
    const { times } = groups.get(key) ?? { times: new Map<string | null, number>() }
    const item = use.item ?? null
    groups.set(key, { use, times: times.set(item, (times.get(item) ?? 0) + used) })
  }
  return [...groups.values()].flatMap(({ use, times }): Line[] => {
    const variant = addOnVariant(use.variant)
    if (!variant) throw new Error(`There is no add-on ${use.variant}`)
    const first = firstOf.get(use.variant) === use.ref
    const rate = first ? variant.rate : (variant.additionalRate ?? variant.rate)
    const all = [...times.values()]
    const amount = sum(
      all.map((ms) => ({ amount: share(rate / microPerCent, ms, lengthOf(period)) })),
    )
    const line = once('add_on', `${variant.name}, ${use.name}`, amount, period)
    const quantity = all.reduce((total, ms) => total + ms, 0) / lengthOf(period)
    return [{ ...line, quantity, unit: 'month', unit_price: rate, project_ref: use.ref }]
  })
}

/** What was used beyond what a plan includes, and costs something. */
export type Charge = Pick<Line, 'description' | 'quantity' | 'unit' | 'unit_price' | 'amount'>
/** Who knows what organizations use. */
export type UsageCharges = {
  charges: (
    of: { organizationId: string; tier: Tier; period: Period },
    tx?: Tx,
  ) => Promise<Charge[]>
  /** Takes in what has come, so that `charges` has all of it. */
  settle: () => Promise<void>
}

export const chargeLines = (charges: readonly Charge[], period: Period): Line[] =>
  charges.map(({ description, quantity, unit, unit_price, amount }) => ({
    ...once('usage', description, amount, period),
    quantity,
    unit,
    unit_price,
  }))

/** What a period has cost beside the plan's own month and what was used beyond it. */
export const usageLines = (
  tier: Tier,
  compute: readonly ComputeUse[],
  addOns: readonly AddOnUse[],
  period: Period,
): Line[] =>
  planOfTier[tier] === 'free'
    ? []
    : [
        ...computeLines(planOfTier[tier], compute, period),
        ...branchLines(planOfTier[tier], compute, period),
        ...addOnLines(
          addOns.filter((use) => isListed(planOfTier[tier], use)),
          period,
        ),
      ]

/** Enterprise agrees on a price for its log drains. */
const isListed = (plan: PlanId, { variant }: AddOnUse): boolean =>
  plan !== 'enterprise' || addOnVariant(variant)?.type !== 'log_drain'

/** The same line as it goes over the wire. */
export const showLine = (line: Line): InvoiceLine => ({
  ...line,
  period_start: line.period_start.toISOString(),
  period_end: line.period_end.toISOString(),
})
