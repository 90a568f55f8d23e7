import { qualified } from '#contract/ddl/sql-text'
import type { SqlType } from '#contract/database/pg-meta-shapes'

/** The values of an enum by the type's SQL; none for other types. */
export const enumsOf = (types: readonly SqlType[], sql: string): readonly string[] =>
  types.find(({ schema, name }) => qualified(schema, name) === sql)?.enums ?? []
