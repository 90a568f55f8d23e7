import { snippets as api } from '#contract/database/snippets'
import { implement } from '#kit/http'
import type { Snippets } from './snippets.ts'

export const snippetRoutes = (snippets: Snippets) => [
  implement(api.list, (input, caller) => snippets.list(caller, input)),
  implement(api.item, ({ ref, id }, caller) => snippets.item(caller, ref, id)),
  implement(api.count, ({ ref, name }, caller) => snippets.count(caller, ref, name)),
  implement(api.put, (input, caller) => snippets.put(caller, input)),
  implement(api.remove, ({ ref, ids }, caller) => snippets.remove(caller, ref, ids)),
]
