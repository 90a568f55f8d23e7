import { quoteIdent } from '#contract/ddl/sql-text'
import type { Field } from '../query/query.ts'
import type { CatalogColumn } from '../catalog/catalog.ts'
import type { Value } from '../../projects/transaction.ts'

/** Collects the values of a statement; they never become part of its text. */
export class Values {
  readonly list: Value[] = []

  /** The placeholder of a value. */
  bind(value: Value): string {
    return `$${this.list.push(value)}`
  }
}

/** A relation of a statement under its name there. */
export type Scope = {
  /** Quoted. */
  alias: string
  /** Undefined where the columns are not known, as in the result of some functions. */
  columns: ReadonlyMap<string, CatalogColumn> | undefined
  /** What is null where an embed of this name has no row. */
  embeds?: ReadonlyMap<string, string>
}

export const qualified = (relation: { schema: string; name: string }): string =>
  `${quoteIdent(relation.schema)}.${quoteIdent(relation.name)}`

const isJson = (base: string) => base === 'json' || base === 'jsonb'

/** A column, or a place inside one. What is neither json nor jsonb, or may be neither, is read as jsonb. */
export function fieldSql(scope: Scope, field: Field, values: Values): string {
  const column = `${scope.alias}.${quoteIdent(field.name)}`
  if (field.json.length === 0) return column
  const known = scope.columns?.get(field.name)
  let sql = known && isJson(known.base) ? column : `to_jsonb(${column})`
  for (const { asText, step } of field.json) {
    const arrow = asText ? '->>' : '->'
    sql +=
      'key' in step
        ? `${arrow}${values.bind(step.key)}::text`
        : `${arrow}${values.bind(String(step.index))}::int`
  }
  return field.json.length > 0 ? `(${sql})` : sql
}

/**
 * A number of rows that pages usually have stands in the statement itself: the server then knows that a plan for any
 * values does as well, and does not plan anew for each request.
 */
const limitSql = (limit: number, values: Values): string =>
  Number.isInteger(limit) && limit >= 0 && limit <= usualLimit
    ? String(limit)
    : `${values.bind(String(limit))}::int8`
/** There are as many statements as such numbers. */
const usualLimit = 1000

export function pageSql(
  page: { limit: number | undefined; offset: number },
  values: Values,
): string {
  const limit = page.limit === undefined ? '' : ` limit ${limitSql(page.limit, values)}`
  return page.offset === 0 ? limit : `${limit} offset ${values.bind(String(page.offset))}::int8`
}

/** Names of types that are words of the grammar, and by what name the catalog knows them. */
const typeWords: Record<string, string> = {
  int: 'int4',
  integer: 'int4',
  smallint: 'int2',
  bigint: 'int8',
  real: 'float4',
  float: 'float8',
  'double precision': 'float8',
  decimal: 'numeric',
  dec: 'numeric',
  boolean: 'bool',
  'character varying': 'varchar',
  character: 'bpchar',
  char: 'bpchar',
  'timestamp without time zone': 'timestamp',
  'timestamp with time zone': 'timestamptz',
  'time without time zone': 'time',
  'time with time zone': 'timetz',
  'bit varying': 'varbit',
}

/** The name of a type as SQL would read it: folded to lower case unless quoted. */
export function typeSql(name: string): string {
  const array = name.endsWith('[]') ? '[]' : ''
  const bare = array ? name.slice(0, -2) : name
  if (bare.startsWith('"')) return quoteIdent(bare.slice(1, -1)) + array
  const folded = bare.trim().toLowerCase().replaceAll(/ +/g, ' ')
  const word = Object.hasOwn(typeWords, folded) ? typeWords[folded] : undefined
  return (word ? `pg_catalog.${quoteIdent(word)}` : quoteIdent(folded)) + array
}
