import type { Output } from '#contract/endpoint'
import { isQuery, snippets as platform, type SnippetListItem } from '#contract/database/snippets'
import { v1Snippets as api } from '#contract/v1/v1-snippets'
import { ApiError } from '#kit/errors'
import { implement, type Caller } from '#kit/http'
import type { SnippetStore } from './store.ts'
import type { Snippets } from './snippets.ts'

type V1Snippet = Output<typeof api.snippets>['data'][number]

const shape = (snippet: SnippetListItem, project: V1Snippet['project']): V1Snippet => ({
  id: snippet.id,
  name: snippet.name,
  description: snippet.description,
  type: 'sql',
  visibility: snippet.visibility,
  favorite: snippet.favorite,
  owner: snippet.owner,
  // Only its owner changes a snippet.
  updated_by: snippet.owner,
  project,
  inserted_at: snippet.inserted_at,
  updated_at: snippet.updated_at,
})

const nameOf = ({ id, name }: { id: string; name: string }) => ({ id: Number(id), name })

/** Saved SQL texts for programs, which know them without their project. */
export function v1SnippetRoutes(snippets: Snippets, store: Pick<SnippetStore, 'homeOf' | 'home'>) {
  async function admit(caller: Caller, ref: string): Promise<void> {
    const { needs } = platform.list
    if (typeof needs !== 'string') await caller.authorize(needs, { ref })
  }
  return [
    implement(api.snippets, async ({ project_ref: ref, ...page }, caller) => {
      await admit(caller, ref)
      const home = await store.home(ref)
      if (!home) throw new ApiError('project_not_found')
      const { data, cursor } = await snippets.list(caller, { ...page, ref, type: 'sql' })
      return {
        data: data.map((snippet) => shape(snippet, nameOf(home))),
        ...(cursor === null ? {} : { cursor }),
      }
    }),
    implement(api.snippet, async ({ id }, caller) => {
      const home = await store.homeOf(id)
      if (!home) throw new ApiError('snippet_not_found')
      // Whoever may not know of the project may not know of the snippet either.
      await admit(caller, home.ref).catch((error: unknown) => {
        throw error instanceof ApiError && error.status === 404
          ? new ApiError('snippet_not_found')
          : error
      })
      const snippet = await snippets.item(caller, home.ref, id)
      if (snippet.type !== 'sql' || !isQuery(snippet)) throw new ApiError('snippet_not_found')
      const { schema_version, sql } = snippet.content
      return {
        ...shape(snippet, nameOf(home)),
        content: { schema_version, sql },
      }
    }),
  ]
}
