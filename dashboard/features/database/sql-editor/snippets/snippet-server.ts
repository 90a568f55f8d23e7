import { snippets } from '#contract/database/snippets'
import { call, CallError, forget, messageOf, queryClient } from '../../../../api/client.ts'
import { queryIn, readQuery } from '../../../../modules/sql/read-query.ts'
import type { PutResult, Server } from '../open-query.ts'
import { savedOf, type Saved } from '../running/query-values.ts'

/** Saves and reads the snippets of one project for the queries that are open. */
export function snippetServer(ref: string): Server {
  /** What lists show of each: they are read again only when that changed. */
  const listed = new Map<string, string>()
  return {
    async put(id, values, revision): Promise<PutResult> {
      const { sql, chart = null, ...rest } = values
      const content = {
        schema_version: '1.0' as const,
        content_id: id,
        sql,
        ...(chart ? { chart } : {}),
      }
      try {
        const answer = queryIn(await call(snippets.put, { ref, id, ...rest, content, revision }))
        queryClient.setQueryData([snippets.item.name, { ref, id }], answer)
        const { name, visibility, favorite } = answer
        const now = JSON.stringify([name, visibility, favorite])
        if (listed.get(id) !== now) void forget(snippets.list, snippets.count)
        listed.set(id, now)
        return { ok: true, saved: savedOf(answer) }
      } catch (error) {
        return refusal(error)
      }
    },
    async read(id): Promise<Saved | undefined> {
      try {
        return savedOf(await readQuery(ref, id))
      } catch {
        // The caller says so and tries again.
        return undefined
      }
    },
  }
}

function refusal(error: unknown): PutResult {
  if (!(error instanceof CallError))
    return { ok: false, reason: 'failed', message: messageOf(error), again: true, unsure: true }
  const { code, reason, message } = error
  if (code === 409 && reason === 'conflict') return { ok: false, reason: 'conflict' }
  const unsure = code === 0 || code >= 500
  return { ok: false, reason: 'failed', message, again: unsure || code === 429, unsure }
}
