import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { lintLevels } from './lint-rule.ts'
import { lintCategories, lintNames } from './lints.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef as ref } from '../values.ts'

/** One finding, in the shape that other clients of this kind of API know. */
export const Lint = z.object({
  name: z.enum(lintNames),
  title: z.string(),
  level: z.enum(lintLevels),
  facing: z.literal('EXTERNAL'),
  categories: z.array(z.enum(lintCategories)),
  description: z.string(),
  /** What was found where, in one sentence. */
  detail: z.string(),
  /** Where to read more. */
  remediation: z.string(),
  /** What it is about: `schema`, `name`, `type`, and what its repair needs to know. */
  metadata: z.looseObject({
    schema: z.string().optional(),
    name: z.string().optional(),
    entity: z.string().optional(),
    type: z.string().optional(),
    fkey_name: z.string().optional(),
    /** Their numbers in the table, as programs take them; `columns` has the names. */
    fkey_columns: z.array(z.int()).optional(),
    columns: z.array(z.string()).optional(),
  }),
  /** The same for the same finding as long as the thing keeps its name. */
  cache_key: z.string(),
})
export type Lint = z.infer<typeof Lint>

export const LintReport = z.object({
  lints: z.array(Lint),
  /** Rules that could not be checked, and why. */
  skipped: z.array(z.object({ name: z.enum(lintNames), reason: z.string() })),
})
export type LintReport = z.infer<typeof LintReport>

/** A finding (with `cache_key`) or a whole rule that is not to be shown any more. */
export const LintException = z.object({
  id: z.uuid(),
  lint_name: z.enum(lintNames),
  cache_key: z.string().nullable(),
  /** `person`: for the caller only. */
  scope: z.enum(['project', 'person']),
  note: z.string(),
  created_by: z.string(),
  inserted_at: Instant,
})
export type LintException = z.infer<typeof LintException>

const ByRef = z.object({ ref })
const reads = inProject('tenant:Sql:Admin:Read', 'advisors')
const base = '/platform/projects/:ref/notifications/advisor/exceptions' as const

export const advisors = {
  /** Everything that is found now, ignored or not. */
  lints: endpoint('advisors.lints', 'GET /platform/projects/:ref/advisors', {
    needs: reads,
    input: ByRef,
    returns: LintReport,
  }),
  exceptions: endpoint('advisors.exceptions', `GET ${base}`, {
    needs: reads,
    input: ByRef,
    returns: z.object({ exceptions: z.array(LintException) }),
  }),
  /** For the whole project it takes the right to change the database. The same again changes the note. */
  addException: endpoint('advisors.addException', `POST ${base}`, {
    needs: reads,
    status: 201,
    input: ByRef.extend({
      lint_name: z.enum(lintNames),
      cache_key: z.string().min(1).max(2000).optional(),
      scope: z.enum(['project', 'person']),
      note: z.string().trim().max(1000).default(''),
    }),
    returns: LintException,
  }),
  removeException: endpoint('advisors.removeException', `DELETE ${base}/:id`, {
    needs: reads,
    input: ByRef.extend({ id: z.uuid() }),
    returns: LintException,
  }),
}

/** The part that the database can tell; the control plane adds what it knows itself. */
export const databaseAdvisors = {
  lints: endpoint('databaseAdvisors.lints', 'GET /platform/pg-meta/:ref/advisors', {
    needs: reads,
    input: ByRef,
    returns: LintReport,
  }),
}
