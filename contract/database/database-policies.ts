import { z } from 'zod'
import { policyCommands } from '../ddl/policies.ts'
import { endpoint } from '../endpoint.ts'
import { byId, byRef } from './pg-meta-inputs.ts'
import { Named, Policy, sqlText } from './pg-meta-shapes.ts'
import { inProject } from '../permissions.ts'

const expression = sqlText(100_000).nullable()
const roles = z.array(Named).min(1).max(100)

const NewPolicy = z.object({
  name: Named,
  schema: Named.default('public'),
  table: Named,
  action: z.enum(['PERMISSIVE', 'RESTRICTIVE']).default('PERMISSIVE'),
  command: z.enum(policyCommands).default('ALL'),
  roles: roles.default(['public']),
  definition: expression.default(null),
  check: expression.default(null),
})
export type NewPolicy = z.output<typeof NewPolicy>

/** A table with everything that decides who sees its rows. */
export const GuardedTable = z.object({
  id: z.number(),
  schema: z.string(),
  name: z.string(),
  rls_enabled: z.boolean(),
  rls_forced: z.boolean(),
  /** The columns' names and types, for expressions. */
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  /** Of the data API's roles, those that have a privilege here and may use the schema. */
  reached_by: z.array(z.string()),
  policies: z.array(Policy),
})
export type GuardedTable = z.infer<typeof GuardedTable>

const reads = inProject('tenant:Sql:Admin:Read', 'policies')
const writes = inProject('tenant:Sql:Admin:Write', 'policies')

/** Policies one by one, in the shapes of the public metadata API (the list is `pgMeta.policies`), and for their page. */
export const databasePolicies = {
  get: endpoint('pg-meta.policy', 'GET /platform/pg-meta/:ref/policies/:id', {
    needs: reads,
    input: byId,
    returns: Policy,
  }),
  create: endpoint('pg-meta.create-policy', 'POST /platform/pg-meta/:ref/policies', {
    needs: writes,
    input: byRef.extend(NewPolicy.shape),
    returns: Policy,
  }),
  update: endpoint('pg-meta.update-policy', 'PATCH /platform/pg-meta/:ref/policies/:id', {
    needs: writes,
    input: byId.extend({
      name: Named.optional(),
      definition: expression.optional(),
      check: expression.optional(),
      roles: roles.optional(),
    }),
    returns: Policy,
  }),
  remove: endpoint('pg-meta.delete-policy', 'DELETE /platform/pg-meta/:ref/policies/:id', {
    needs: writes,
    input: byId,
    returns: Policy,
  }),
  /** The tables of one schema in name order; `search` is looked for in the names of tables and of their policies. */
  tables: endpoint('policies.tables', 'GET /platform/pg-meta/:ref/policies/tables', {
    needs: reads,
    input: byRef.extend({
      schema: Named,
      search: z.string().max(200).default(''),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      offset: z.coerce.number().int().min(0).default(0),
    }),
    returns: z.object({ tables: z.array(GuardedTable), total: z.number() }),
  }),
  /**
   * What is wrong with an expression for a policy of this table, by the parser and by planning it; `problem` is null when
   * nothing is. `position` counts characters of the expression from 1.
   */
  check: endpoint('policies.check', 'POST /platform/pg-meta/:ref/policies/check', {
    needs: inProject('tenant:Sql:Query', '*'),
    input: byRef.extend({ schema: Named, table: Named, expression: sqlText(100_000) }),
    returns: z.object({
      problem: z.object({ message: z.string(), position: z.number().optional() }).nullable(),
    }),
  }),
}
