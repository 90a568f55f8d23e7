import { z } from 'zod'
import { Lint } from '../observability/advisors.ts'
import { longestName } from '../ddl/change.ts'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { sqlText } from '../database/pg-meta-shapes.ts'
import { longestQuery } from '../database/sql/sql-query.ts'
import { ProjectRef } from '../values.ts'

const ByRef = z.object({ ref: ProjectRef })
/** Nobody has to name one; programs take no null for it. */
const Migration = z.object({ version: z.string(), name: z.string().optional() })
const migration = {
  query: sqlText(longestQuery).min(1),
  name: z.string().min(1).max(longestName).default('migration'),
}
const runsSql = inProject('tenant:Sql:Query', '*')
const Rows = z.array(z.record(z.string(), z.unknown()))
const sql = ByRef.extend({
  query: sqlText(longestQuery).min(1),
  parameters: z.array(z.unknown()).max(65_535).default([]),
})

/** Joined by commas. */
const schemasOfTypes = z.string().max(10_000).default('public')

/** The database of a project: SQL, types, migrations, what the advisors find. */
export const v1Database = {
  query: endpoint('v1.query', 'POST /v1/projects/:ref/database/query', {
    needs: runsSql,
    status: 201,
    raw: true,
    input: sql.extend({
      /** Run it as who can change nothing. So does a caller who may only read, whatever is said here. */
      read_only: z.boolean().default(false),
    }),
    /** The rows of the last statement. */
    returns: Rows,
  }),
  readOnlyQuery: endpoint('v1.readOnlyQuery', 'POST /v1/projects/:ref/database/query/read-only', {
    needs: runsSql,
    status: 201,
    raw: true,
    input: sql,
    returns: Rows,
  }),
  /** A database's types as a text for programs, as command line tools write them to a file. */
  types: endpoint('v1.types', 'GET /v1/projects/:ref/types/typescript', {
    needs: inProject('tenant:Sql:Admin:Read', 'tables'),
    input: ByRef.extend({ included_schemas: schemasOfTypes }),
    returns: z.object({ types: z.string() }),
  }),
  otherTypes: endpoint('v1.otherTypes', 'GET /v1/projects/:ref/types/:language', {
    needs: inProject('tenant:Sql:Admin:Read', 'tables'),
    input: ByRef.extend({
      language: z.enum(['go', 'swift', 'python']),
      included_schemas: schemasOfTypes,
    }),
    returns: z.object({ types: z.string() }),
  }),
  securityAdvisors: endpoint('v1.securityAdvisors', 'GET /v1/projects/:ref/advisors/security', {
    needs: inProject('tenant:Sql:Admin:Read', 'advisors'),
    input: ByRef,
    returns: z.object({ lints: z.array(Lint) }),
  }),
  performanceAdvisors: endpoint(
    'v1.performanceAdvisors',
    'GET /v1/projects/:ref/advisors/performance',
    {
      needs: inProject('tenant:Sql:Admin:Read', 'advisors'),
      input: ByRef,
      returns: z.object({ lints: z.array(Lint) }),
    },
  ),
  /** Oldest first. */
  migrations: endpoint('v1.migrations', 'GET /v1/projects/:ref/database/migrations', {
    needs: inProject('tenant:Sql:Admin:Read', 'tables'),
    input: ByRef,
    returns: z.array(Migration),
  }),
  /** Runs SQL as one transaction and records it as a migration, both or neither. */
  applyMigration: endpoint('v1.applyMigration', 'POST /v1/projects/:ref/database/migrations', {
    needs: inProject('tenant:Sql:Admin:Write', 'tables'),
    input: ByRef.extend({
      ...migration,
      /** What takes it back. */
      rollback: sqlText(longestQuery).optional(),
    }),
    returns: Migration,
  }),
  /** Records SQL that ran elsewhere as a migration, without running it. */
  recordMigration: endpoint('v1.recordMigration', 'PUT /v1/projects/:ref/database/migrations', {
    needs: inProject('tenant:Sql:Admin:Write', 'tables'),
    input: ByRef.extend(migration),
    returns: Migration,
  }),
}
