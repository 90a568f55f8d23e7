import { bodyText, madeSql } from '../requests/handlers.ts'
import type { Handler } from '../catalog/schema.ts'
import { isObject, isStripped, type Maker, type Media } from '../answers/media.ts'

/** Where a statement's one row has what, in this order. */
export const answerColumns = { body: 0, rows: 1, headers: 2, status: 3, total: 4 } as const

/** Response headers and status that a function may have set (contract §9). */
const overrides = `nullif(current_setting('response.headers', true), ''), nullif(current_setting('response.status', true), '')`

type Answer = {
  /** Statement of the rows to answer with. */
  rows: string
  form: Media | Handler
  /** Comes before everything: `with … `. */
  with?: string
  /** Expression of a fifth column. */
  total?: string | undefined
}

/** Wraps rows so that the database builds the body: one row comes back, and its first cell is sent as it is. */
export const answerSql = (answer: Answer): string => wrap(bodySql(answer.form), answer)

/** The same for rows that nobody wants to see: they are only counted. */
export const countedSql = (answer: Omit<Answer, 'form'>): string => wrap(`''`, answer)

function wrap(body: string, { rows, total, with: before = '' }: Omit<Answer, 'form'>): string {
  const columns = [body, 'count(*)', overrides]
  if (total !== undefined) columns.push(total)
  return `${before}select ${columns.join(', ')} from (${rows}) plinth_row`
}

/** The same for rows of one column that is the answer itself; a list of them when a set is asked for. */
export function scalarSql(answer: Omit<Answer, 'form'>, list: boolean): string {
  const all = 'json_agg(plinth_row.plinth_scalar)'
  const body = list ? `coalesce(${all}, '[]')::text` : `coalesce((${all} -> 0)::text, 'null')`
  return wrap(body, answer)
}

/** The same for one value that is the body itself; bytes come in base64. */
export function rawSql(answer: Omit<Answer, 'form'>, maker: Maker): string {
  const one = '(array_agg(plinth_row.plinth_scalar))[1]'
  return wrap(`coalesce(${bodyText(one, maker)}, '')`, answer)
}

function bodySql(form: Media | Handler): string {
  if (typeof form === 'object') return madeSql(form)
  if (form === 'csv') return csvSql
  const row = isStripped(form) ? 'json_strip_nulls(row_to_json(plinth_row))' : 'plinth_row'
  if (isObject(form)) return `coalesce((json_agg(${row}) -> 0)::text, 'null')`
  return `coalesce(json_agg(${row}), '[]')::text`
}

/** A row's text form is CSV in parentheses, except that it doubles backslashes. */
const line = String.raw`replace(substring(plinth_row::text, 2, length(plinth_row::text) - 2), '\\', '\')`
const head = `(select string_agg(quote_csv, ',') from (
  select case when key ~ '[",\\n]' then '"' || replace(key, '"', '""') || '"' else key end as quote_csv
  from json_object_keys((array_agg(row_to_json(plinth_row)))[1]) as key) keys)`
const csvSql = `coalesce(${head} || E'\\n' || string_agg(${line}, E'\\n'), '')`
