import { snippets as api } from '#contract/database/snippets'
import { implement } from '#kit/http'
import type { Snippets } from './snippets.ts'

export const snippetRoutes = (snippets: Snippets) => [
  implement(api.list, (input, caller) => snippets.list(caller, input)),
  implement(api.item, ({ ref, id }, caller) => snippets.item(caller, ref, id)),
  implement(api.count, (input, caller) => snippets.count(caller, input)),
  implement(api.put, (input, caller) => snippets.put(caller, input)),
  implement(api.remove, async ({ ref, ids }, caller) => {
    const chosen = ids.split(',')
    const { needs } = api.remove
    // Who may not write reports may not remove them either, and an id does not say what it is of.
    if (typeof needs !== 'string' && (await snippets.hasReport(chosen)))
      await caller.authorize(needs, { ref, type: 'report' })
    return snippets.remove(caller, ref, chosen)
  }),
]
