import { queryTrends as api } from '#contract/observability/query-performance'
import { implement } from '#kit/http'
import type { TrendStore } from './store.ts'
import { trendOf } from './trend.ts'

export const trendRoutes = (store: TrendStore) => [
  implement(api.trend, async ({ ref, queryid }) => ({
    points: trendOf(await store.of(ref, queryid)),
  })),
]
