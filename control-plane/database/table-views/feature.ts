import type { Platform } from '../../platform.ts'
import { tableViewStore } from './store.ts'
import { createTableViews, type TableViews } from './table-views.ts'
import { tableViews as api } from '#contract/database/table-views'
import { implement } from '#kit/http'

/** What the table editor remembers for people. */
export function tableViewsFeature({ db, secrets, now }: Platform) {
  const views = createTableViews({ store: tableViewStore(db), secrets, now })
  return {
    routes: tableViewRoutes(views),
    rounds: [{ seconds: 60, name: 'saves that can no longer be undone', run: () => views.prune() }],
  }
}

const tableViewRoutes = (views: TableViews) => [
  implement(api.list, (input, caller) => views.list(caller, input)),
  implement(api.put, (input, caller) => views.put(caller, input)),
  implement(api.remove, ({ ref, id }, caller) => views.remove(caller, ref, id)),
  implement(api.layout, (input, caller) => views.putLayout(caller, input)),
  implement(api.lastUndo, (input, caller) => views.lastUndo(caller, input)),
  implement(api.keepUndo, (input, caller) => views.keepUndo(caller, input)),
  implement(api.dropUndo, ({ ref, id }, caller) => views.dropUndo(caller, ref, id)),
]
