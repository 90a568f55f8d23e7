import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { logDialects } from '../observability/logs.ts'
import { ReportContent } from '../observability/report-content.ts'
import { displayName, Instant, ProjectRef, wholeNumber } from '../values.ts'

/**
 * What people keep in a project (facts §3.3 "Content"): queries of the database, queries of logs (`log_sql`), and
 * reports of their own.
 */
export const snippetTypes = ['sql', 'log_sql', 'report'] as const
export type SnippetType = (typeof snippetTypes)[number]

/** What was saved, without its content: what lists show. */
export const SnippetListItem = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  type: z.enum(snippetTypes),
  /** `user`: only its owner sees it. `project`: every member reads it, its owner changes it. */
  visibility: z.enum(['user', 'project']),
  /** Of the caller, not of the snippet: everyone has their own favourites. */
  favorite: z.boolean(),
  /** Of the owner's own folders; null for everybody else. */
  folder_id: z.uuid().nullable(),
  owner_id: z.number(),
  owner: z.object({ id: z.number(), username: z.string() }),
  project_id: z.number(),
  inserted_at: Instant,
  updated_at: Instant,
  /** Goes up by one with every change of name, text, description or visibility. */
  revision: z.number().int(),
})
export type SnippetListItem = z.infer<typeof SnippetListItem>

/** A drawing of a result: columns are named, because the next result may have others. */
export const SnippetChart = z.object({
  kind: z.enum(['bar', 'line', 'area', 'scatter']),
  x: z.string().max(200),
  y: z.array(z.string().max(200)).max(8),
  cumulative: z.boolean().default(false),
})
export type SnippetChart = z.infer<typeof SnippetChart>

export const SqlContent = z.object({
  schema_version: z.literal('1.0').default('1.0'),
  /** The snippet's own id again, as other clients of this API expect. */
  content_id: z.string().max(64),
  sql: z.string().max(900_000),
  /** How the last result was drawn; missing until somebody draws one. */
  chart: SnippetChart.nullish(),
  /** Of a query of logs; the older one, `analytics`, unless told. */
  dialect: z.enum(logDialects).optional(),
})
export type SqlContent = z.infer<typeof SqlContent>

const SnippetContent = z.union([SqlContent, ReportContent])

export const Snippet = SnippetListItem.extend({ content: SnippetContent })
export type Snippet = z.infer<typeof Snippet>
/** One that is a query, of the database or of logs. */
export type Query = Snippet & { content: SqlContent }
export type Report = Snippet & { content: ReportContent }

export const isQuery = (snippet: Snippet): snippet is Query => 'sql' in snippet.content
export const isReport = (snippet: Snippet): snippet is Report => 'blocks' in snippet.content

const ByRef = z.object({ ref: ProjectRef })

export const snippets = {
  list: endpoint('snippets.list', 'GET /platform/projects/:ref/content', {
    needs: inProject('read:Read', 'user_content'),
    input: ByRef.extend({
      type: z.enum(snippetTypes).default('sql'),
      visibility: z.enum(['user', 'project']).optional(),
      favorite: z.enum(['true', 'false']).optional(),
      /** Only the caller's own snippets in this folder, or in none of their folders. */
      folder_id: z.union([z.uuid(), z.literal('none')]).optional(),
      /** Only snippets whose name contains this, in any case. */
      name: z.string().max(200).optional(),
      sort_by: z.enum(['name', 'inserted_at', 'updated_at']).default('name'),
      sort_order: z.enum(['asc', 'desc']).default('asc'),
      limit: wholeNumber(1, 100).default(100),
      /** `cursor` of the answer before, with everything else the same. */
      cursor: z.string().max(1000).optional(),
    }),
    returns: z.object({ data: z.array(SnippetListItem), cursor: z.string().nullable() }),
  }),
  item: endpoint('snippets.item', 'GET /platform/projects/:ref/content/item/:id', {
    needs: inProject('read:Read', 'user_content'),
    input: ByRef.extend({ id: z.uuid() }),
    returns: Snippet,
  }),
  count: endpoint('snippets.count', 'GET /platform/projects/:ref/content/count', {
    needs: inProject('read:Read', 'user_content'),
    input: ByRef.extend({
      type: z.enum(snippetTypes).default('sql'),
      name: z.string().max(200).optional(),
    }),
    returns: z.object({
      count: z.number(),
      favorites: z.number(),
      private: z.number(),
      shared: z.number(),
    }),
  }),
  /**
   * Creates the snippet or changes it. `revision` is the one the caller's copy started from: when the stored one is
   * another, nothing changes and the answer is 409 `conflict`. Without it the last write wins, which only suits
   * programs. `favorite` alone is no change of the snippet and needs no ownership.
   */
  put: endpoint('snippets.put', 'PUT /platform/projects/:ref/content', {
    needs: inProject('write:Update', 'user_content'),
    perMinute: 240,
    input: ByRef.extend({
      id: z.uuid(),
      name: displayName(1, 200),
      description: z.string().max(2000).nullish(),
      type: z.enum(snippetTypes).default('sql'),
      visibility: z.enum(['user', 'project']).default('user'),
      favorite: z.boolean().default(false),
      /** Left as it is when it is missing. Only queries of the database lie in folders. */
      folder_id: z.uuid().nullish(),
      content: SnippetContent,
      revision: z.number().int().min(0).optional(),
    }).superRefine(({ type, content, folder_id }, { addIssue }) => {
      if ((type === 'report') !== 'blocks' in content)
        addIssue({ code: 'custom', path: ['content'], message: `is no content of type ${type}` })
      if (folder_id && type !== 'sql')
        addIssue({ code: 'custom', path: ['folder_id'], message: 'is for type sql only' })
    }),
    returns: Snippet,
  }),
  /** Removes the caller's own snippets among `ids` (separated by commas) and answers those it removed. */
  remove: endpoint('snippets.remove', 'DELETE /platform/projects/:ref/content', {
    needs: inProject('write:Delete', 'user_content'),
    input: ByRef.extend({
      ids: z.string().regex(/^[0-9a-f-]{36}(?:,[0-9a-f-]{36}){0,99}$/, 'up to 100 ids with commas'),
    }),
    returns: z.array(z.object({ id: z.uuid() })),
  }),
}
