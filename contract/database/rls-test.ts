import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { As } from '../data-api/impersonation.ts'
import { Named, Policy } from './pg-meta-shapes.ts'
import { inProject } from '../permissions.ts'
import { Cell, NewCell } from './rows/table-rows.ts'
import { ProjectRef as ref } from '../values.ts'

export const rlsCommands = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const
export type RlsCommand = (typeof rlsCommands)[number]

/**
 * What Postgres asks before a row is touched: may it be seen, may it be changed, may the new row be written, and may
 * the new row be read back. `passed` is null where an expression failed.
 */
export const RlsStep = z.object({
  part: z.enum(['see', 'change', 'check', 'read_back']),
  passed: z.boolean().nullable(),
  /** Of the policies that speak here; null is SQL's "unknown", which does not pass either. */
  policies: z.array(z.object({ id: z.number(), passed: z.boolean().nullable() })),
})
export type RlsStep = z.infer<typeof RlsStep>

/**
 * `skipped`: the command goes on without the row. `refused`: the whole command fails. `unknown`: a policy's expression
 * failed, or the row is too large to be tried.
 */
export const rlsOutcomes = ['allowed', 'skipped', 'refused', 'unknown'] as const
export type RlsOutcome = (typeof rlsOutcomes)[number]

export const RlsRow = z.object({
  /** The row as it is; empty for INSERT. */
  before: z.array(Cell),
  /** The row as it would be; null for SELECT and DELETE. */
  after: z.array(Cell).nullable(),
  outcome: z.enum(rlsOutcomes),
  steps: z.array(RlsStep),
})
export type RlsRow = z.infer<typeof RlsRow>

export const RlsResult = z.object({
  /** Why no policy is asked; null when they are. */
  inactive: z.enum(['off', 'owner', 'bypass']).nullable(),
  /** Privileges that the role lacks for this, as `update on column salary`; with one missing nothing happens at all. */
  missing: z.array(z.string()),
  policies: z.array(
    Policy.extend({
      /** Whether it is for the role. */
      applies: z.boolean(),
      /** What its expression failed of. */
      error: z.string().nullable(),
    }),
  ),
  columns: z.array(z.string()),
  rows: z.array(RlsRow),
  next: z.string().nullable(),
  /** Columns whose default would change something (a sequence); NULL stands in their place. */
  unknown_columns: z.array(z.string()),
  /** Triggers that may change a row before its check. They do not run here. */
  triggers: z.array(z.string()),
})
export type RlsResult = z.infer<typeof RlsResult>

export const rlsTest = {
  /**
   * What row level security would make of a command, row by row, and by which policy. Nothing is carried out: rows are
   * read, new rows are put together, and each policy's expression is asked about them as the role, in one transaction that
   * cannot write and is rolled back. Triggers do not fire. What a policy's own functions do outside of the database
   * (a call over the network from an extension) they do here too.
   */
  run: endpoint('rls-test.run', 'POST /platform/pg-meta/:ref/entities/:id/rls-test', {
    needs: inProject('tenant:Sql:Admin:Write', 'tables'),
    input: z.object({
      ref,
      id: z.coerce.number().int().min(0).max(4_294_967_295),
      as: As,
      command: z.enum(rlsCommands),
      /** The row to insert, or what an update sets. */
      values: z.record(Named, NewCell).default({}),
      /** Only rows that the role can see. */
      only_seen: z.boolean().default(false),
      limit: z.number().int().min(1).max(100).default(100),
      /** `next` of the page before. */
      cursor: z.string().max(20_000).optional(),
    }),
    returns: RlsResult,
  }),
}
