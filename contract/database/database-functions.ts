import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { byId, byRef, listed, metaFlag as flag } from './pg-meta-inputs.ts'
import { inProject } from '../permissions.ts'
import { Named, sqlText } from './pg-meta-shapes.ts'

export const volatilities = ['IMMUTABLE', 'STABLE', 'VOLATILE'] as const

/**
 * A function as the public metadata API describes it, with what it takes to write it anew (from `kind` on): a change
 * that forgot a part of it would take that part away.
 */
export const DatabaseFunction = z.object({
  id: z.number(),
  schema: z.string(),
  name: z.string(),
  language: z.string(),
  /** The text between the quotes, or the body as SQL where `body` is `standard`. */
  definition: z.string(),
  /** `create or replace function ...`, as Postgres prints it. */
  complete_statement: z.string(),
  args: z.array(
    z.object({
      mode: z.enum(['in', 'out', 'inout', 'variadic', 'table']),
      name: z.string(),
      type_id: z.number(),
      has_default: z.boolean(),
      /** As SQL: `integer`, `app."My type"[]`. */
      type: z.string(),
      /** As SQL; null where there is none. */
      default_value: z.string().nullable(),
    }),
  ),
  argument_types: z.string(),
  identity_argument_types: z.string(),
  return_type_id: z.number(),
  return_type: z.string(),
  return_type_relation_id: z.number().nullable(),
  is_set_returning_function: z.boolean(),
  behavior: z.enum(volatilities),
  security_definer: z.boolean(),
  config_params: z.record(z.string(), z.string()).nullable(),
  kind: z.enum(['function', 'procedure', 'window', 'aggregate']),
  body: z.enum(['quoted', 'standard']),
  strict: z.boolean(),
  leakproof: z.boolean(),
  parallel: z.enum(['UNSAFE', 'RESTRICTED', 'SAFE']),
  cost: z.number(),
  rows: z.number(),
  /** The same as other programs of this kind know it: null where no set is returned. */
  prorows: z.number().nullable(),
  comment: z.string().nullable(),
  /** The extension it came with. */
  extension: z.string().nullable(),
})
export type DatabaseFunction = z.infer<typeof DatabaseFunction>

const settings = z.record(z.string().min(1).max(200), sqlText(10_000))

const NewFunction = z.object({
  name: Named,
  schema: Named.default('public'),
  definition: sqlText(900_000),
  /** `a integer`, `b text default 'x'`; each as CREATE FUNCTION takes it. */
  args: z.array(sqlText(1_000)).max(100).default([]),
  return_type: sqlText(1_000).min(1).default('void'),
  language: Named.default('sql'),
  behavior: z.enum(volatilities).default('VOLATILE'),
  security_definer: z.boolean().default(false),
  config_params: settings.default({}),
})
export type NewFunction = z.output<typeof NewFunction>

const reads = inProject('tenant:Sql:Admin:Read', 'functions')
const writes = inProject('tenant:Sql:Admin:Write', 'functions')

export const databaseFunctions = {
  list: endpoint('pg-meta.functions', 'GET /platform/pg-meta/:ref/functions', {
    needs: reads,
    /** Procedures and window functions are not callable as functions; tools do not expect them. */
    input: listed.extend({
      include_procedures: flag,
      exclude_extensions: flag,
      /** Only those that return this type: `trigger`. */
      return_type: z.string().min(1).max(300).optional(),
    }),
    returns: z.array(DatabaseFunction),
  }),
  get: endpoint('pg-meta.function', 'GET /platform/pg-meta/:ref/functions/:id', {
    needs: reads,
    input: byId,
    returns: DatabaseFunction,
  }),
  create: endpoint('pg-meta.create-function', 'POST /platform/pg-meta/:ref/functions', {
    needs: writes,
    input: byRef.extend(NewFunction.shape),
    returns: DatabaseFunction,
  }),
  update: endpoint('pg-meta.update-function', 'PATCH /platform/pg-meta/:ref/functions/:id', {
    needs: writes,
    input: byId.extend({
      name: Named.optional(),
      schema: Named.optional(),
      definition: sqlText(900_000).optional(),
    }),
    returns: DatabaseFunction,
  }),
  remove: endpoint('pg-meta.delete-function', 'DELETE /platform/pg-meta/:ref/functions/:id', {
    needs: writes,
    input: byId.extend({ cascade: flag }),
    returns: DatabaseFunction,
  }),
}
