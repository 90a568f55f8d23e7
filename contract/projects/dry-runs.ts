import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'

export const dryRunStates = ['running', 'passed', 'failed'] as const
export type DryRunState = (typeof dryRunStates)[number]

/** What the copy has of main: everything, or its migrations without its rows, where servers cannot be copied. */
export const dryRunCopies = ['data', 'migrations'] as const
export type DryRunCopy = (typeof dryRunCopies)[number]

/** The locks of Postgres on a table, the weakest first. */
export const lockModes = [
  'ACCESS SHARE',
  'ROW SHARE',
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const
export type LockMode = (typeof lockModes)[number]

/** Characters of a statement that are told; who wants all of it looks at the migration. */
export const statementHead = 200
/** Statements, and tables, that are told of one migration. */
export const mostTold = 200

/** Whom a lock keeps out until the migration has ended; null: nobody who reads and writes rows. */
export function keptOutBy(mode: LockMode): 'reads and writes' | 'writes' | null {
  if (mode === 'ACCESS EXCLUSIVE') return 'reads and writes'
  return mode === 'SHARE' || mode === 'SHARE ROW EXCLUSIVE' || mode === 'EXCLUSIVE'
    ? 'writes'
    : null
}

const Failure = z.object({
  message: z.string(),
  /** SQLSTATE; null: it was refused before Postgres was asked. */
  code: z.string().nullable(),
  hint: z.string().nullable(),
  /** The beginning of the statement that failed; null: of the migration as a whole, or when it was committed. */
  statement: z.string().nullable(),
  /** Of that statement, from 1, where Postgres names a place. */
  line: z.number().nullable(),
  column: z.number().nullable(),
})

export const DryRunMigration = z.object({
  version: z.string(),
  name: z.string().nullable(),
  /** `skipped`: an earlier one has failed. */
  state: z.enum(['passed', 'failed', 'skipped']),
  /** Of all of it on the copy, in milliseconds; null: it was not run. */
  ms: z.number().nullable(),
  statements: z.array(z.object({ text: z.string(), ms: z.number() })),
  /**
   * The strongest lock on each table that was there before, as it was held when the migration was about to be committed; the strongest
   * first. Null: not known, since it runs outside of a transaction or has failed.
   */
  locks: z.array(z.object({ relation: z.string(), mode: z.enum(lockModes) })).nullable(),
  /** Tables of before whose rows were written anew. */
  rewritten: z.array(z.string()),
  error: Failure.nullable(),
})
export type DryRunMigration = z.infer<typeof DryRunMigration>
export type DryRunFailure = z.infer<typeof Failure>

export const DryRun = z.object({
  id: z.string(),
  state: z.enum(dryRunStates),
  copied: z.enum(dryRunCopies),
  /** It holds while the difference has the same (`dry_run_digest`). */
  digest: z.string(),
  /** Why it came to no result. */
  failure: z.string().nullable(),
  migrations: z.array(DryRunMigration),
  started_by: z.string(),
  started_at: Instant,
  finished_at: Instant.nullable(),
})
export type DryRun = z.infer<typeof DryRun>

const resource = 'preview_branches'
const path = '/platform/projects/:ref/branches/:id/dry-run' as const
const ById = z.object({ ref: ProjectRef, id: z.uuid() })

/** What the migrations that a merge would run do to a copy of main, which is thrown away. */
export const dryRuns = {
  /** The last one of a branch; null: there was none. */
  get: endpoint('dryRuns.get', `GET ${path}`, {
    needs: inProject('read:Read', resource),
    input: ById,
    returns: z.object({ dry_run: DryRun.nullable() }),
  }),
  start: endpoint('dryRuns.start', `POST ${path}`, {
    needs: inProject('write:Update', resource),
    perMinute: 20,
    status: 202,
    input: ById,
    returns: DryRun,
  }),
}
