import { pgMeta } from '#contract/database/pg-meta'
import { databaseQuery } from '../../../session/project/database.ts'

/** What kind of thing it is that has these columns. */
export const entityQuery = (ref: string, id: number) =>
  databaseQuery(pgMeta.entity, { ref, id }, 2_000)
