import { databaseTypes } from '#contract/database/database-types'
import { databaseQuery } from '../../../session/project/database.ts'

const most = 10_000

/** They change by SQL behind our back: long enough that the page takes over what its loader has read. */
export const customTypesQuery = (ref: string, schema: string) =>
  databaseQuery(databaseTypes.list, { ref, included_schemas: schema, limit: most }, 2_000)
