import type { EntityColumn } from '#contract/database/pg-meta-shapes'
import { problemOf } from '../../../../ui/grid/check-value.ts'

/** Why a value cannot stand in a column, as far as that is certain; null is NULL. */
export function valueProblem(column: EntityColumn, text: string | null): string | undefined {
  if (text === null) return column.is_nullable ? undefined : `${column.name} cannot be NULL`
  const { type, data_type: kind, enums: choices } = column
  // A type of people's own may be called as one of Postgres.
  const format = kind === 'USER-DEFINED' ? '' : column.format
  const problem = problemOf({ format, type, isList: kind === 'ARRAY', choices }, text)
  if (problem === undefined || text !== '') return problem
  return column.is_nullable ? `${problem}. Choose NULL for no value.` : problem
}
