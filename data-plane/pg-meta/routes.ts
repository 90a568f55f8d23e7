import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PoolClient } from 'pg'
import type { Endpoint, Output, Parsed } from '#contract/endpoint'
import { ApiError } from '#kit/errors'
import { readInput } from '#kit/http/http-input'
import { logins, type Login, type Who } from './connections.ts'
import { failureOf } from './failures.ts'
import type { Restriction } from '../projects/restriction.ts'
import { onlyDeletes, refuseChange, withReason } from './restricted.ts'

export type Http = { request: FastifyRequest; reply: FastifyReply; who: Who }
type Handler = (input: never, http: Http) => Promise<unknown>
export type MetaRoute = { endpoint: Endpoint; handler: Handler }

/** How a handler gets its session: see connections.ts. */
export type UseSession = <T>(who: Who, work: (client: PoolClient) => Promise<T>) => Promise<T>

/** An endpoint whose answer comes from one session of the project's database. */
export function answer<E extends Endpoint>(
  use: UseSession,
  endpoint: E,
  work: (db: PoolClient, input: Parsed<E>, who: Who) => Promise<Output<E>>,
): MetaRoute {
  const handler = (input: Parsed<E>, { who }: Http) =>
    use(who, (client) => work(client, input, who))
  return { endpoint, handler }
}

/** An endpoint that does with the request what it likes. */
export function handle<E extends Endpoint>(
  endpoint: E,
  handler: (input: Parsed<E>, http: Http) => Promise<unknown>,
): MetaRoute {
  return { endpoint, handler }
}

const prefix = '/platform/pg-meta'

/** Serves the routes below whatever prefix `app` has; callers are already known and authorised. */
export function serve(
  app: FastifyInstance,
  routes: readonly MetaRoute[],
  restrictionOf: (ref: string) => Promise<Restriction | undefined>,
): void {
  const restricted = new WeakMap<FastifyRequest, Restriction>()
  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(error) ?? failureOf(asRefusal(error))
    if (!failure) request.log.error({ err: error, requestId: request.id }, 'request failed')
    const { status, body, retryAfter } = failure ?? {
      status: 500,
      body: bug,
      retryAfter: undefined,
    }
    if (retryAfter) void reply.header('retry-after', String(retryAfter))
    const restriction = restricted.get(request)
    const explained = restriction && isSqlError(body) ? withReason(body, restriction) : body
    return reply.status(status).send({ ...explained, requestId: request.id })
  })
  for (const { endpoint, handler } of routes) {
    const path = endpoint.path.slice(prefix.length)
    const route = {
      method: endpoint.method,
      ...(endpoint.maxBytes ? { bodyLimit: endpoint.maxBytes } : {}),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        // What is to be deleted is said by the address, whatever a forwarder puts into the body, unless it is a list.
        if (request.method === 'DELETE' && !endpoint.listBody) request.body = undefined
        const input = readInput(endpoint, request)
        const who = whoOf(request, input)
        const restriction = await restrictionOf(who.ref)
        if (restriction) {
          restricted.set(request, restriction)
          who.restriction = restriction
          who.deletes = restriction === 'quota' && onlyDeletes(endpoint, input)
          if (!who.deletes) refuseChange(endpoint, restriction)
        }
        // The schema that made `input` is the one its handler's type was read from.
        const result = await handler(input as never, { request, reply, who })
        return endpoint.raw ? result : reply.status(endpoint.status).send(result)
      },
    }
    // Tools of the public API write addresses of lists with a slash at their end.
    for (const url of [path, `${path}/`]) app.route({ ...route, url })
  }
}

const isSqlError = (
  body: Record<string, unknown>,
): body is Record<string, unknown> & { code: string; formattedError: string } =>
  typeof body['code'] === 'string' && typeof body['formattedError'] === 'string'

const { message: ours } = new ApiError('internal')
const bug = { code: 'internal', message: ours, error: ours }

/** Fastify's own refusals of bodies and headers. */
function asRefusal(error: unknown): unknown {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (!(error instanceof Error) || status < 400 || status >= 500) return undefined
  return new ApiError(status === 413 ? 'body_too_large' : 'invalid_input', error.message)
}

function whoOf(request: FastifyRequest, input: Record<string, unknown>): Who {
  const login = logins.find((name): name is Login => name === request.headers['x-plinth-login'])
  if (!login) throw new ApiError('invalid_input', 'x-plinth-login must name a database login')
  const given = String(request.headers['x-pg-application-name'] ?? 'plinth')
  const application = given.replace(/[^ -~]/g, '?').slice(0, 63)
  const caller = request.headers['x-plinth-caller']
  const by = typeof caller === 'string' ? decodeURIComponent(caller) : null
  return { ref: String(input['ref']), login, application, by }
}
