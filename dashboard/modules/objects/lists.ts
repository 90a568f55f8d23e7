import { databaseFunctions } from '#contract/database/database-functions'
import { databaseObjects } from '#contract/database/database-objects'
import { databaseServer } from '#contract/database/database-server'
import { databaseTriggers } from '#contract/database/database-triggers'
import { databaseTypes } from '#contract/database/database-types'
import { pgMeta } from '#contract/database/pg-meta'
import { databaseQuery } from '../../session/project/database.ts'

/**
 * What the lists of a database's objects read. Routes ask for it before their page is there, so this file is part of the
 * first load: it has nothing else in it.
 */

/** They change by SQL behind our back: long enough that the page takes over what its loader has read. */
const shortly = 2_000

/** More than one list shows; the search field finds the rest of them no better than SQL would. */
const max = 10_000

export const typesQuery = (ref: string, schema: string) =>
  databaseQuery(databaseTypes.list, { ref, included_schemas: schema, limit: max }, shortly)

export const functionsQuery = (ref: string, schema: string) =>
  databaseQuery(
    databaseFunctions.list,
    { ref, included_schemas: schema, include_procedures: 'true', limit: max },
    shortly,
  )

export const triggersQuery = (ref: string, schema: string) =>
  databaseQuery(databaseTriggers.list, { ref, included_schemas: schema, limit: max }, shortly)

export const eventTriggersQuery = (ref: string) =>
  databaseQuery(databaseTriggers.events, { ref }, shortly)

/** Names in a list are separated by commas, so a schema with a comma in its name is asked for among all of them. */
const scopeOf = (schema: string) =>
  schema.includes(',') ? {} : { included_schemas: schema, include_system_schemas: 'true' as const }

export const indexesQuery = (ref: string, schema: string) =>
  databaseQuery(databaseObjects.indexes, { ref, ...scopeOf(schema), limit: max }, 10_000)

/** Sessions come and go, so their counts are asked for again soon. */
export const rolesQuery = (ref: string) =>
  databaseQuery(databaseObjects.roles, { ref, include_system_schemas: 'true' }, 5_000)

export const serverQuery = (ref: string) => databaseQuery(databaseServer.detail, { ref }, 5_000)

export const extensionsQuery = (ref: string) =>
  databaseQuery(databaseObjects.extensions, { ref }, 10_000)

export const publicationsQuery = (ref: string) =>
  databaseQuery(databaseObjects.publications, { ref }, 5_000)

export const foreignQuery = (ref: string) => databaseQuery(databaseServer.foreign, { ref }, 5_000)

/** The schemas of a project's database that people know of. */
export const schemaList = (ref: string) => databaseQuery(pgMeta.schemas, { ref })
