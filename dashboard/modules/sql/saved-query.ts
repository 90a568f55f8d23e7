import { useNavigate } from '@tanstack/react-router'
import { isQuery, snippets, type Query, type Snippet } from '#contract/database/snippets'
import { call, CallError, useCall } from '../../api/client.ts'

const longestName = 200

/** Opens SQL in the editor, as a private query of its own. `busy` while it is being made. */
export function useOpenSql(ref: string) {
  const navigate = useNavigate()
  const { mutate, isPending, error } = useCall(snippets.put, {
    changes: [snippets.list, snippets.count],
    onSuccess: async ({ id }) => {
      await navigate({ to: '/project/$ref/sql/$id', params: { ref, id } })
    },
  })
  return {
    busy: isPending,
    error,
    open(name: string, sql: string) {
      const id = crypto.randomUUID()
      const content = { schema_version: '1.0' as const, content_id: id, sql }
      mutate({ ref, id, name: name.slice(0, longestName), content, revision: 0 })
    },
  }
}

/** A saved query of the database. @throws CallError also where what the id names is none */
export const readQuery = async (ref: string, id: string): Promise<Query> =>
  queryIn(await call(snippets.item, { ref, id }))

/** @throws CallError */
export function queryIn(snippet: Snippet): Query {
  if (snippet.type !== 'sql' || !isQuery(snippet))
    throw new CallError('There is no such query', { code: 404, reason: 'snippet_not_found' })
  return snippet
}
