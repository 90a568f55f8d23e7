import { quoteIdent, quoteLiteral } from '#contract/ddl/sql-text'
import type { ColumnShape } from '#contract/ddl/tables/table-shape'
import type { NewColumn } from '#contract/database/pg-meta-shapes'
import { ApiError } from '#kit/errors'
import { isExpression, isTypeName } from './parser.ts'
import type { Queryable } from './queryable.ts'
import { rowsOf } from './scope.ts'

export const qualified = (schema: string, name: string) =>
  `${quoteIdent(schema)}.${quoteIdent(name)}`

/** The type as SQL. What is no type name by the grammar (spaces, capitals) may still be the plain name of a type. */
export async function typeSql(db: Queryable, type: string): Promise<string> {
  const quoted = quoteIdent(type)
  const asWritten = await isTypeName(type)
  const [found] = await rowsOf<{ written: boolean; quoted: boolean }>(
    db,
    'select ($3 and to_regtype($1) is not null) as written, to_regtype($2) is not null as quoted',
    [asWritten ? type : 'text', quoted, asWritten],
  )
  // A comment at its end must not take along what follows.
  if (found?.written) return type.includes('--') ? `${type}\n` : type.trim()
  if (found?.quoted) return quoted
  throw new ApiError('invalid_input', `There is no type "${type}"`)
}

type Default = Pick<NewColumn, 'default_value' | 'default_value_format'>

/** The default as SQL; null when there is none. */
export async function defaultSql(given: Default): Promise<string | null> {
  const { default_value: value, default_value_format: format } = given
  if (value === undefined || value === null) return null
  return format === 'literal'
    ? quoteLiteral(String(value)).trim()
    : singleExpression(String(value), 'default')
}

/** The text itself. @throws ApiError invalid_input for what could break out of the place that it is put into */
export async function singleExpression(text: string, what: string): Promise<string> {
  if (await isExpression(text)) return text
  throw new ApiError('invalid_input', `The ${what} is not a single SQL expression: ${text}`)
}

/** A column as the public metadata API takes it, as the builders do. */
export async function columnShape(db: Queryable, column: NewColumn): Promise<ColumnShape> {
  const value = await defaultSql(column)
  if (column.is_identity && value !== null) throw identityOrDefault(column.name)
  return {
    name: column.name,
    type: await typeSql(db, column.type),
    nullable: column.is_nullable,
    default: value,
    generated: null,
    check: column.check ? await singleExpression(column.check, 'check') : null,
    identity: column.is_identity ? column.identity_generation : null,
    unique: column.is_unique,
    comment: column.comment ?? null,
    unique_name: null,
    check_name: null,
  }
}

export const identityOrDefault = (name: string) =>
  new ApiError('invalid_input', `Column "${name}" can be an identity or have a default, not both`)

/** The name that Postgres would give a constraint: the first of `candidates` that nothing else in the schema has. */
export async function freeName(
  db: Queryable,
  schema: string,
  candidates: readonly string[],
): Promise<string> {
  const taken = `
    select name from unnest($2::text[]) as candidates (name)
    where exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = $1 and c.relname = name)
      or exists (select from pg_constraint k join pg_namespace n on n.oid = k.connamespace
        where n.nspname = $1 and k.conname = name)
  `
  const found = new Set(
    (await rowsOf<{ name: string }>(db, taken, [schema, candidates])).map(({ name }) => name),
  )
  const free = candidates.find((name) => !found.has(name))
  if (free === undefined) throw new ApiError('invalid_input', 'No unused name could be found')
  return free
}
