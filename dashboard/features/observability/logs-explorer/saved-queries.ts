import { infiniteQueryOptions } from '@tanstack/react-query'
import { isQuery, snippets, type Query } from '#contract/database/snippets'
import type { Output } from '#contract/endpoint'
import { call, CallError, forget, fresh, useCall } from '../../../api/client.ts'
import type { LogDialect } from './kept-queries.ts'

type Page = Output<typeof snippets.list>

/** Saved queries of logs that the reader may see, the one that changed last first. `name` is matched by the server. */
export const savedQueriesQuery = (ref: string, name: string) =>
  infiniteQueryOptions({
    queryKey: [snippets.list.name, { ref, type: 'log_sql', name }],
    queryFn: ({ pageParam, signal }) =>
      call(
        snippets.list,
        {
          ref,
          type: 'log_sql',
          sort_by: 'updated_at',
          sort_order: 'desc',
          limit: 100,
          ...(name ? { name } : {}),
          ...(pageParam ? { cursor: pageParam } : {}),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ cursor }: Page) => cursor ?? undefined,
    staleTime: fresh.default,
    placeholderData: (before) => before,
  })

export const savedQueryQuery = (ref: string, id: string) => ({
  queryKey: [snippets.item.name, { ref, id, type: 'log_sql' }],
  staleTime: fresh.default,
  queryFn: async (): Promise<Query> => {
    const snippet = await call(snippets.item, { ref, id })
    if (snippet.type !== 'log_sql' || !isQuery(snippet)) throw notFound()
    return snippet
  },
})

const notFound = () =>
  new CallError('There is no such query', { code: 404, reason: 'snippet_not_found' })

export const dialectOf = ({ content }: Query): LogDialect => content.dialect ?? 'analytics'

export type Kept = {
  id: string
  name: string
  description: string | null
  visibility: 'user' | 'project'
  sql: string
  dialect: LogDialect
  /** The one that the change began from; 0 for what is new. */
  revision: number
}

/** Saves a query, new or changed. What somebody else has saved meanwhile is not overwritten. */
export function useSaveQuery(
  ref: string,
  onSaved: (id: string) => void,
  onError?: (error: CallError) => void,
) {
  const { mutate, isPending, error } = useCall(snippets.put, {
    onSuccess: async ({ id }) => {
      await forget(snippets.list, snippets.item)
      onSaved(id)
    },
    ...(onError ? { onError } : {}),
  })
  return {
    isPending,
    error,
    save: ({ sql, dialect, ...rest }: Kept) =>
      mutate({
        ref,
        type: 'log_sql',
        ...rest,
        content: { schema_version: '1.0', content_id: rest.id, sql, dialect },
      }),
  }
}
