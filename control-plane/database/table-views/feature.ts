import type { Platform } from '../../platform.ts'
import { tableViewRoutes } from './routes.ts'
import { tableViewStore } from './store.ts'
import { createTableViews } from './table-views.ts'

/** What the table editor remembers for people. */
export function tableViewsFeature({ db, secrets, now }: Platform) {
  const views = createTableViews({ store: tableViewStore(db), secrets, now })
  return {
    routes: tableViewRoutes(views),
    rounds: [{ seconds: 60, name: 'saves that can no longer be undone', run: () => views.prune() }],
  }
}
