import { z } from 'zod'
import { longestName } from '../ddl/change.ts'
import { endpoint } from '../endpoint.ts'
import { Migration } from './migrations.ts'
import { inProject } from '../permissions.ts'
import { sqlText } from './pg-meta-shapes.ts'
import { ProjectRef as ref } from '../values.ts'

const reads = inProject('tenant:Sql:Admin:Read', 'tables')
const writes = inProject('tenant:Sql:Admin:Write', 'tables')
const version = z.string().regex(/^\d{1,20}$/, 'A version is made of digits')
/** As files call themselves: 20260131235959_add_books.sql. */
const name = z
  .string()
  .max(longestName)
  .regex(/^[\w.-]*$/, 'A name is made of letters, digits, dots, hyphens and underscores')

export const Difference = z.object({
  kind: z.string(),
  name: z.string(),
  change: z.enum(['added', 'removed', 'changed']),
  /** As it was when the last change was recorded, and as it is; null where it was or is not there. */
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type Difference = z.infer<typeof Difference>

/** Migrations that were made elsewhere, and what was changed without one. */
export const migrationTools = {
  /** Runs a migration file and records it under its own version, both or neither. */
  apply: endpoint('migration-tools.apply', 'POST /platform/pg-meta/:ref/migrations/apply', {
    needs: writes,
    input: z.object({
      ref,
      version,
      name,
      sql: sqlText(900_000).min(1),
      /** Without it a version older than the newest that is recorded is refused. */
      out_of_order: z.boolean().default(false),
    }),
    returns: Migration,
  }),
  /** Changes only the record: nothing is run. */
  mark: endpoint('migration-tools.mark', 'POST /platform/pg-meta/:ref/migrations/:version/mark', {
    needs: writes,
    input: z.object({
      ref,
      version,
      as: z.enum(['applied', 'reverted']),
      name: name.optional(),
      sql: sqlText(900_000).optional(),
    }),
    returns: z.object({ version: z.string() }),
  }),
  /** What is different from the structure as the recorded changes have left it. */
  drift: endpoint('migration-tools.drift', 'GET /platform/pg-meta/:ref/migrations/drift', {
    needs: reads,
    input: z.object({ ref }),
    returns: z.object({
      /** When the structure was last taken down; null: nobody has done so yet. */
      since: z.string().nullable(),
      /** The newest migration at that time. */
      version: z.string().nullable(),
      /** Versions that another tool has recorded since; what they did is among the differences. */
      elsewhere: z.array(z.string()),
      differences: z.array(Difference),
      /** How many there are, listed or not. */
      total: z.number(),
    }),
  }),
  /** Takes the structure down as it is now: from here on it is what is expected. */
  accept: endpoint('migration-tools.accept', 'POST /platform/pg-meta/:ref/migrations/drift', {
    needs: writes,
    input: z.object({ ref }),
    returns: z.object({ objects: z.number() }),
  }),
}
