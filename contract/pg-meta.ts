import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { inProject } from './permissions.ts'
import {
  Column,
  ColumnChange,
  Entity,
  EntityDetail,
  Named,
  NewColumn,
  NewTable,
  Policy,
  Schema,
  SqlType,
  Table,
  TableChange,
} from './pg-meta-shapes.ts'
import { ProjectRef as ref } from './values.ts'

const id = z.coerce.number().int().min(0).max(4_294_967_295)
/** Query strings have no booleans. */
const flag = z.enum(['true', 'false']).default('false')
/** `table id.position`, as every list of columns gives it. */
const columnId = z
  .string()
  .regex(/^\d{1,10}\.\d{1,5}$/, 'A column id is a table id, a dot and a position')

const page = {
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
  offset: z.coerce.number().int().min(0).default(0),
}
const ofSchemas = {
  include_system_schemas: flag,
  /** Names separated by commas. */
  included_schemas: z.string().max(10_000).optional(),
  excluded_schemas: z.string().max(10_000).optional(),
}

const reads = (what: string) => inProject('tenant:Sql:Admin:Read', what)
const writes = (what: string) => inProject('tenant:Sql:Admin:Write', what)
const ByRef = z.object({ ref })
const ById = z.object({ ref, id })
const Listed = z.object({ ref, ...ofSchemas, ...page })

/**
 * What a project's database is made of: the shapes of the public postgres-meta API, with two lists of our own
 * (`entities`) for the table editor. The control plane checks the caller and passes each call on to the data plane.
 */
export const pgMeta = {
  schemas: endpoint('pg-meta.schemas', 'GET /platform/pg-meta/:ref/schemas', {
    needs: reads('schemas'),
    input: z.object({ ref, include_system_schemas: flag, ...page }),
    returns: z.array(Schema),
  }),
  schema: endpoint('pg-meta.schema', 'GET /platform/pg-meta/:ref/schemas/:id', {
    needs: reads('schemas'),
    input: ById,
    returns: Schema,
  }),
  createSchema: endpoint('pg-meta.create-schema', 'POST /platform/pg-meta/:ref/schemas', {
    needs: writes('schemas'),
    input: ByRef.extend({ name: Named, owner: Named.optional() }),
    returns: Schema,
  }),
  updateSchema: endpoint('pg-meta.update-schema', 'PATCH /platform/pg-meta/:ref/schemas/:id', {
    needs: writes('schemas'),
    input: ById.extend({ name: Named.optional(), owner: Named.optional() }),
    returns: Schema,
  }),
  deleteSchema: endpoint('pg-meta.delete-schema', 'DELETE /platform/pg-meta/:ref/schemas/:id', {
    needs: writes('schemas'),
    input: ById.extend({ cascade: flag }),
    returns: Schema,
  }),

  tables: endpoint('pg-meta.tables', 'GET /platform/pg-meta/:ref/tables', {
    needs: reads('tables'),
    input: Listed.extend({
      include_columns: z.enum(['true', 'false']).default('true'),
      /** Only tables whose name contains this, in any case. */
      search: z.string().max(200).optional(),
    }),
    returns: z.array(Table),
  }),
  table: endpoint('pg-meta.table', 'GET /platform/pg-meta/:ref/tables/:id', {
    needs: reads('tables'),
    input: ById,
    returns: Table,
  }),
  createTable: endpoint('pg-meta.create-table', 'POST /platform/pg-meta/:ref/tables', {
    needs: writes('tables'),
    input: ByRef.extend(NewTable.shape),
    returns: Table,
  }),
  updateTable: endpoint('pg-meta.update-table', 'PATCH /platform/pg-meta/:ref/tables/:id', {
    needs: writes('tables'),
    input: ById.extend(TableChange.shape),
    returns: Table,
  }),
  deleteTable: endpoint('pg-meta.delete-table', 'DELETE /platform/pg-meta/:ref/tables/:id', {
    needs: writes('tables'),
    input: ById.extend({ cascade: flag }),
    returns: Table,
  }),

  columns: endpoint('pg-meta.columns', 'GET /platform/pg-meta/:ref/columns', {
    needs: reads('tables'),
    input: Listed,
    returns: z.array(Column),
  }),
  column: endpoint('pg-meta.column', 'GET /platform/pg-meta/:ref/columns/:id', {
    needs: reads('tables'),
    input: z.object({ ref, id: columnId }),
    returns: Column,
  }),
  createColumn: endpoint('pg-meta.create-column', 'POST /platform/pg-meta/:ref/columns', {
    needs: writes('columns'),
    input: ByRef.extend({ table_id: id, ...NewColumn.shape }),
    returns: Column,
  }),
  updateColumn: endpoint('pg-meta.update-column', 'PATCH /platform/pg-meta/:ref/columns/:id', {
    needs: writes('columns'),
    input: z.object({ ref, id: columnId, ...ColumnChange.shape }),
    returns: Column,
  }),
  deleteColumn: endpoint('pg-meta.delete-column', 'DELETE /platform/pg-meta/:ref/columns/:id', {
    needs: writes('columns'),
    input: z.object({ ref, id: columnId, cascade: flag }),
    returns: Column,
  }),

  types: endpoint('pg-meta.types', 'GET /platform/pg-meta/:ref/types', {
    needs: reads('tables'),
    input: Listed.extend({ include_array_types: flag, include_table_types: flag }),
    returns: z.array(SqlType),
  }),
  policies: endpoint('pg-meta.policies', 'GET /platform/pg-meta/:ref/policies', {
    needs: reads('policies'),
    input: Listed,
    returns: z.array(Policy),
  }),

  /** Everything that has rows (tables, views, ...), in name order: the side list of the table editor. */
  entities: endpoint('pg-meta.entities', 'GET /platform/pg-meta/:ref/entities', {
    needs: reads('tables'),
    input: z.object({
      ref,
      schema: Named,
      search: z.string().max(200).optional(),
      /** Kinds separated by commas; all of them unless told. */
      kinds: z
        .string()
        .regex(/^[a-z_]+(?:,[a-z_]+)*$/)
        .optional(),
      sort: z.enum(['name', 'kind']).default('name'),
      limit: z.coerce.number().int().min(1).max(500).default(100),
      offset: z.coerce.number().int().min(0).default(0),
    }),
    returns: z.object({ entities: z.array(Entity), total: z.number() }),
  }),
  /** What the grid must know about one of them, whatever its kind. */
  entity: endpoint('pg-meta.entity', 'GET /platform/pg-meta/:ref/entities/:id', {
    needs: reads('tables'),
    input: ById,
    returns: EntityDetail,
  }),
}
