import { DatabaseError } from 'pg'
import type { SqlError } from '#contract/database/sql/sql-query'

/**
 * What Postgres says about a failed statement, with its place in the whole text. Postgres counts positions in
 * characters from 1 within the statement that it got; `start` is where that began, in UTF-16 units. Without a text
 * the place is left out: it would point into SQL that the caller never saw.
 */
export function sqlError(error: DatabaseError, sql?: string, start = 0): SqlError {
  const { severity = 'ERROR', code = 'XX000', message } = error
  const place =
    error.position && sql !== undefined ? placeOf(sql, start, Number(error.position)) : undefined
  const optional = {
    detail: error.detail,
    hint: error.hint,
    where: error.where,
    internalQuery: error.internalQuery,
    schema: error.schema,
    table: error.table,
    dataType: error.dataType,
    constraint: error.constraint,
  }
  return {
    message,
    code,
    severity,
    formattedError: formatted(`${severity}:  ${code}: ${message}`, place, optional),
    ...(place && { position: place.position, line: place.line, column: place.column }),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  }
}

type Place = { position: number; line: number; column: number; text: string }

function placeOf(sql: string, start: number, position: number): Place {
  let at = Math.min(start, sql.length)
  for (let left = position - 1; left > 0 && at < sql.length; left -= 1) at += widthAt(sql, at)
  const lineStart = sql.lastIndexOf('\n', at - 1) + 1
  const lineEnd = sql.indexOf('\n', at)
  return {
    position: codePoints(sql, 0, at) + 1,
    line: sql.slice(0, at).split('\n').length,
    column: codePoints(sql, lineStart, at) + 1,
    text: sql.slice(lineStart, lineEnd < 0 ? sql.length : lineEnd),
  }
}

const widthAt = (text: string, at: number) => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

function codePoints(text: string, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at += widthAt(text, at)) count += 1
  return count
}

type Parts = Partial<Record<'detail' | 'hint' | 'where' | 'internalQuery', string | undefined>>

/** As psql shows it with VERBOSITY verbose, without the server's source lines. Long lines are cut around the caret. */
function formatted(first: string, place: Place | undefined, parts: Parts): string {
  const lines = [first]
  if (place) {
    const from = Math.max(0, place.column - 61)
    const prefix = `LINE ${place.line}: ${from > 0 ? '...' : ''}`
    const shown = Array.from(place.text)
      .slice(from, from + 120)
      .join('')
      .replaceAll('\t', ' ')
    lines.push(prefix + shown, `${' '.repeat(prefix.length + place.column - 1 - from)}^`)
  }
  if (parts.detail) lines.push(`DETAIL:  ${parts.detail}`)
  if (parts.hint) lines.push(`HINT:  ${parts.hint}`)
  if (parts.internalQuery) lines.push(`QUERY:  ${parts.internalQuery}`)
  if (parts.where) lines.push(`CONTEXT:  ${parts.where}`)
  return `${lines.join('\n')}\n`
}

/** A failed statement with the text it came from, so that the answer can point into it. */
export class FailedSql extends Error {
  readonly sql: SqlError
  readonly more: Record<string, unknown>

  constructor(error: DatabaseError, text?: string, start = 0, more: Record<string, unknown> = {}) {
    super(error.message, { cause: error })
    this.name = 'FailedSql'
    this.sql = sqlError(error, text, start)
    this.more = more
  }
}
