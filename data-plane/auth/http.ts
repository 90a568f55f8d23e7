import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#kit/errors'
import type { Log } from '#kit/log'
import { OversizeError } from '#kit/postgres/message-watch'
import type { Credentials } from './access.ts'
import { AuthError, invalid } from './errors.ts'
import { redirectTarget } from './sign-in/redirects.ts'
import { sqlState } from './store.ts'
import type { AuthTenant, Caller, AskHook } from './tenant.ts'
import { parseJsonNow } from '#kit/http/json-body'
import { JsonRefusal } from '#kit/http/json-scan'

const bodyLimit = 1024 * 1024
const longestUserAgent = 512
const versioned = '2024-01-01'

/** A request as handlers see it: tenant known, texts storable, redirect target allowed. */
export type Call = Caller & {
  body: unknown
  query: Record<string, string | undefined>
  params: Record<string, string | undefined>
  credentials: Credentials
  /** An allowed target: the one in the query, else the site. A body may name another: `redirectTarget`. */
  redirectTo: string
  /** The Cookie header. */
  cookies: string | undefined
  reply: FastifyReply
}

/** One endpoint: what it answers is sent as JSON with 200, unless the handler has sent something itself. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  handler: (call: Call) => Promise<unknown>
}

export type TenantOf = (request: FastifyRequest) => Promise<AuthTenant | undefined>
/** The role of a key that is no token; undefined for any other request. */
export type KeyRoleOf = (request: FastifyRequest) => string | undefined

/** Makes a request a call. 404 when no tenant answers here. */
export async function callOf(
  request: FastifyRequest,
  reply: FastifyReply,
  tenantOf: TenantOf,
  hooks: AskHook,
  keyRoleOf?: KeyRoleOf,
): Promise<Call> {
  const tenant = await tenantOf(request)
  if (!tenant) throw new AuthError('not_found')
  const query = texts(request.query)
  refuseUnstorable(query)
  const { authorization, apikey } = request.headers
  return {
    tenant,
    hooks,
    ip: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, longestUserAgent),
    body: request.body,
    query,
    params: texts(request.params),
    credentials: {
      authorization,
      apikey: typeof apikey === 'string' ? apikey : undefined,
      keyRole: keyRoleOf?.(request),
    },
    redirectTo: redirectTarget(tenant.config, query['redirect_to']),
    cookies: request.headers.cookie,
    reply,
  }
}

/** Single values; a parameter given twice counts as its first. */
function texts(values: unknown): Record<string, string | undefined> {
  const pairs = Object.entries(typeof values === 'object' && values !== null ? values : {})
  return Object.fromEntries(
    pairs.map(([name, value]: [string, unknown]) => {
      const first: unknown = Array.isArray(value) ? value[0] : value
      return [name, typeof first === 'string' ? first : undefined]
    }),
  )
}

/** Body rules, CORS and error shape of this API, for the routes below one prefix only. */
export async function prepareHttp(app: FastifyInstance, log: Log): Promise<void> {
  app.removeAllContentTypeParsers()
  // Whatever the content type says, the body is JSON: clients of this protocol do not agree on it.
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit },
    async (_: unknown, bytes: Buffer) => parseJson(bytes),
  )
  await app.register(cors, {
    origin: true,
    credentials: true,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Accept',
      'Authorization',
      'Content-Type',
      'X-Client-IP',
      'X-Client-Info',
      'X-JWT-AUD',
      'X-Use-Cookie',
      'X-Supabase-Api-Version',
      'apikey',
    ],
    exposedHeaders: ['X-Total-Count', 'Link', 'X-Supabase-Api-Version'],
    maxAge: 600,
  })
  app.addHook('onSend', async (_, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  app.setErrorHandler(async (error, request, reply) => renderError(log, error, request, reply))
  app.setNotFoundHandler(async (request, reply) =>
    renderError(log, new AuthError('not_found'), request, reply),
  )
}

async function renderError(
  log: Log,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const known = knownError(error)
  const refusal =
    known ?? new AuthError('unexpected_failure', wordsFor(error), { status: failure(error) })
  const errorId = known ? undefined : randomUUID()
  if (errorId) log.error({ error: described(error), errorId, requestId: request.id }, failed)
  const { code, message, status, retryAfter, reasons } = refusal
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  reply.status(status).header('x-sb-error-code', code)
  const extra = {
    ...(reasons && { weak_password: { reasons } }),
    ...(errorId && { error_id: errorId }),
  }
  const version = request.headers['x-supabase-api-version']
  if (typeof version !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(version) || version < versioned) {
    return reply.send({ code: status, error_code: code, msg: message, ...extra })
  }
  reply.header('x-supabase-api-version', versioned)
  return reply.send({ code, message, ...extra })
}

const failed = 'auth request failed'

/** What a log may know of an error: the detail of a database error can quote a whole row. */
function described(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) }
  return { message: error.message, code: sqlState(error), stack: error.stack }
}

/** What is the client's doing, as a refusal; undefined for a failure of ours. */
function knownError(error: unknown): AuthError | undefined {
  if (error instanceof AuthError) return error
  // Refused before it came here, by the rules of the server that this service is mounted in: a foreign origin.
  if (error instanceof ApiError) {
    return new AuthError('validation_failed', error.message, { status: error.status })
  }
  // Class 22 of SQLSTATE: a value that Postgres cannot take. Requests are checked before; this is the net below.
  if (error instanceof OversizeError) return new AuthError('validation_failed', error.message)
  if (sqlState(error)?.startsWith('22')) return new AuthError('validation_failed')
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined
  if (error.statusCode === 413) return new AuthError('request_entity_too_large')
  const status = typeof error.statusCode === 'number' ? error.statusCode : 500
  return status >= 400 && status < 500
    ? new AuthError('validation_failed', error.message, { status })
    : undefined
}

/** Where the reader, or who runs this, can do something about it. 53100: disk_full. */
const wordsFor = (error: unknown) =>
  sqlState(error) === '53100' ? 'There is not enough disk space for this' : undefined

/** 503 when the database does not answer, which passes; 500 for the rest. */
function failure(error: unknown): number {
  const state = sqlState(error) ?? ''
  const away = /^(08|53|57P)|^E(CONNREFUSED|CONNRESET|NOENT|PIPE|TIMEDOUT)$/.test(state)
  const lost =
    error instanceof Error && /Connection terminated|timeout exceeded/.test(error.message)
  return away || lost ? 503 : 500
}

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
function refuseUnstorable(root: unknown): void {
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
