import { ident, quoteLiteral } from '../sql-text.ts'
import type { ColumnShape } from './table-shape.ts'

/** An expression that stands where it is without parentheses: a literal, a call, a word, each with casts. */
const plain =
  /^(?:-?\d+(?:\.\d+)?|'(?:[^'\\]|'')*'|[a-z_][\w.]*\((?:[^()'"]|'(?:[^'\\]|'')*')*\)|true|false|null|current_\w+|localtime(?:stamp)?)(?:::[a-z_][\w. ]*(?:\(\d+(?:,\d+)?\))?(?:\[\])*)?$/i

/** An expression as a part of DDL. A comment in it ends with its line. */
export function expressionSql(text: string): string {
  const trimmed = text.trim()
  if (plain.test(trimmed)) return trimmed
  return trimmed.includes('--') ? `(${trimmed}\n)` : `(${trimmed})`
}

/** CHECK and GENERATED want parentheses whatever stands between them. */
export function inParentheses(text: string): string {
  const sql = expressionSql(text)
  return sql.startsWith('(') && !plain.test(text.trim()) ? sql : `(${sql})`
}

export const identitySql = (identity: 'ALWAYS' | 'BY DEFAULT') =>
  `generated ${identity === 'ALWAYS' ? 'always' : 'by default'} as identity`

/** A column as CREATE TABLE and ADD COLUMN take it, without its key, its constraints' names and its comment. */
export function columnSql(column: ColumnShape, { constraints }: { constraints: boolean }): string {
  const parts = [ident(column.name), column.type]
  if (column.identity) parts.push(identitySql(column.identity))
  else if (column.generated !== null)
    parts.push(`generated always as ${inParentheses(column.generated)} stored`)
  else if (column.default !== null) parts.push(`default ${expressionSql(column.default)}`)
  if (!column.nullable) parts.push('not null')
  if (constraints && column.unique) parts.push('unique')
  if (constraints && column.check !== null) parts.push(`check ${inParentheses(column.check)}`)
  return parts.join(' ')
}

export const commentSql = (on: string, comment: string | null) =>
  `comment on ${on} is ${comment === null || comment === '' ? 'null' : quoteLiteral(comment).trim()}`

/**
 * A default as people type it: what reads like SQL (a call, a quoted text, a cast ...) is SQL, anything else is the
 * value itself, so that `hello` needs no quotes.
 */
export function typedDefault(text: string, type: string): string | null {
  const value = text.trim()
  if (value === '') return null
  if (readsLikeSql(value)) return value
  if (/^-?\d+(?:\.\d+)?$/.test(value) && numbers.test(type)) return value
  if (/^(?:true|false)$/i.test(value) && /^bool(?:ean)?$/.test(type)) return value.toLowerCase()
  return quoteLiteral(value).trim()
}

const numbers =
  /^(?:int[248]?|smallint|integer|bigint|float[48]|real|double precision|numeric|decimal)\b[^[]*$/

export const readsLikeSql = (text: string) =>
  /^(?:[\w."]+\s*\(.*\)|'.*'|.+::[\w." [\](),]+|current_\w+|localtime(?:stamp)?|array\s*\[.*\]|\(.*\)|null)$/is.test(
    text.trim(),
  )
