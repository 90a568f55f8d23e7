import { ApiError } from '#kit/errors'
import { quoteIdent, quoteLiteral } from '#contract/ddl/sql-text'
import type { NewColumn } from '#contract/pg-meta-shapes'
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
  if (found?.written) return `\n${type}\n`
  if (found?.quoted) return quoted
  throw new ApiError('invalid_input', `There is no type "${type}"`)
}

type Default = Pick<NewColumn, 'default_value' | 'default_value_format'>

/** The default as SQL; undefined when there is none. */
export async function defaultSql(given: Default): Promise<string | undefined> {
  const { default_value: value, default_value_format: format } = given
  if (value === undefined || value === null) return undefined
  return format === 'literal'
    ? quoteLiteral(String(value))
    : expressionSql(String(value), 'default')
}

export async function expressionSql(text: string, what: string): Promise<string> {
  if (!(await isExpression(text))) {
    throw new ApiError('invalid_input', `The ${what} is not a single SQL expression: ${text}`)
  }
  return `(\n${text}\n)`
}

/** A column as CREATE TABLE and ADD COLUMN take it; its key and comment come separately. */
export async function columnSql(db: Queryable, column: NewColumn): Promise<string> {
  const value = await defaultSql(column)
  if (column.is_identity && value !== undefined) {
    throw new ApiError(
      'invalid_input',
      `Column "${column.name}" can be an identity or have a default, not both`,
    )
  }
  const parts = [quoteIdent(column.name), await typeSql(db, column.type)]
  if (value !== undefined) parts.push(`default ${value}`)
  if (column.is_identity)
    parts.push(`generated ${identitySql(column.identity_generation)} as identity`)
  if (!column.is_nullable) parts.push('not null')
  if (column.is_unique) parts.push('unique')
  if (column.check) parts.push(`check ${await expressionSql(column.check, 'check')}`)
  return parts.join(' ')
}

export const identitySql = (generation: 'ALWAYS' | 'BY DEFAULT') =>
  generation === 'ALWAYS' ? 'always' : 'by default'

export const commentSql = (on: string, comment: string | null) =>
  `comment on ${on} is ${comment === null || comment === '' ? 'null' : quoteLiteral(comment)}`
