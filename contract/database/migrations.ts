import { z } from 'zod'
import { longestName } from '../ddl/change.ts'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { sqlText } from './pg-meta-shapes.ts'
import { ProjectRef as ref } from '../values.ts'

/** One row of `supabase_migrations.schema_migrations`, which migration tools of this kind of platform share. */
export const Migration = z.object({
  /** The moment it was made, as `20260131235959`; the order in which they apply. */
  version: z.string(),
  name: z.string().nullable(),
  statements: z.array(z.string()),
  /** What takes it back; null where nobody said. */
  rollback: z.array(z.string()).nullable(),
  created_by: z.string().nullable(),
})
export type Migration = z.infer<typeof Migration>

const statement = sqlText(900_000)
const version = z.string().regex(/^\d{1,20}$/, 'A version is made of digits')

export const migrations = {
  /**
   * Carries a change of the structure out and records it as a migration, both or neither. With `transaction: false`
   * it is one statement that runs alone and is recorded right after.
   */
  change: endpoint('migrations.change', 'POST /platform/pg-meta/:ref/changes', {
    needs: inProject('tenant:Sql:Admin:Write', 'tables'),
    input: z.object({
      ref,
      name: z
        .string()
        .regex(/^[a-z0-9_]+$/, 'A name is made of lower-case letters, digits and underscores')
        .max(longestName),
      statements: z.array(statement).min(1).max(200),
      inverse: z.array(statement).max(200).optional(),
      transaction: z.boolean().default(true),
    }),
    returns: Migration,
  }),
  /** Newest first. */
  list: endpoint('migrations.list', 'GET /platform/pg-meta/:ref/migrations', {
    needs: inProject('tenant:Sql:Admin:Read', 'tables'),
    input: z.object({
      ref,
      limit: z.coerce.number().int().min(1).max(500).default(100),
      /** Only what is older than this version. */
      before: version.optional(),
      /** Only those with this in their version, name or SQL, in any case. */
      search: z.string().max(200).optional(),
    }),
    returns: z.array(Migration),
  }),
}
