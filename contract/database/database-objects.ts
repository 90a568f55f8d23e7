import { z } from 'zod'
import {
  Dependent,
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
import { endpoint } from '../endpoint.ts'
import { byId, byRef, listed, listedWithColumns, metaFlag, paged } from './pg-meta-inputs.ts'
import { inProject } from '../permissions.ts'
import { Named, sqlText } from './pg-meta-shapes.ts'

/** Extensions have no id that anyone knows: they go by their name. */
const ByName = byRef.extend({ name: Named })

const reads = (what: string) => inProject('tenant:Sql:Admin:Read', what)
const writes = (what: string) => inProject('tenant:Sql:Admin:Write', what)

/** The rest of what a database is made of, in the shapes of the public metadata API with a few fields more. */
export const databaseObjects = {
  views: endpoint('database-objects.views', 'GET /platform/pg-meta/:ref/views', {
    needs: reads('tables'),
    input: listedWithColumns,
    returns: z.array(View),
  }),
  view: endpoint('database-objects.view', 'GET /platform/pg-meta/:ref/views/:id', {
    needs: reads('tables'),
    input: byId,
    returns: View,
  }),
  materializedViews: endpoint(
    'database-objects.materialized-views',
    'GET /platform/pg-meta/:ref/materialized-views',
    { needs: reads('tables'), input: listedWithColumns, returns: z.array(MaterializedView) },
  ),
  materializedView: endpoint(
    'database-objects.materialized-view',
    'GET /platform/pg-meta/:ref/materialized-views/:id',
    { needs: reads('tables'), input: byId, returns: MaterializedView },
  ),
  foreignTables: endpoint(
    'database-objects.foreign-tables',
    'GET /platform/pg-meta/:ref/foreign-tables',
    { needs: reads('tables'), input: listedWithColumns, returns: z.array(ForeignTable) },
  ),
  foreignTable: endpoint(
    'database-objects.foreign-table',
    'GET /platform/pg-meta/:ref/foreign-tables/:id',
    { needs: reads('tables'), input: byId, returns: ForeignTable },
  ),

  indexes: endpoint('database-objects.indexes', 'GET /platform/pg-meta/:ref/indexes', {
    needs: reads('tables'),
    input: listed,
    returns: z.array(Index),
  }),
  index: endpoint('database-objects.index', 'GET /platform/pg-meta/:ref/indexes/:id', {
    needs: reads('tables'),
    input: byId,
    returns: Index,
  }),

  extensions: endpoint('database-objects.extensions', 'GET /platform/pg-meta/:ref/extensions', {
    needs: reads('extensions'),
    input: paged,
    returns: z.array(Extension),
  }),
  extension: endpoint('database-objects.extension', 'GET /platform/pg-meta/:ref/extensions/:name', {
    needs: reads('extensions'),
    input: ByName,
    returns: Extension,
  }),
  extensionDependents: endpoint(
    'database-objects.extension-dependents',
    'GET /platform/pg-meta/:ref/extensions/:name/dependents',
    { needs: reads('extensions'), input: ByName, returns: z.array(Dependent) },
  ),
  createExtension: endpoint(
    'database-objects.create-extension',
    'POST /platform/pg-meta/:ref/extensions',
    {
      needs: writes('extensions'),
      input: byRef.extend({
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
    {
      needs: writes('extensions'),
      input: ByName.extend({ cascade: metaFlag }),
      returns: Extension,
    },
  ),

  publications: endpoint(
    'database-objects.publications',
    'GET /platform/pg-meta/:ref/publications',
    { needs: reads('publications'), input: paged, returns: z.array(Publication) },
  ),
  publication: endpoint(
    'database-objects.publication',
    'GET /platform/pg-meta/:ref/publications/:id',
    { needs: reads('publications'), input: byId, returns: Publication },
  ),
  createPublication: endpoint(
    'database-objects.create-publication',
    'POST /platform/pg-meta/:ref/publications',
    {
      needs: writes('publications'),
      input: byRef.extend(NewPublication.shape),
      returns: Publication,
    },
  ),
  updatePublication: endpoint(
    'database-objects.update-publication',
    'PATCH /platform/pg-meta/:ref/publications/:id',
    {
      needs: writes('publications'),
      input: byId.extend(PublicationChange.shape),
      returns: Publication,
    },
  ),
  deletePublication: endpoint(
    'database-objects.delete-publication',
    'DELETE /platform/pg-meta/:ref/publications/:id',
    {
      needs: writes('publications'),
      input: byId.extend({ cascade: metaFlag }),
      returns: Publication,
    },
  ),

  roles: endpoint('database-objects.roles', 'GET /platform/pg-meta/:ref/roles', {
    needs: reads('roles'),
    input: paged.extend({ include_system_schemas: metaFlag, include_default_roles: metaFlag }),
    returns: z.array(Role),
  }),
  role: endpoint('database-objects.role', 'GET /platform/pg-meta/:ref/roles/:id', {
    needs: reads('roles'),
    input: byId,
    returns: Role,
  }),
  createRole: endpoint('database-objects.create-role', 'POST /platform/pg-meta/:ref/roles', {
    needs: writes('roles'),
    input: byRef.extend(NewRole.shape),
    returns: Role,
  }),
  updateRole: endpoint('database-objects.update-role', 'PATCH /platform/pg-meta/:ref/roles/:id', {
    needs: writes('roles'),
    input: byId.extend(RoleChange.shape),
    returns: Role,
  }),
  deleteRole: endpoint('database-objects.delete-role', 'DELETE /platform/pg-meta/:ref/roles/:id', {
    needs: writes('roles'),
    input: byId.extend({ cascade: metaFlag }),
    returns: Role,
  }),
}
