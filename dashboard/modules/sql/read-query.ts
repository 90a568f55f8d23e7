import { isQuery, snippets, type Query, type Snippet } from '#contract/database/snippets'
import { call, CallError } from '../../api/client.ts'

/** A saved query of the database. @throws CallError also where what the id names is none */
export const readQuery = async (ref: string, id: string): Promise<Query> =>
  queryIn(await call(snippets.item, { ref, id }))

/** @throws CallError */
export function queryIn(snippet: Snippet): Query {
  if (snippet.type !== 'sql' || !isQuery(snippet))
    throw new CallError('There is no such query', { code: 404, reason: 'snippet_not_found' })
  return snippet
}
