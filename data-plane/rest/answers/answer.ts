import { answerColumns } from '../sql/answer-sql.ts'
import type { Row } from '../../projects/transaction.ts'
import type { Incoming } from '../requests/incoming.ts'
import { contentTypeOf, type Maker, type Media } from './media.ts'
import { appliedHeader, type Preferences } from '../query/prefer.ts'
import { Problem } from './problem.ts'

export type Answer = {
  status: number
  headers: Record<string, string | string[]>
  body: string | Buffer | undefined
}

/** The one row that every statement of ours answers with, read. */
export type Result = {
  body: string
  rows: number
  total: number | undefined
  /** Raw texts of the settings `response.headers` and `response.status`. */
  headers: string | null
  status: string | null
}

export function readResult(rows: readonly Row[] | undefined): Result {
  const row = rows?.[0] ?? []
  const total = row[answerColumns.total]
  return {
    body: row[answerColumns.body] ?? '',
    rows: Number(row[answerColumns.rows] ?? 0),
    total: total === undefined || total === null ? undefined : Number(total),
    headers: row[answerColumns.headers] ?? null,
    status: row[answerColumns.status] ?? null,
  }
}

/** Headers that depend on the request alone. */
export function commonHeaders(
  incoming: Incoming,
  schemas: readonly string[],
  applied: readonly (keyof Preferences)[],
): Record<string, string> {
  const headers: Record<string, string> = {}
  if (schemas.length > 1) headers['content-profile'] = headerText(incoming.profile)
  const preferences = appliedHeader(incoming.prefer, applied)
  if (preferences !== '') headers['preference-applied'] = preferences
  return headers
}

/** A header holds bytes; other characters go as their UTF-8 bytes. */
export const headerText = (text: string): string => Buffer.from(text).toString('latin1')

export const bodyHeaders = (form: Media | Maker): Record<string, string> => ({
  'content-type': contentTypeOf(form),
})

/** The body as it is sent: the text of the database's answer, or the bytes that it stands for. */
export const bodyOf = (form: Media | Maker, { body }: Result): string | Buffer =>
  typeof form === 'object' && form.bytes ? Buffer.from(body, 'base64') : body

/** Lets a function have its way with status and headers (contract §9). @throws Problem PGRST111, PGRST112 */
export function overridden(answer: Answer, { headers, status }: Result): Answer {
  if (headers === null && status === null) return answer
  return {
    status: status === null ? answer.status : parseStatus(status),
    headers: headers === null ? answer.headers : { ...answer.headers, ...parseHeaders(headers) },
    body: answer.body,
  }
}

function parseStatus(text: string): number {
  const status = Number(text)
  if (Number.isInteger(status) && status >= 200 && status <= 599) return status
  throw new Problem(500, 'PGRST112', 'response.status guc must be a valid status code')
}

function parseHeaders(text: string): Record<string, string | string[]> {
  const list = parseJson(text)
  if (!Array.isArray(list)) throw badHeaders()
  const headers: Record<string, string | string[]> = {}
  for (const item of list) {
    const entries: [string, unknown][] =
      typeof item === 'object' && item !== null ? Object.entries(item) : []
    const [name, value] = entries[0] ?? []
    if (entries.length !== 1 || name === undefined || typeof value !== 'string') throw badHeaders()
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) {
      throw badHeaders()
    }
    const key = name.toLowerCase()
    const before = headers[key]
    // Each cookie is a header of its own; of any other the last one counts.
    headers[key] = key === 'set-cookie' && before !== undefined ? [before, value].flat() : value
  }
  return headers
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badHeaders()
  }
}

const badHeaders = () =>
  new Problem(
    500,
    'PGRST111',
    'response.headers guc must be a JSON array composed of objects with a single key and a string value',
  )
