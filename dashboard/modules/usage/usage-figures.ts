import {
  approachingFrom,
  billedApart,
  nearFrom,
  type OrganizationUsage,
  type UsageDay,
  type UsageItem,
  type UsageMetric,
} from '#contract/billing/usage'

export type Level = 'unbounded' | 'fine' | 'approaching' | 'near' | 'beyond'

/**
 * How much of what is included is used, from 0; undefined without a bound. Where each project has its own, it is that of the one that
 * uses most.
 */
export function shareOf(item: UsageItem): number | undefined {
  const { included, included_per_project, usage, project_allocations: projects } = item
  if (included === null || included === 0) return undefined
  return (included_per_project ? (projects[0]?.usage ?? 0) : usage) / included
}

export function levelOf(item: UsageItem): Level {
  const share = shareOf(item)
  if (share === undefined) return 'unbounded'
  if (share > 1) return 'beyond'
  if (share >= nearFrom) return 'near'
  return share >= approachingFrom ? 'approaching' : 'fine'
}

/** Of the meter that shows a level. */
export const tones = {
  unbounded: 'neutral',
  fine: 'neutral',
  approaching: 'warning',
  near: 'warning',
  beyond: 'danger',
} as const

/** Cents of all that is beyond; null where only a part was asked for. */
export const costOf = (items: readonly UsageItem[]): number | null =>
  items.reduce<number | null>(
    (sum, { metric, cost }) =>
      billedApart.includes(metric) ? sum : sum === null || cost === null ? null : sum + cost,
    0,
  )

const dayMs = 86_400_000

/** Every day (UTC) of a span that has begun, such as 2026-03-31. */
export function daysOf(
  { start, end }: Pick<OrganizationUsage, 'start' | 'end'>,
  now: Date,
): string[] {
  const until = Math.min(Date.parse(end), now.getTime() + 1)
  const days: string[] = []
  const first = Math.floor(Date.parse(start) / dayMs) * dayMs
  for (let day = first; day < until; day += dayMs)
    days.push(new Date(day).toISOString().slice(0, 10))
  return days
}

export type Bar = { day: string; total: number; parts: { name: string; usage: number }[] }

/** A bar for each day of one metric, also for those without use; the parts stand in one order throughout. */
export function barsOf(
  metric: UsageMetric,
  days: readonly string[],
  all: readonly UsageDay[],
  order: readonly string[],
): Bar[] {
  const own = all.filter((one) => one.metric === metric)
  return days.map((day) => {
    const found = own.filter((one) => one.day === day)
    const parts = found
      .map(({ part, usage }) => ({ name: part, usage }))
      .toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
    return { day, parts, total: found.reduce((sum, { usage }) => sum + usage, 0) }
  })
}

/** The table as a file has it: a line for each day, metric and part. */
export const csvRows = (days: readonly UsageDay[], unitOf: (metric: UsageMetric) => string) => [
  ['day', 'metric', 'part', 'usage', 'unit'],
  ...days.map(({ day, metric, part, usage }) => [day, metric, part || null, usage, unitOf(metric)]),
]
