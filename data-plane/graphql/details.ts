import type { Row } from '../projects/transaction.ts'
import { detailsSql } from './sql/details-sql.ts'
import { functionsSql } from './sql/functions-sql.ts'
import type { CachedSchema, Service } from './service.ts'

export type ColumnDetails = {
  name: string
  not_null: boolean
  comment: string | null
  select: boolean
  insert: boolean
  update: boolean
  array: boolean
  /** The type below domains, of the elements of an array; null when it is none of Postgres's own. */
  type: string | null
  /** Which enum it is, if it is one. */
  enum: string | null
  /** Its values can be sorted. */
  ordered: boolean
}
export type TableDetails = {
  name: string
  comment: string | null
  delete: boolean
  columns: ColumnDetails[]
}
/** A type: of an argument, or of what a function returns. */
export type ValueDetails = Pick<ColumnDetails, 'array' | 'type' | 'enum'> & {
  /** As SQL spells it. */
  sql: string
  /** It is no row and no pseudo-type. */
  plain: boolean
}
type Place = { schema: string; name: string }
export type FunctionDetails = {
  name: string
  comment: string | null
  volatile: boolean
  set: boolean
  /** Returns one row at most. */
  one: boolean
  /** The relation whose row is its only argument. */
  of: Place | null
  /** The relation whose rows it returns. */
  relation: Place | null
  returns: ValueDetails
  args: { name: string; optional: boolean; value: ValueDetails }[]
}
export type EnumDetails = {
  id: string
  name: string
  comment: string | null
  labels: string[] | null
}

/** A schema as one role may see it. */
export type Details = {
  comment: string | null
  tables: TableDetails[]
  enums: EnumDetails[]
  functions: FunctionDetails[]
  keys: { table: string; name: string; comment: string }[]
}

/** Reading the catalogs of a large schema may take longer than the role's own requests. */
const timeout = [['statement_timeout', '60s']] as const

/** Asks the database, in the role of the request. */
export async function loadDetails<S extends CachedSchema>(
  service: Service<S>,
  schema: S,
): Promise<Details> {
  const [rows = []] = await service.run(schema, {
    statements: [{ text: `${detailsSql} union all ${functionsSql}`, values: [service.profile] }],
    readOnly: true,
    settings: timeout,
  })
  return parseDetails(rows)
}

function parseDetails(rows: readonly Row[]): Details {
  const details: Details = { comment: null, tables: [], enums: [], functions: [], keys: [] }
  for (const [kind, text] of rows) {
    // The query makes each kind in the shape of its type.
    const item = JSON.parse(text ?? 'null') as never
    if (kind === 'table') details.tables.push(item)
    else if (kind === 'enum') details.enums.push(item)
    else if (kind === 'function') details.functions.push(item)
    else if (kind === 'key') details.keys.push(item)
    else details.comment = (item as { comment: string | null }).comment
  }
  return details
}
