import { analytics as api } from '#contract/observability/analytics'
import { v1 } from '#contract/v1/v1'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { createAnalytics, type AnalyticsNeeds } from './analytics.ts'

/** Figures of a project over time, as programs of the hosted service ask for them. */
export function analyticsFeature({ now }: Platform, needs: Omit<AnalyticsNeeds, 'now'>) {
  const analytics = createAnalytics({ ...needs, now })
  const counts = async (asked: Parameters<typeof analytics.counts>[0]) => ({
    result: await analytics.counts(asked),
  })
  const total = async ({ ref }: { ref: string }) => ({
    result: [{ count: await analytics.total(ref) }],
  })
  const stats = async (asked: Parameters<typeof analytics.functionStats>[0]) => ({
    result: await analytics.functionStats(asked),
  })
  return {
    routes: [
      implement(api.apiCounts, counts),
      implement(v1.apiCounts, counts),
      implement(api.requestsCount, total),
      implement(v1.requestsCount, total),
      implement(api.functionStats, stats),
      implement(v1.functionStats, stats),
      // The answer has what its schema names.
      implement(api.functionOutput, stats),
      implement(api.functionRequests, stats),
      implement(api.functionResources, stats),
    ],
  }
}
