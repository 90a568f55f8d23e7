import { z } from 'zod'
import { keyActions, tablePrivileges, type TableShape as Shape } from '../ddl/tables/table-shape.ts'
import { endpoint } from '../endpoint.ts'
import { oid } from './pg-meta-inputs.ts'
import { inProject } from '../permissions.ts'
import { entityKinds, Named } from './pg-meta-shapes.ts'
import { ProjectRef as ref } from '../values.ts'

const reads = inProject('tenant:Sql:Admin:Read', 'tables')

const Access = z.array(z.object({ role: z.string(), privileges: z.array(z.enum(tablePrivileges)) }))

/** `TableShape` of contract/ddl, which browsers use without a schema library. */
const TableShape: z.ZodType<Shape> = z.object({
  schema: z.string(),
  name: z.string(),
  comment: z.string().nullable(),
  rls: z.boolean(),
  realtime: z.boolean().nullable(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      nullable: z.boolean(),
      default: z.string().nullable(),
      generated: z.string().nullable(),
      check: z.string().nullable(),
      identity: z.enum(['ALWAYS', 'BY DEFAULT']).nullable(),
      unique: z.boolean(),
      comment: z.string().nullable(),
      unique_name: z.string().nullable(),
      check_name: z.string().nullable(),
    }),
  ),
  primary_key: z.object({ name: z.string().nullable(), columns: z.array(z.string()) }),
  foreign_keys: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      target_schema: z.string(),
      target_table: z.string(),
      target_columns: z.array(z.string()),
      on_update: z.enum(keyActions),
      on_delete: z.enum(keyActions),
    }),
  ),
  access: Access,
})

export const ListedTable = z.object({
  id: z.number(),
  name: z.string(),
  kind: z.enum(entityKinds),
  comment: z.string().nullable(),
  /** By the statistics; null for what has no rows of its own. */
  rows_estimate: z.number().nullable(),
  bytes: z.number(),
  columns: z.number(),
  rls_enabled: z.boolean(),
  realtime: z.boolean(),
})
export type ListedTable = z.infer<typeof ListedTable>

const DiagramTable = z.object({
  id: z.number(),
  name: z.string(),
  rls_enabled: z.boolean(),
  comment: z.string().nullable(),
  /** Short, because a diagram may have ten thousand of them. */
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      key: z.boolean(),
      unique: z.boolean(),
      nullable: z.boolean(),
      identity: z.boolean(),
    }),
  ),
})
export type DiagramTable = z.infer<typeof DiagramTable>

const DiagramLink = z.object({
  name: z.string(),
  source: z.number(),
  source_columns: z.array(z.string()),
  target: z.number(),
  target_columns: z.array(z.string()),
  /** Of a target in another schema, which is no part of the diagram; otherwise null. */
  target_name: z.string().nullable(),
})
export type DiagramLink = z.infer<typeof DiagramLink>

/** Tables as their forms, their list and their diagram need them; beside the public lists of `pgMeta`. */
export const tableShapes = {
  shape: endpoint('table-shapes.shape', 'GET /platform/pg-meta/:ref/table-shapes/:id', {
    needs: reads,
    input: z.object({ ref, id: oid }),
    returns: TableShape,
  }),
  /** What a new table of this schema begins with: the rights by default privileges. */
  start: endpoint('table-shapes.start', 'GET /platform/pg-meta/:ref/table-start', {
    needs: reads,
    input: z.object({ ref, schema: Named }),
    returns: z.object({ access: Access, realtime: z.boolean().nullable() }),
  }),
  /** Everything in one schema that has rows, at most 10,000. */
  list: endpoint('table-shapes.list', 'GET /platform/pg-meta/:ref/table-list', {
    needs: reads,
    input: z.object({ ref, schema: Named }),
    returns: z.array(ListedTable),
  }),
  /** At most 1,000 tables of one schema and the foreign keys between them. */
  diagram: endpoint('table-shapes.diagram', 'GET /platform/pg-meta/:ref/diagram', {
    needs: reads,
    input: z.object({ ref, schema: Named }),
    returns: z.object({
      tables: z.array(DiagramTable),
      links: z.array(DiagramLink),
      /** How many tables the schema has, shown or not. */
      total: z.number(),
    }),
  }),
}
