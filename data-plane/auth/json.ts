import { parseJsonNow } from '#kit/http/json-body'
import { JsonRefusal } from '#kit/http/json-scan'
import { AuthError, invalid } from './errors.ts'

const deepest = 64

/** Parses a request body and refuses what the database could not store. An empty body is undefined. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length < 1024 && bytes.toString().trim() === '') return undefined
  const value = parsed(bytes)
  refuseUnstorable(value)
  return value
}

/** What a person or a client says of themselves has a few dozen values; everybody may send this. */
const bounds = { depth: deepest, values: 10_000, keys: 2000 }

function parsed(bytes: Buffer): unknown {
  try {
    return parseJsonNow(bytes, bounds)
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error
    throw error.kind === 'malformed' ? new AuthError('bad_json') : invalid(error.message)
  }
}

/** Postgres text holds neither NUL nor half a surrogate pair, and deep nesting exhausts stacks. */
export function refuseUnstorable(root: unknown): void {
  const rest: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
  for (let item = rest.pop(); item; item = rest.pop()) {
    const { value, depth } = item
    if (typeof value === 'string') refuseText(value)
    if (typeof value !== 'object' || value === null) continue
    if (depth === deepest) throw invalid(`The request is nested deeper than ${deepest} levels`)
    for (const [key, child] of Object.entries(value)) {
      refuseText(key)
      rest.push({ value: child, depth: depth + 1 })
    }
  }
}

function refuseText(text: string): void {
  // In unicode mode a surrogate only matches where it has no partner.
  if (text.includes('\0') || /\p{Surrogate}/u.test(text)) {
    throw invalid('Text cannot contain NUL characters or unpaired surrogates')
  }
}
