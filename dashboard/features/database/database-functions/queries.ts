import { databaseFunctions } from '#contract/database/database-functions'
import { pgMeta } from '#contract/database/pg-meta'
import { databaseQuery } from '../../../session/project/database.ts'

/** They change by SQL behind our back: long enough that the page takes over what its loader has read. */
const shortly = 2_000

/** More than one list shows; the search box finds the rest of them no better than SQL would. */
const most = 10_000

export const functionsQuery = (ref: string, schema: string) =>
  databaseQuery(
    databaseFunctions.list,
    { ref, included_schemas: schema, include_procedures: 'true', limit: most },
    shortly,
  )

export const typesQuery = (ref: string) =>
  databaseQuery(pgMeta.types, { ref, include_table_types: 'true' })
