import { pgMeta } from '#contract/database/pg-meta'
import { databaseQuery } from '../../session/project/database.ts'

/** The schemas of a project's database that people know of. */
export const schemaList = (ref: string) => databaseQuery(pgMeta.schemas, { ref })
