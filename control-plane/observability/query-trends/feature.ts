import type { Platform } from '../../platform.ts'
import { createCollector } from './collector.ts'
import { trendRoutes } from './routes.ts'
import { trendStore } from './store.ts'

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
