import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { byRef, metaFlag, paged } from './pg-meta-inputs.ts'
import { inProject } from '../permissions.ts'
import { sqlText } from './pg-meta-shapes.ts'
import { longestQuery } from './sql/sql-query.ts'

const Setting = z.object({
  name: z.string(),
  setting: z.string().nullable(),
  category: z.string(),
  /** `category` up to its slash, and what follows it. */
  group: z.string(),
  subgroup: z.string(),
  unit: z.string().nullable(),
  short_desc: z.string(),
  extra_desc: z.string().nullable(),
  context: z.string(),
  vartype: z.string(),
  source: z.string(),
  min_val: z.string().nullable(),
  max_val: z.string().nullable(),
  enumvals: z.array(z.string()).nullable(),
  boot_val: z.string().nullable(),
  reset_val: z.string().nullable(),
  sourcefile: z.string().nullable(),
  sourceline: z.number().nullable(),
  pending_restart: z.boolean(),
})
export type Setting = z.infer<typeof Setting>

const looks = inProject('tenant:Sql:Admin:Read', 'tables')
const asks = inProject('tenant:Sql:Query', '*')

/** What the generators read; schemas are names separated by commas. */
const generated = byRef.extend({
  included_schemas: z.string().max(10_000).optional(),
  excluded_schemas: z.string().max(10_000).optional(),
})

/** Facts about a project's server, tools for SQL texts, and types for programs. */
export const databaseTools = {
  health: endpoint('pg-meta.health', 'GET /platform/pg-meta/:ref/health', {
    needs: looks,
    input: byRef,
    returns: z.object({ date: z.string() }),
  }),
  config: endpoint('pg-meta.config', 'GET /platform/pg-meta/:ref/config', {
    needs: looks,
    input: paged,
    returns: z.array(Setting),
  }),
  version: endpoint('pg-meta.version', 'GET /platform/pg-meta/:ref/config/version', {
    needs: looks,
    input: byRef,
    returns: z.object({
      version: z.string(),
      version_number: z.number(),
      active_connections: z.number(),
      max_connections: z.number(),
    }),
  }),

  /** The text with its lines broken as people do. */
  format: endpoint('pg-meta.format', 'POST /platform/pg-meta/:ref/query/format', {
    needs: asks,
    raw: true,
    input: byRef.extend({ query: sqlText(longestQuery) }),
    returns: z.string(),
  }),
  /** The parse tree of Postgres's own grammar: `{ version, stmts }`. */
  parse: endpoint('pg-meta.parse', 'POST /platform/pg-meta/:ref/query/parse', {
    needs: asks,
    input: byRef.extend({ query: sqlText(longestQuery) }),
    returns: z.record(z.string(), z.unknown()),
  }),
  /** SQL of a parse tree as `parse` gives it: queries and what changes rows. */
  deparse: endpoint('pg-meta.deparse', 'POST /platform/pg-meta/:ref/query/deparse', {
    needs: asks,
    raw: true,
    input: byRef.extend({ ast: z.record(z.string(), z.unknown()) }),
    returns: z.string(),
  }),

  typescript: endpoint('pg-meta.typescript', 'GET /platform/pg-meta/:ref/generators/typescript', {
    needs: looks,
    raw: true,
    input: generated.extend({
      detect_one_to_one_relationships: metaFlag,
      /** Becomes an option of the client library's type. */
      postgrest_version: z.string().max(100).optional(),
    }),
    returns: z.string(),
  }),
  go: endpoint('pg-meta.go', 'GET /platform/pg-meta/:ref/generators/go', {
    needs: looks,
    raw: true,
    input: generated,
    returns: z.string(),
  }),
  swift: endpoint('pg-meta.swift', 'GET /platform/pg-meta/:ref/generators/swift', {
    needs: looks,
    raw: true,
    input: generated.extend({
      access_control: z.enum(['internal', 'public', 'private', 'package']).default('internal'),
    }),
    returns: z.string(),
  }),
  python: endpoint('pg-meta.python', 'GET /platform/pg-meta/:ref/generators/python', {
    needs: looks,
    raw: true,
    input: generated,
    returns: z.string(),
  }),
}
