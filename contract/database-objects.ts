import { z } from 'zod'
import {
  Extension,
  ForeignTable,
  Index,
  MaterializedView,
  NewPublication,
  NewRole,
  Publication,
  PublicationChange,
  Role,
  RoleChange,
  View,
} from './database-object-shapes.ts'
import { endpoint } from './endpoint.ts'
import { inProject } from './permissions.ts'
import { Named, sqlText } from './pg-meta-shapes.ts'
import { ProjectRef as ref } from './values.ts'

const id = z.coerce.number().int().min(0).max(4_294_967_295)
const flag = z.enum(['true', 'false'])
const off = flag.default('false')
const page = {
  limit: z.coerce.number().int().min(1).max(10_000).optional(),
  offset: z.coerce.number().int().min(0).default(0),
}
const Listed = z.object({
  ref,
  include_system_schemas: off,
  included_schemas: z.string().max(10_000).optional(),
  excluded_schemas: z.string().max(10_000).optional(),
  ...page,
})
const WithColumns = Listed.extend({ include_columns: flag.default('true') })
const Paged = z.object({ ref, ...page })
const ByRef = z.object({ ref })
const ById = z.object({ ref, id })
/** Extensions have no id that anyone knows: they go by their name. */
const ByName = z.object({ ref, name: Named })

const reads = (what: string) => inProject('tenant:Sql:Admin:Read', what)
const writes = (what: string) => inProject('tenant:Sql:Admin:Write', what)

/** The rest of what a database is made of, in the shapes of the public metadata API with a few fields more. */
export const databaseObjects = {
  views: endpoint('database-objects.views', 'GET /platform/pg-meta/:ref/views', {
    needs: reads('tables'),
    input: WithColumns,
    returns: z.array(View),
  }),
  view: endpoint('database-objects.view', 'GET /platform/pg-meta/:ref/views/:id', {
    needs: reads('tables'),
    input: ById,
    returns: View,
  }),
  materializedViews: endpoint(
    'database-objects.materialized-views',
    'GET /platform/pg-meta/:ref/materialized-views',
    { needs: reads('tables'), input: WithColumns, returns: z.array(MaterializedView) },
  ),
  materializedView: endpoint(
    'database-objects.materialized-view',
    'GET /platform/pg-meta/:ref/materialized-views/:id',
    { needs: reads('tables'), input: ById, returns: MaterializedView },
  ),
  foreignTables: endpoint(
    'database-objects.foreign-tables',
    'GET /platform/pg-meta/:ref/foreign-tables',
    { needs: reads('tables'), input: WithColumns, returns: z.array(ForeignTable) },
  ),
  foreignTable: endpoint(
    'database-objects.foreign-table',
    'GET /platform/pg-meta/:ref/foreign-tables/:id',
    { needs: reads('tables'), input: ById, returns: ForeignTable },
  ),

  indexes: endpoint('database-objects.indexes', 'GET /platform/pg-meta/:ref/indexes', {
    needs: reads('tables'),
    input: Listed,
    returns: z.array(Index),
  }),
  index: endpoint('database-objects.index', 'GET /platform/pg-meta/:ref/indexes/:id', {
    needs: reads('tables'),
    input: ById,
    returns: Index,
  }),

  extensions: endpoint('database-objects.extensions', 'GET /platform/pg-meta/:ref/extensions', {
    needs: reads('extensions'),
    input: Paged,
    returns: z.array(Extension),
  }),
  extension: endpoint('database-objects.extension', 'GET /platform/pg-meta/:ref/extensions/:name', {
    needs: reads('extensions'),
    input: ByName,
    returns: Extension,
  }),
  createExtension: endpoint(
    'database-objects.create-extension',
    'POST /platform/pg-meta/:ref/extensions',
    {
      needs: writes('extensions'),
      input: ByRef.extend({
        name: Named,
        schema: Named.optional(),
        version: sqlText(200).min(1).optional(),
        cascade: z.boolean().default(false),
      }),
      returns: Extension,
    },
  ),
  updateExtension: endpoint(
    'database-objects.update-extension',
    'PATCH /platform/pg-meta/:ref/extensions/:name',
    {
      needs: writes('extensions'),
      input: ByName.extend({
        /** To `version`, or to the newest that the server has. */
        update: z.boolean().default(false),
        version: sqlText(200).min(1).optional(),
        schema: Named.optional(),
      }),
      returns: Extension,
    },
  ),
  deleteExtension: endpoint(
    'database-objects.delete-extension',
    'DELETE /platform/pg-meta/:ref/extensions/:name',
    { needs: writes('extensions'), input: ByName.extend({ cascade: off }), returns: Extension },
  ),

  publications: endpoint(
    'database-objects.publications',
    'GET /platform/pg-meta/:ref/publications',
    { needs: reads('publications'), input: Paged, returns: z.array(Publication) },
  ),
  publication: endpoint(
    'database-objects.publication',
    'GET /platform/pg-meta/:ref/publications/:id',
    { needs: reads('publications'), input: ById, returns: Publication },
  ),
  createPublication: endpoint(
    'database-objects.create-publication',
    'POST /platform/pg-meta/:ref/publications',
    {
      needs: writes('publications'),
      input: ByRef.extend(NewPublication.shape),
      returns: Publication,
    },
  ),
  updatePublication: endpoint(
    'database-objects.update-publication',
    'PATCH /platform/pg-meta/:ref/publications/:id',
    {
      needs: writes('publications'),
      input: ById.extend(PublicationChange.shape),
      returns: Publication,
    },
  ),
  deletePublication: endpoint(
    'database-objects.delete-publication',
    'DELETE /platform/pg-meta/:ref/publications/:id',
    { needs: writes('publications'), input: ById.extend({ cascade: off }), returns: Publication },
  ),

  roles: endpoint('database-objects.roles', 'GET /platform/pg-meta/:ref/roles', {
    needs: reads('roles'),
    input: Paged.extend({ include_system_schemas: off, include_default_roles: off }),
    returns: z.array(Role),
  }),
  role: endpoint('database-objects.role', 'GET /platform/pg-meta/:ref/roles/:id', {
    needs: reads('roles'),
    input: ById,
    returns: Role,
  }),
  createRole: endpoint('database-objects.create-role', 'POST /platform/pg-meta/:ref/roles', {
    needs: writes('roles'),
    input: ByRef.extend(NewRole.shape),
    returns: Role,
  }),
  updateRole: endpoint('database-objects.update-role', 'PATCH /platform/pg-meta/:ref/roles/:id', {
    needs: writes('roles'),
    input: ById.extend(RoleChange.shape),
    returns: Role,
  }),
  deleteRole: endpoint('database-objects.delete-role', 'DELETE /platform/pg-meta/:ref/roles/:id', {
    needs: writes('roles'),
    input: ById.extend({ cascade: off }),
    returns: Role,
  }),
}
