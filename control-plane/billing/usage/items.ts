import type { SightingKind, StoredMetric } from '#contract/billing/usage-metrics'
import type { UsageMetric } from '#contract/billing/usage'
import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import type { Counted } from './reads-store.ts'

/** One figure of a project: of a metric, or of a part of it; on one day where days are asked for. */
export type Figure = {
  metric: UsageMetric
  /** Service or compute size; empty where there are no parts. */
  part: string
  ref: string
  day: string | null
  usage: number
}

const sightings: Record<SightingKind, UsageMetric> = {
  users: 'MONTHLY_ACTIVE_USERS',
  sso_users: 'MONTHLY_ACTIVE_SSO_USERS',
  third_party_users: 'MONTHLY_ACTIVE_THIRD_PARTY_USERS',
  images: 'STORAGE_IMAGES_TRANSFORMED',
}
const others: Partial<Record<StoredMetric, UsageMetric>> = {
  egress_cached: 'CACHED_EGRESS',
  function_invocations: 'FUNCTION_INVOCATIONS',
  realtime_messages: 'REALTIME_MESSAGE_COUNT',
  realtime_connections: 'REALTIME_PEAK_CONNECTIONS',
  database_size: 'DATABASE_SIZE',
  disk_size: 'DISK_SIZE',
  storage_size: 'STORAGE_SIZE',
  drain_events: 'LOG_DRAIN_EVENTS',
  drain_bytes: 'LOG_DRAIN_BYTES',
}

/** Where a stored metric is shown. */
function placeOf(name: StoredMetric): { metric: UsageMetric; part: string } | undefined {
  const metric = others[name]
  if (metric) return { metric, part: '' }
  const [kind, part = ''] = name.split('_')
  if (kind === 'egress') return { metric: 'EGRESS', part }
  return kind === 'requests' ? { metric: 'API_REQUESTS', part } : undefined
}
const isSize = (metric: UsageMetric) => metric.endsWith('_SIZE')

type Found = {
  counted: readonly Counted<StoredMetric>[]
  seen: readonly Counted<SightingKind>[]
  compute: readonly Counted<ComputeSizeId>[]
  branches: readonly Counted<ComputeSizeId>[]
  /** Hours of log drains. */
  drains: readonly Counted<'log_drain'>[]
  /** Hours over which sizes are averaged; null: over those in which each was measured. */
  hours: number | null
}

const running = (metric: UsageMetric, hours: readonly Counted<ComputeSizeId>[]): Figure[] =>
  hours.map(({ name, ref, day, value }) => ({ metric, part: name, ref, day, usage: value }))

export function figuresOf({ counted, seen, compute, branches, drains, hours }: Found): Figure[] {
  return [
    ...counted.flatMap(({ name, ref, day, value, hours: measured }): Figure[] => {
      const place = placeOf(name)
      if (!place) return []
      const usage = isSize(place.metric) ? Math.round(value / (hours ?? measured)) : value
      return [{ ...place, ref, day, usage }]
    }),
    ...seen.map(({ name, ref, day, value }): Figure => ({
      metric: sightings[name],
      part: '',
      ref,
      day,
      usage: value,
    })),
    ...running('COMPUTE_HOURS', compute),
    ...running('COMPUTE_HOURS_BRANCH', branches),
    ...drains.map(({ ref, day, value }): Figure => ({
      metric: 'LOG_DRAIN',
      part: '',
      ref,
      day,
      usage: value,
    })),
  ]
}

/** Adds up the figures that a key has in common. */
export function sumsBy(
  figures: readonly Figure[],
  key: (figure: Figure) => string,
): Map<string, number> {
  const sums = new Map<string, number>()
  for (const figure of figures) sums.set(key(figure), (sums.get(key(figure)) ?? 0) + figure.usage)
  return sums
}
