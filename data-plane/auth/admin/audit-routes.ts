import { z } from 'zod'
import { auditEntries, type AuditPage } from './audit-store.ts'
import { invalid } from '../errors.ts'
import { pageLinks, type Paged } from '../sign-in/page-links.ts'
import type { Call, Route } from '../http.ts'
import { parse } from '../requests.ts'

const Query = z.object({
  page: z.coerce.number().int().min(1).max(10_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(1000).default(50),
  query: z.string().max(255).optional(),
})

/** What can be searched in, by the word before the colon. */
const scopes: Record<string, readonly string[]> = {
  author: ['actor_username', 'actor_name'],
  action: ['action'],
  type: ['log_type'],
}

/** Who did what to accounts, for the service key: `?query=action:login` finds entries by a part of a word. */
export const auditRoutes: Route[] = [
  {
    method: 'GET',
    url: '/admin/audit',
    handler: async (call: Call) => {
      const { page, per_page: perPage, query } = parse(Query, call.query)
      const { entries, total } = await auditEntries(call.tenant.pool, {
        page,
        perPage,
        filter: query ? filterOf(query) : undefined,
      })
      const paged: Paged = { path: '/admin/audit', page, perPage, total }
      call.reply.header('x-total-count', String(total))
      call.reply.header('link', pageLinks(call, paged))
      return entries.map((entry) => ({ ...entry, created_at: entry.created_at.toISOString() }))
    },
  },
]

function filterOf(query: string): AuditPage['filter'] {
  const [scope = '', ...rest] = query.split(':')
  const names = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined
  if (!names || rest.length === 0) {
    throw invalid(`Invalid query scope: ${scope}. Use author:, action: or type:`)
  }
  return { names, text: rest.join(':') }
}
