import { pgMeta } from '#contract/database/pg-meta'
import { databaseQuery } from '../../session/project/database.ts'

/** The schemas of a project's database that people know of. */
export const schemaList = (ref: string) => databaseQuery(pgMeta.schemas, { ref })

/** What lists of a database's objects keep in the address. */
export type ObjectSearch = { schema?: string; find?: string }

export const readObjectSearch = ({ schema, find }: Record<string, unknown>): ObjectSearch => ({
  ...(typeof schema === 'string' && schema ? { schema } : {}),
  ...(typeof find === 'string' && find ? { find } : {}),
})
