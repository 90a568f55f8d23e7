import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import {
  byId,
  byRef,
  columnId,
  listed,
  listedWithColumns,
  metaFlag,
  oid,
} from './pg-meta-inputs.ts'
import { inProject } from '../permissions.ts'
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
import { ProjectRef as ref } from '../values.ts'

const reads = (what: string) => inProject('tenant:Sql:Admin:Read', what)
const writes = (what: string) => inProject('tenant:Sql:Admin:Write', what)
/**
 * What a project's database is made of: the shapes of the public postgres-meta API, with two lists of our own
 * (`entities`) for the table editor. The control plane checks the caller and passes each call on to the data plane.
 */
export const pgMeta = {
  schemas: endpoint('pg-meta.schemas', 'GET /platform/pg-meta/:ref/schemas', {
    needs: reads('schemas'),
    input: listed,
    returns: z.array(Schema),
  }),
  schema: endpoint('pg-meta.schema', 'GET /platform/pg-meta/:ref/schemas/:id', {
    needs: reads('schemas'),
    input: byId,
    returns: Schema,
  }),
  createSchema: endpoint('pg-meta.create-schema', 'POST /platform/pg-meta/:ref/schemas', {
    needs: writes('schemas'),
    input: byRef.extend({ name: Named, owner: Named.optional() }),
    returns: Schema,
  }),
  updateSchema: endpoint('pg-meta.update-schema', 'PATCH /platform/pg-meta/:ref/schemas/:id', {
    needs: writes('schemas'),
    input: byId.extend({ name: Named.optional(), owner: Named.optional() }),
    returns: Schema,
  }),
  deleteSchema: endpoint('pg-meta.delete-schema', 'DELETE /platform/pg-meta/:ref/schemas/:id', {
    needs: writes('schemas'),
    input: byId.extend({ cascade: metaFlag }),
    returns: Schema,
  }),

  tables: endpoint('pg-meta.tables', 'GET /platform/pg-meta/:ref/tables', {
    needs: reads('tables'),
    input: listedWithColumns.extend({
      /** Only tables whose name contains this, in any case. */
      search: z.string().max(200).optional(),
    }),
    returns: z.array(Table),
  }),
  table: endpoint('pg-meta.table', 'GET /platform/pg-meta/:ref/tables/:id', {
    needs: reads('tables'),
    input: byId,
    returns: Table,
  }),
  createTable: endpoint('pg-meta.create-table', 'POST /platform/pg-meta/:ref/tables', {
    needs: writes('tables'),
    input: byRef.extend(NewTable.shape),
    returns: Table,
  }),
  updateTable: endpoint('pg-meta.update-table', 'PATCH /platform/pg-meta/:ref/tables/:id', {
    needs: writes('tables'),
    input: byId.extend(TableChange.shape),
    returns: Table,
  }),
  deleteTable: endpoint('pg-meta.delete-table', 'DELETE /platform/pg-meta/:ref/tables/:id', {
    needs: writes('tables'),
    input: byId.extend({ cascade: metaFlag }),
    returns: Table,
  }),

  columns: endpoint('pg-meta.columns', 'GET /platform/pg-meta/:ref/columns', {
    needs: reads('tables'),
    input: listed,
    returns: z.array(Column),
  }),
  column: endpoint('pg-meta.column', 'GET /platform/pg-meta/:ref/columns/:id', {
    needs: reads('tables'),
    input: z.object({ ref, id: columnId }),
    returns: Column,
  }),
  createColumn: endpoint('pg-meta.create-column', 'POST /platform/pg-meta/:ref/columns', {
    needs: writes('columns'),
    input: byRef.extend({ table_id: oid, ...NewColumn.shape }),
    returns: Column,
  }),
  updateColumn: endpoint('pg-meta.update-column', 'PATCH /platform/pg-meta/:ref/columns/:id', {
    needs: writes('columns'),
    input: z.object({ ref, id: columnId, ...ColumnChange.shape }),
    returns: Column,
  }),
  deleteColumn: endpoint('pg-meta.delete-column', 'DELETE /platform/pg-meta/:ref/columns/:id', {
    needs: writes('columns'),
    input: z.object({ ref, id: columnId, cascade: metaFlag }),
    returns: Column,
  }),

  types: endpoint('pg-meta.types', 'GET /platform/pg-meta/:ref/types', {
    needs: reads('tables'),
    input: listed.extend({ include_array_types: metaFlag, include_table_types: metaFlag }),
    returns: z.array(SqlType),
  }),
  policies: endpoint('pg-meta.policies', 'GET /platform/pg-meta/:ref/policies', {
    needs: reads('policies'),
    input: listed,
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
    input: byId,
    returns: EntityDetail,
  }),
}
