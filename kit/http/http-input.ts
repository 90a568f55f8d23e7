import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint'
import type { z } from 'zod'
import { ApiError } from '../errors.ts'

/**
 * The validated input of an endpoint: query, body and path in one object; a name in the path wins.
 * @throws ApiError invalid_input, naming each field that is wrong. NUL is refused because no column can hold it.
 */
export function readInput(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  const given = request.body ?? {}
  const body =
    endpoint.listBody && Array.isArray(given) ? { [endpoint.listBody]: given as unknown } : given
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw new ApiError('invalid_input', 'The body must be a JSON object')
  }
  // Fastify types query and params as unknown until a schema is given; they are plain objects of strings.
  const query = request.query as Record<string, unknown>
  const values = { ...query, ...body, ...(request.params as Record<string, string>) }
  checkText(values)
  const result = endpoint.input.safeParse(values)
  if (result.success) return result.data
  throw new ApiError('invalid_input', linesOf(result.error.issues).join('; '))
}

type Issues = readonly z.core.$ZodIssue[]

/** What is wrong, a line for each field. */
export function linesOf(issues: Issues, at: readonly PropertyKey[] = []): string[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path]
    const meant = issue.code === 'invalid_union' ? meantOf(issue.errors) : undefined
    if (meant) return linesOf(meant, path)
    return path.length === 0 ? issue.message : `${path.map(String).join('.')}: ${issue.message}`
  })
}

/** Of several things that it could be, the one of which least is missing: then what is wrong with it lies deepest. */
function meantOf(alternatives: readonly Issues[]): Issues | undefined {
  const depth = (issues: Issues) => Math.max(0, ...issues.map(({ path }) => path.length))
  const missing = (issues: Issues) =>
    issues.filter(({ message }) => message.endsWith('received undefined')).length
  const [first] = alternatives.toSorted(
    (a, b) => missing(a) - missing(b) || depth(b) - depth(a) || a.length - b.length,
  )
  return first && depth(first) > 0 ? first : undefined
}

/** What Postgres can keep, and what can be told apart once it is written as UTF-8. */
function checkText(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0'))
      throw new ApiError('invalid_input', 'Text must not contain NUL characters')
    if (!value.isWellFormed())
      throw new ApiError('invalid_input', 'Text must be valid Unicode without lone surrogates')
  } else if (Array.isArray(value)) value.forEach(checkText)
  else if (typeof value === 'object' && value !== null)
    for (const [name, inside] of Object.entries(value)) {
      checkText(name)
      checkText(inside)
    }
}
