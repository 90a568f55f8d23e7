import { tableViews as api } from '#contract/database/table-views'
import { implement } from '#kit/http'
import type { TableViews } from './table-views.ts'

export const tableViewRoutes = (views: TableViews) => [
  implement(api.list, (input, caller) => views.list(caller, input)),
  implement(api.put, (input, caller) => views.put(caller, input)),
  implement(api.remove, ({ ref, id }, caller) => views.remove(caller, ref, id)),
  implement(api.layout, (input, caller) => views.putLayout(caller, input)),
  implement(api.lastUndo, (input, caller) => views.lastUndo(caller, input)),
  implement(api.keepUndo, (input, caller) => views.keepUndo(caller, input)),
  implement(api.dropUndo, ({ ref, id }, caller) => views.dropUndo(caller, ref, id)),
]
