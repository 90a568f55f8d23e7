import type { Platform } from '../../platform.ts'
import { createCollector } from './collector.ts'
import { trendStore, type TrendStore } from './store.ts'
import { queryTrends as api } from '#contract/observability/query-performance'
import { implement } from '#kit/http'
import { trendOf } from './trend.ts'

type Needs = Pick<Parameters<typeof createCollector>[0], 'readStatements'>

/** How the work of a project's statements goes on. */
export function queryTrendsFeature({ db, log }: Platform, { readStatements }: Needs) {
  const store = trendStore(db)
  return {
    routes: trendRoutes(store),
    rounds: [
      {
        seconds: 60,
        name: 'statement figures',
        run: createCollector({ store, readStatements, log }),
      },
    ],
  }
}

const trendRoutes = (store: TrendStore) => [
  implement(api.trend, async ({ ref, queryid }) => ({
    points: trendOf(await store.of(ref, queryid)),
  })),
]
