import type { FunctionUsage } from '#contract/functions/functions'
import {
  latencyBounds,
  usageRanges,
  usedServices,
  type ServiceUsage,
  type UsageRange,
} from '#contract/projects/project-home'
import type { HomeStore } from './store.ts'

type Usage = { key_used_at: string | null; services: ServiceUsage[] }

const none = { errors: 0, histogram: [] }
const hour = 3_600_000
/** How long counts are kept by the minute, and at all. */
const keep = { fine: 2 * hour, all: 8 * 24 * hour }

/**
 * How long 95 of 100 answers took at most, in ms: as far into its class as it lies among that class's answers. What is
 * slower than all bounds counts as the last of them.
 */
export const p95 = (histogram: readonly number[]) => ofSeveral(histogram, 0.95)

/** How long a single answer took is no percentile. */
const ofSeveral = (histogram: readonly number[], part: number) =>
  histogram.reduce((sum, n) => sum + n, 0) < 2 ? null : quantile(histogram, part)

/** As `p95`, for any part of the answers. */
function quantile(histogram: readonly number[], part: number): number | null {
  const all = histogram.reduce((sum, n) => sum + n, 0)
  if (all === 0) return null
  let before = 0
  for (const [at, bound] of latencyBounds.entries()) {
    const n = histogram[at] ?? 0
    const requested = all * part - before
    if (n > 0 && n >= requested) {
      const from = latencyBounds[at - 1] ?? 0
      return Math.round((from + (bound - from) * (requested / n)) * 10) / 10
    }
    before += n
  }
  return latencyBounds.at(-1) ?? null
}

/** Bars begin at whole multiples, so that they do not move between two looks; the last one is still being filled. */
function barsOf(range: UsageRange, now: Date) {
  const { seconds, bar } = usageRanges[range]
  const end = (Math.floor(now.getTime() / (bar * 1000)) + 1) * bar * 1000
  return { seconds, bar, from: new Date(end - seconds * 1000) }
}

/** How much a project's services and functions are asked. */
export const createUsage = (store: HomeStore, now: () => Date) => ({
  async of(ref: string, range: UsageRange): Promise<Usage> {
    const { seconds, bar, from } = barsOf(range, now())
    const [parts, histograms, used] = await Promise.all([
      store.bars(ref, from, bar),
      store.histograms(ref, from),
      store.keyUsedAt(ref),
    ])
    const services = usedServices.map((name): ServiceUsage => {
      const own = parts.filter(({ service }) => service === name)
      const bars = Array.from({ length: seconds / bar }, (_, at) => {
        const part = own.find((one) => one.bar === at)
        return { requests: part?.requests ?? 0, errors: part?.errors ?? 0 }
      })
      const sumOf = (what: 'requests' | 'errors') => bars.reduce((sum, one) => sum + one[what], 0)
      return {
        name,
        requests: sumOf('requests'),
        errors: sumOf('errors'),
        p95_ms: p95(histograms.get(name) ?? []),
        bars,
      }
    })
    return { key_used_at: used?.toISOString() ?? null, services }
  },

  async ofFunction(ref: string, id: string, range: UsageRange): Promise<FunctionUsage> {
    const { seconds, bar, from } = barsOf(range, now())
    const [parts, loads] = await Promise.all([
      store.classes(ref, `function:${id}`, from, bar),
      store.loads(ref, `function:${id}`, from, bar),
    ])
    const total = (histogram: readonly number[]) => histogram.reduce((sum, n) => sum + n, 0)
    const bars = Array.from({ length: seconds / bar }, (_, at) => {
      const { errors, histogram } = parts.find((part) => part.bar === at) ?? none
      const began_at = new Date(from.getTime() + at * bar * 1000).toISOString()
      const load = loads.find((one) => one.bar === at)
      return {
        began_at,
        invocations: total(histogram),
        errors,
        // A line of times goes through single ones too.
        p95_ms: quantile(histogram, 0.95),
        cpu_ms: load?.cpu_ms ?? 0,
        memory_mb: load?.memory_mb || null,
      }
    })
    const all = parts.reduce<number[]>(
      (sums, { histogram }) => histogram.map((n, at) => n + (sums[at] ?? 0)),
      [],
    )
    return {
      invocations: total(all),
      errors: bars.reduce((sum, { errors }) => sum + errors, 0),
      p50_ms: ofSeveral(all, 0.5),
      p95_ms: p95(all),
      bars,
    }
  },

  add: store.add,

  async prune(): Promise<void> {
    const time = now().getTime()
    // A half hour is rolled up when all of its minutes are old enough.
    const half = 1_800_000
    const fine = Math.floor((time - keep.fine) / half) * half
    await store.prune(new Date(fine), new Date(time - keep.all))
  },
})
