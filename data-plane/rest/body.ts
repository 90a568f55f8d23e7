import { parseCsv } from './csv.ts'
import { badBody, Problem } from './problem.ts'

/** A body as the database gets it: JSON text, one object or an array of objects. */
export type Payload = {
  json: string
  array: boolean
  /** Keys of the first object; with `uniform`, of all. */
  keys: readonly string[]
  uniform: boolean
  /** How many objects. */
  length: number
}

const deepest = 500
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads the body of a write. An absent body is malformed. @throws Problem PGRST102, 415 */
export function parsePayload(body: Buffer | undefined, contentType: string | undefined): Payload {
  const text = decodeText(body)
  switch (mediaType(contentType)) {
    case 'application/json':
    case '':
      return jsonPayload(text, parseJson(text))
    case 'text/csv': {
      const rows = parseCsv(text)
      return jsonPayload(JSON.stringify(rows), rows)
    }
    case 'application/x-www-form-urlencoded': {
      const row = Object.fromEntries(new URLSearchParams(text))
      return jsonPayload(JSON.stringify(row), row)
    }
    default:
      throw unsupported(contentType)
  }
}

export const mediaType = (contentType: string | undefined): string =>
  (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

export const unsupported = (contentType: string | undefined): Problem =>
  new Problem(415, 'PGRST102', `Content-Type not acceptable: ${contentType ?? ''}`)

export function decodeText(body: Buffer | undefined): string {
  try {
    return body === undefined ? '' : decoder.decode(body)
  } catch {
    throw badBody('The request body is not valid UTF-8')
  }
}

/** The value is looked at here, but the text goes to the database as it came, so that no number loses digits. */
export function parseJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw badBody('Empty or invalid json', error instanceof Error ? error.message : null)
  }
  checkDepth(value)
  return value
}

/** The database reads JSON recursively; without this bound a body could exhaust its stack. */
function checkDepth(value: unknown): void {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) throw badBody(`The JSON is nested deeper than ${deepest} levels`)
    const next: unknown[] = []
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue
      for (const inner of Object.values(item)) {
        if (typeof inner === 'object' && inner !== null) next.push(inner)
      }
    }
    level = next
  }
}

function jsonPayload(json: string, value: unknown): Payload {
  if (!Array.isArray(value)) {
    return { json, array: false, keys: keysOf(value), uniform: true, length: 1 }
  }
  const keys = value.length === 0 ? [] : keysOf(value[0])
  const known = new Set(keys)
  const uniform = value.every((row) => {
    const own = keysOf(row)
    return own.length === known.size && own.every((key) => known.has(key))
  })
  return { json, array: true, keys, uniform, length: value.length }
}

function keysOf(row: unknown): string[] {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    throw badBody('The body must be a JSON object or an array of JSON objects')
  }
  return Object.keys(row)
}
