import { AuthError, invalid } from './errors.ts'

const deepest = 64

/** Parses a request body and refuses what the database could not store. An empty body is undefined. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined
  const value = parsed(text)
  refuseUnstorable(value)
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new AuthError('bad_json')
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
    throw invalid('Text can not contain NUL characters or unpaired surrogates')
  }
}
