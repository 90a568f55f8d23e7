import { parseJson } from '#kit/http/json-body'
import { JsonRefusal } from '#kit/http/json-scan'
import { Refusal } from './refusal.ts'

/** A request as it comes from the gateway. */
export type HttpRequest = {
  method: string
  /** What stands behind the service's prefix: `/?query={...}`. */
  target: string
  contentType: string | undefined
  body: Buffer | undefined
}

export type GraphqlRequest = {
  query: string
  variables: Readonly<Record<string, unknown>>
  operationName: string | undefined
  /** A GET: nothing may be changed. */
  readOnly: boolean
}

const bad = (message: string) => new Refusal(400, message)

/** Reads a request by the rules of GraphQL over HTTP. @throws Refusal 400 for what is none, 405 for other methods */
export async function readRequest(http: HttpRequest): Promise<GraphqlRequest> {
  const { method, target, contentType, body } = http
  if (method === 'GET') return { ...requestOf(await inAddress(target)), readOnly: true }
  if (method === 'POST') return { ...requestOf(await inBody(contentType, body)), readOnly: false }
  throw new Refusal(405, 'GraphQL is asked with GET or POST', { headers: { allow: 'GET, POST' } })
}

async function inAddress(target: string): Promise<Record<string, unknown>> {
  const question = target.indexOf('?')
  const query = new URLSearchParams(question < 0 ? '' : target.slice(question + 1))
  const variables = query.get('variables')
  return {
    query: query.get('query'),
    operationName: query.get('operationName'),
    variables: variables
      ? await parsed(Buffer.from(variables), 'The variables are no JSON')
      : undefined,
  }
}

async function inBody(contentType: string | undefined, body: Buffer | undefined) {
  if (!/^application\/json\s*(?:;|$)/i.test(contentType ?? '')) {
    throw bad('A request has the content type application/json')
  }
  const value = await parsed(body ?? Buffer.alloc(0), 'The body is no JSON')
  if (!isObject(value)) throw bad('The body has to be an object with a "query"')
  return value
}

function requestOf(given: Record<string, unknown>): Omit<GraphqlRequest, 'readOnly'> {
  const { query, variables = {}, operationName } = given
  if (typeof query !== 'string') throw bad('The request has no "query"')
  if (variables !== null && !isObject(variables)) throw bad('"variables" has to be an object')
  const named = operationName ?? undefined
  if (named !== undefined && typeof named !== 'string') {
    throw bad('"operationName" has to be a text')
  }
  // Clients send an empty name for an operation without one.
  return { query, variables: variables ?? {}, operationName: named === '' ? undefined : named }
}

async function parsed(bytes: Buffer, otherwise: string): Promise<unknown> {
  try {
    return await parseJson(bytes)
  } catch (error) {
    if (!(error instanceof JsonRefusal)) throw error
    throw bad(error.kind === 'malformed' ? otherwise : error.message)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
