import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { inProject } from '../../permissions.ts'
import { Instant, ProjectRef, wholeNumber } from '../../values.ts'

/** Runs of one person in one project that are kept; older ones are forgotten. */
export const keptSqlRuns = 500
/** Characters of a text that the history keeps. */
export const keptSqlText = 100_000

const ByRef = z.object({ ref: ProjectRef })

const SqlRun = z.object({
  id: z.uuid(),
  /** The saved query that ran, if it was one; it may be gone since. */
  snippet_id: z.uuid().nullable(),
  name: z.string().max(200),
  sql: z.string().max(keptSqlText),
  parameters: z.record(z.string().max(200), z.string().max(10_000).nullable()),
  status: z.enum(['running', 'done', 'failed', 'cancelled']),
  /** On the server, all statements together; null while it runs. */
  ms: z.number().min(0).nullable(),
  rows: z.number().int().min(0).nullable(),
  error: z.string().max(2000).nullable(),
  started_at: Instant,
})
export type SqlRun = z.infer<typeof SqlRun>

/** What a person has run in a project, for nobody else to see. */
export const sqlHistory = {
  list: endpoint('sqlHistory.list', 'GET /platform/projects/:ref/content/runs', {
    needs: inProject('read:Read', 'user_content'),
    input: ByRef.extend({
      limit: wholeNumber(1, 100).default(50),
      /** Runs before this moment: `started_at` of the last one seen. */
      before: Instant.optional(),
      /** Only runs whose name or text contains this, in any case. */
      search: z.string().max(200).optional(),
    }),
    returns: z.array(SqlRun),
  }),
  /** Writes down a run that begins, and once more, under the same id, how it ended. */
  put: endpoint('sqlHistory.put', 'PUT /platform/projects/:ref/content/runs/:id', {
    needs: inProject('read:Read', 'user_content'),
    perMinute: 240,
    input: ByRef.extend(SqlRun.omit({ started_at: true }).shape),
    returns: z.object({}),
  }),
  clear: endpoint('sqlHistory.clear', 'DELETE /platform/projects/:ref/content/runs', {
    needs: inProject('read:Read', 'user_content'),
    input: ByRef,
    returns: z.object({}),
  }),
}
