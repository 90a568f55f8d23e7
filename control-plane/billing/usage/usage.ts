import {
  billedApart,
  maxUsageDays,
  usageMetrics,
  usageUnits,
  type OrganizationUsage,
  type UsageDay,
  type UsageItem,
  type UsageMetric,
} from '#contract/billing/usage'
import { planNames, planOfTier, usageIsBilled, type Tier } from '#contract/billing/plans'
import { ApiError } from '#kit/errors'
import type { Db, Tx } from '../../platform-database/database.ts'
import { figuresOf, sumsBy, type Figure } from './items.ts'
import { priceOf, usageNames, type Allocation } from './pricing.ts'
import { usageReads, wholeHour, type CycleRow, type Span, type Whose } from './reads-store.ts'

type Payer = { id: string; tier: Tier }
type Deps = {
  db: Db
  /** @throws ApiError organization_not_found */
  payerOf: (slug: string) => Promise<Payer>
  /** Begins the subscription of an organization that has none yet. */
  begin: (slug: string) => Promise<unknown>
  now: () => Date
}
type Asked = {
  slug: string
  start?: string | undefined
  end?: string | undefined
  project_ref?: string | undefined
}
/** Of whom, on which tier, and which cycle. */
type CycleOf = { organizationId: string; tier: Tier; period: Span }
/** Part of an invoice: what was used beyond what the plan includes. */
export type UsageCharge = {
  description: string
  quantity: number
  unit: 'gigabyte' | 'item'
  /** Micro-cents of one unit; null where packages are sold. */
  unit_price: number | null
  amount: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** What organizations use, what of it is included, and what the rest costs. */
export function createUsage({ db, payerOf, begin, now }: Deps) {
  const reads = usageReads(db)

  async function cyclesOf(slug: string, organizationId: string): Promise<CycleRow[]> {
    const found = await reads.cycles(organizationId)
    if (found.length > 0) return found
    await begin(slug)
    return reads.cycles(organizationId)
  }

  /** @throws ApiError invalid_input for a time that is none, or too long */
  function spanOf(
    { start, end }: Asked,
    cycles: readonly CycleRow[],
  ): Span & { cycle: CycleRow | undefined } {
    const cycle =
      start === undefined
        ? cycles[0]
        : cycles.find(({ started_at }) => started_at.getTime() === Date.parse(start))
    if (cycle && (end === undefined || Date.parse(end) === cycle.ended_at.getTime()))
      return { start: cycle.started_at, end: cycle.ended_at, cycle }
    if (start === undefined || end === undefined)
      throw new ApiError(
        'invalid_input',
        'Name a billing cycle by its start, or a time by start and end',
      )
    const [from, until] = [new Date(start), new Date(end)]
    if (until <= from) throw new ApiError('invalid_input', 'end must be later than start')
    if (until.getTime() - from.getTime() > maxUsageDays * dayMs)
      throw new ApiError(
        'invalid_input',
        `A time of more than ${maxUsageDays} days cannot be asked for`,
      )
    return { start: from, end: until, cycle: undefined }
  }

  /** Cycles that have anything to do with a time. */
  const touching = (cycles: readonly CycleRow[], { start, end }: Span) =>
    cycles
      .filter(({ started_at, ended_at }) => wholeHour(started_at) < end && ended_at > start)
      .map(({ started_at }) => started_at)

  async function figures(
    whose: Whose,
    cycles: readonly Date[],
    span: Span,
    byDay: boolean,
    from = reads,
  ): Promise<Figure[]> {
    const whole = { start: wholeHour(span.start), end: wholeHour(span.end) }
    const passed = Math.min(whole.end.getTime(), wholeHour(now()).getTime() + hourMs)
    const hours = Math.max(1, (passed - whole.start.getTime()) / hourMs)
    const [counted, seen, compute, branches, drains] = await Promise.all([
      from.counted(whose, whole, byDay),
      from.seen(whose, cycles, whole, byDay),
      from.compute(whose, span, now(), byDay),
      from.branches(whose, span, now(), byDay),
      from.drains(whose, span, now(), byDay),
    ])
    return figuresOf({ counted, seen, compute, branches, drains, hours: byDay ? null : hours })
  }

  const named = (sums: ReadonlyMap<string, number>) =>
    [...sums].map(([name, usage]) => ({ name, usage })).filter(({ usage }) => usage > 0)

  function itemOf(
    metric: UsageMetric,
    all: readonly Figure[],
    { tier, names, isWhole }: { tier: Tier; names: ReadonlyMap<string, string>; isWhole: boolean },
  ): UsageItem {
    const own = all.filter((figure) => figure.metric === metric)
    const allocations: Allocation[] = named(sumsBy(own, ({ ref }) => ref))
      .map(({ name: ref, usage }) => ({
        ref,
        name: ref === '' ? 'Audit log' : (names.get(ref) ?? ref),
        usage,
      }))
      .toSorted((a, b) => b.usage - a.usage)
    const { overage, cost, ...price } = priceOf(metric, allocations, tier)
    return {
      metric,
      unit: usageUnits[metric],
      usage: allocations.reduce((sum, { usage }) => sum + usage, 0),
      ...price,
      overage: isWhole ? overage : null,
      cost: isWhole && !billedApart.includes(metric) ? cost : null,
      breakdown: named(
        sumsBy(
          own.filter(({ part }) => part !== ''),
          ({ part }) => part,
        ),
      ),
      project_allocations: allocations,
    }
  }

  /** All that an organization has used in a cycle so far. */
  async function items({ organizationId, tier, period }: CycleOf, tx?: Tx): Promise<UsageItem[]> {
    const whose = { organizationId, ref: undefined }
    const all = await figures(whose, [period.start], period, false, usageReads(tx ?? db))
    const how = { tier, names: new Map<string, string>(), isWhole: true }
    return usageMetrics.map((metric) => itemOf(metric, all, how))
  }

  /** Of the project too, where one is named. @throws ApiError project_not_found */
  async function look(asked: Asked) {
    const payer = await payerOf(asked.slug)
    const cycles = await cyclesOf(asked.slug, payer.id)
    const span = spanOf(asked, cycles)
    return { payer, cycles, span, whose: { organizationId: payer.id, ref: asked.project_ref } }
  }

  return {
    async get(asked: Asked): Promise<OrganizationUsage> {
      const { payer, cycles, span, whose } = await look(asked)
      const all = await figures({ ...whose, ref: undefined }, touching(cycles, span), span, false)
      const names = await reads.names([...new Set(all.map(({ ref }) => ref))])
      const { ref } = whose
      const isKnown =
        ref === undefined || names.has(ref) || (await reads.ownsProject(payer.id, ref))
      if (!isKnown) throw new ApiError('project_not_found')
      const tier = span.cycle?.tier ?? payer.tier
      const shown = ref === undefined ? all : all.filter((figure) => figure.ref === ref)
      const isWhole = span.cycle !== undefined && ref === undefined
      return {
        start: span.start.toISOString(),
        end: span.end.toISOString(),
        plan: { id: planOfTier[tier], name: planNames[planOfTier[tier]] },
        tier,
        usage_billing_enabled: usageIsBilled[tier],
        items: usageMetrics.map((metric) => itemOf(metric, shown, { tier, names, isWhole })),
        cycles: cycles.map(({ started_at, ended_at }, at) => ({
          start: started_at.toISOString(),
          end: ended_at.toISOString(),
          is_current: at === 0,
        })),
        projects: [...names]
          .map(([of, name]) => ({ ref: of, name }))
          .toSorted((a, b) => a.name.localeCompare(b.name)),
        not_measured: ['cached_egress'],
      }
    },

    async daily({
      by_project,
      ...asked
    }: Asked & { by_project: boolean }): Promise<{ days: UsageDay[] }> {
      const { cycles, span, whose } = await look(asked)
      const all = await figures(whose, touching(cycles, span), span, true)
      const keyOf = ({ day, metric, part, ref }: Figure) =>
        JSON.stringify([day, metric, part, by_project ? ref : (whose.ref ?? null)])
      const days = [...sumsBy(all, keyOf)].map(([key, usage]): UsageDay => {
        // As it was put together above.
        const [day, metric, part, ref] = JSON.parse(key) as [
          string,
          UsageMetric,
          string,
          string | null,
        ]
        return { day, metric, part, ref, usage }
      })
      return { days: days.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)) }
    },

    items,

    /** What a cycle costs beyond the plan and its compute, as it is known now. Nothing where usage is not billed. */
    async charges(asked: CycleOf, tx?: Tx): Promise<UsageCharge[]> {
      if (!usageIsBilled[asked.tier]) return []
      return (await items(asked, tx)).flatMap((item): UsageCharge[] => {
        const { metric, cost, overage, unit, price, price_per, pricing_strategy, included } = item
        if (cost === null || overage === null || cost === 0) return []
        const size = unit === 'bytes' ? price_per : 1
        return [
          {
            description:
              included === 0
                ? usageNames[metric]
                : `${usageNames[metric]} beyond what the plan includes`,
            quantity: overage / size,
            unit: unit === 'bytes' ? 'gigabyte' : 'item',
            unit_price: pricing_strategy === 'UNIT' ? price : null,
            amount: cost,
          },
        ]
      })
    },
  }
}
export type Usage = ReturnType<typeof createUsage>
