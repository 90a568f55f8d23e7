import { pgMeta } from '#contract/database/pg-meta'
import { sqlTools } from '#contract/database/sql/sql-tools'
import { tableShapes } from '#contract/database/table-shapes'
import { qualified } from '#contract/ddl/sql-text'
import type { SqlType } from '#contract/database/pg-meta-shapes'
import { callDatabase, databaseQuery } from '../../session/project/database.ts'

/** Others change tables too: what is opened is asked for again. */
const shortly = 2_000

export const shapeQuery = (ref: string, id: number) =>
  databaseQuery(tableShapes.shape, { ref, id }, shortly)
export const startQuery = (ref: string, schema: string) =>
  databaseQuery(tableShapes.start, { ref, schema }, shortly)
export const tableListQuery = (ref: string, schema: string) =>
  databaseQuery(tableShapes.list, { ref, schema }, shortly)
export const typesQuery = (ref: string) =>
  databaseQuery(pgMeta.types, { ref, include_table_types: 'false' }, shortly)
export const schemasQuery = (ref: string) => databaseQuery(pgMeta.schemas, { ref }, shortly)

export const ofTables = [
  ...Object.values(tableShapes),
  pgMeta.entities,
  pgMeta.entity,
  pgMeta.tables,
  pgMeta.columns,
  sqlTools.relations,
]

export const ofSchemas = [pgMeta.schemas]

/** The id of a table that was just made. */
export async function idOfTable(ref: string, schema: string, name: string) {
  const tables = await callDatabase(tableShapes.list, { ref, schema })
  return tables.find((table) => table.name === name)?.id
}

/** The values of an enum by the type's SQL; none for other types. */
export const enumsOf = (types: readonly SqlType[], sql: string): readonly string[] =>
  types.find(({ schema, name }) => qualified(schema, name) === sql)?.enums ?? []
