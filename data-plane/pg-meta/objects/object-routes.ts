import { databaseObjects as api } from '#contract/database/database-objects'
import { databaseServer } from '#contract/database/database-server'
import {
  createExtension,
  extensionDependents,
  deleteExtension,
  getExtension,
  listExtensions,
  updateExtension,
} from './extensions.ts'
import { getForeign, setMapping, testServer } from './foreign-servers.ts'
import { getIndex, listIndexes } from './indexes.ts'
import {
  createPublication,
  deletePublication,
  getPublication,
  listPublications,
  updatePublication,
} from './publications.ts'
import { foreignTables, materializedViews, views } from '../tables/relations.ts'
import { dropSlot, getReplication } from './replication.ts'
import { createRole, deleteRole, getRole, listRoles, updateRole } from './roles.ts'
import { answer, type MetaRoute, type UseSession } from '../routes.ts'
import { getServer } from './server.ts'

export const objectRoutes = (read: UseSession, write: UseSession): MetaRoute[] => [
  answer(read, api.views, views.list),
  answer(read, api.view, (db, { id }) => views.get(db, id)),
  answer(read, api.materializedViews, materializedViews.list),
  answer(read, api.materializedView, (db, { id }) => materializedViews.get(db, id)),
  answer(read, api.foreignTables, foreignTables.list),
  answer(read, api.foreignTable, (db, { id }) => foreignTables.get(db, id)),
  answer(read, api.indexes, listIndexes),
  answer(read, api.index, (db, { id }) => getIndex(db, id)),
  answer(read, api.extensions, listExtensions),
  answer(read, api.extension, (db, { name }) => getExtension(db, name)),
  answer(read, api.extensionDependents, (db, { name }) => extensionDependents(db, name)),
  answer(write, api.createExtension, createExtension),
  answer(write, api.updateExtension, updateExtension),
  answer(write, api.deleteExtension, deleteExtension),
  answer(read, api.publications, listPublications),
  answer(read, api.publication, (db, { id }) => getPublication(db, id)),
  answer(write, api.createPublication, createPublication),
  answer(write, api.updatePublication, updatePublication),
  answer(write, api.deletePublication, (db, { id }) => deletePublication(db, id)),
  answer(read, api.roles, listRoles),
  answer(read, api.role, (db, { id }) => getRole(db, id)),
  answer(write, api.createRole, createRole),
  answer(write, api.updateRole, updateRole),
  answer(write, api.deleteRole, deleteRole),
]

export const serverRoutes = (read: UseSession, write: UseSession): MetaRoute[] => [
  answer(read, databaseServer.detail, (db) => getServer(db)),
  answer(read, databaseServer.replication, (db) => getReplication(db)),
  answer(read, databaseServer.dropSlot, (db, { name }) => dropSlot(db, name)),
  answer(read, databaseServer.foreign, (db) => getForeign(db)),
  answer(write, databaseServer.setMapping, setMapping),
  answer(write, databaseServer.testServer, testServer),
]
