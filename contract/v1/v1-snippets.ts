import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Instant, ProjectRef } from '../values.ts'

const V1Snippet = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  type: z.literal('sql'),
  visibility: z.enum(['user', 'project']),
  favorite: z.boolean(),
  owner: z.object({ id: z.int(), username: z.string() }),
  updated_by: z.object({ id: z.int(), username: z.string() }),
  project: z.object({ id: z.int(), name: z.string() }),
  inserted_at: Instant,
  updated_at: Instant,
})

/** Saved SQL texts. Their handlers ask for the permission of `snippets.list` in the project that is meant. */
export const v1Snippets = {
  snippets: endpoint('v1.snippets', 'GET /v1/snippets', {
    needs: 'signed-in',
    appScope: 'database:read',
    input: z.object({
      project_ref: ProjectRef,
      limit: z.coerce.number().int().min(1).max(100).default(10),
      cursor: z.string().max(1000).optional(),
      sort_by: z.enum(['name', 'inserted_at']).default('inserted_at'),
      sort_order: z.enum(['asc', 'desc']).default('desc'),
    }),
    returns: z.object({ data: z.array(V1Snippet), cursor: z.string().optional() }),
  }),
  snippet: endpoint('v1.snippet', 'GET /v1/snippets/:id', {
    needs: 'signed-in',
    appScope: 'database:read',
    input: z.object({ id: z.uuid() }),
    returns: V1Snippet.extend({
      content: z.object({ schema_version: z.string(), sql: z.string() }),
    }),
  }),
}
