import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Endpoint, Output, Parsed } from '#contract/endpoint'
import { actAsHeader } from '#contract/operations/local-admin'
import type { GuardedNeed, Need } from '#contract/permissions'
import { ApiError } from './errors.ts'
import { trustDoor } from './http/front-door.ts'
import { addErrorHandling } from './http/http-errors.ts'
import { readInput } from './http/http-input.ts'
import { addBodyParsing, addSecurity, requestId, type Security } from './http/http-security.ts'
import { sameSecret } from './ids.ts'
import { isLocal } from './network/local-socket.ts'
import type { Log } from './log.ts'
import { refuseOtherMethods } from './http/other-methods.ts'
import { createRateLimit } from './http/rate-limit.ts'
import { limitSlowBodies } from './http/slow-bodies.ts'

/** Who calls, and what the permission table says about them. */
export type Caller = {
  /** How they came in: signed in, or with an access token that stands for them. */
  kind: 'session' | 'token'
  /** The auth service's user id. */
  userId: string
  email: string
  sessionId: string
  /** aal2: a second factor was shown in this session. */
  aal: 'aal1' | 'aal2'
  /** What their account was made with: `email`, `github`, `sso:<id>` ... */
  provider?: string
  /** Of an app's token: the one organization it is for, and the scopes it has there. */
  limits?: { organizationSlug: string; scopes: readonly string[] }
  /** Throws not_allowed, or the 404 of a thing that the caller may not even know of. */
  authorize(need: GuardedNeed, input: Record<string, unknown>): Promise<void>
}

/** What of the HTTP request a handler may want for its audit entry. */
export type Origin = { ip: string; userAgent: string; requestId: string }

type Http = { request: FastifyRequest; reply: FastifyReply }
type Run = (input: never, caller: Caller | undefined, http: Http) => Promise<unknown>
export type Route = {
  endpoint: Endpoint
  run: Run
  /** What `run` returns is sent as it is. */
  raw: boolean
}

/** Ties a handler to its endpoint. Returns data, so that an app can be assembled, listed and checked. */
export function implement<E extends Endpoint>(
  endpoint: E,
  handler: (input: Parsed<E>, caller: Caller, origin: Origin) => Promise<Output<E>>,
): Route {
  const run: Run = (input, caller, { request }) => {
    if (!caller) throw new Error(`${endpoint.name} is implemented for signed-in callers only`)
    return handler(input, caller, originOf(request))
  }
  return { endpoint, run, raw: false }
}

/** The same for endpoints whose `needs` is 'anyone' or 'internal': there is no caller. */
export function implementOpen<E extends Endpoint>(
  endpoint: E,
  handler: (input: Parsed<E>, origin: Origin) => Promise<Output<E>>,
): Route {
  return {
    endpoint,
    run: (input, _caller, { request }) => handler(input, originOf(request)),
    raw: false,
  }
}

/** The same for answers whose bytes the handler makes itself: it sends them with `reply`, or returns a stream or buffer. */
export function implementRaw<E extends Endpoint>(
  endpoint: E,
  handler: (input: Parsed<E>, caller: Caller | undefined, http: Http) => Promise<unknown>,
): Route {
  return { endpoint, run: handler, raw: true }
}

/** For handlers of raw endpoints, which get the request itself. */
export function originOf(request: FastifyRequest): Origin {
  const userAgent = String(request.headers['user-agent'] ?? '').slice(0, 400)
  const { id: requestId } = request
  // No request that came over a network has this address, so who did it cannot be mistaken.
  if (isLocal(request))
    return { ip: 'local', userAgent: `local administrator ${userAgent}`.trim(), requestId }
  return { ip: request.ip, userAgent, requestId }
}

export type HttpOptions = {
  routes: Route[]
  /** Undefined when the request carries no credentials; throws not_signed_in when it carries bad ones. */
  callerOf: (request: FastifyRequest) => Promise<Caller | undefined>
  internalToken: string
  log: Log
  security: Security
  /** Requests a minute for one account or address, over all endpoints. */
  requestsPerMinute: number
}

/** Builds an app from routes: limit, validate, authorize, run, answer. Every endpoint goes through `serve`. */
export function createApp(options: HttpOptions): FastifyInstance {
  const logger: FastifyBaseLogger = options.log
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: requestId,
    trustProxy: options.security.trustedProxies,
    bodyLimit: 1024 * 1024,
    forceCloseConnections: 'idle',
    // The public metadata API's addresses of lists end in a slash for some tools and in none for others.
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
  })
  limitSlowBodies(app.server)
  trustDoor(app, options.internalToken)
  addErrorHandling(app)
  addBodyParsing(app)
  addSecurity(app, options.security)
  const limit = createRateLimit(options.requestsPerMinute)
  refuseOtherMethods(
    app,
    options.routes.map((route) => route.endpoint),
  )

  const serve = ({ endpoint, run, raw }: Route) => {
    const perEndpoint = endpoint.perMinute ? createRateLimit(endpoint.perMinute) : undefined
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const internal = endpoint.needs === 'internal'
      const atHand = endpoint.local && isOperator(request)
      if (internal && !atHand) {
        checkInternal(request, options.internalToken)
      }
      const caller =
        internal || endpoint.needs === 'anyone' ? undefined : await options.callerOf(request)
      if (!internal) {
        await limit(caller?.userId ?? request.ip)
        await perEndpoint?.(caller?.userId ?? request.ip)
      }
      if (!caller && !internal && endpoint.needs !== 'anyone') throw new ApiError('not_signed_in')
      if (endpoint.sessionOnly && !atHand && caller && caller.kind !== 'session') {
        throw new ApiError('session_required')
      }
      if (endpoint.needs === 'signed-in' && caller?.limits) checkAppScope(endpoint, caller.limits)
      const input = readInput(endpoint, request)
      if (isGuarded(endpoint.needs) && !(atHand && endpoint.needs === 'operator'))
        await caller?.authorize(endpoint.needs, input)
      // The schema that made `input` is the one its handler's type was read from.
      const result = await run(input as never, caller, { request, reply })
      if (raw) return result
      return reply.status(endpoint.status).send(endpoint.returns.parse(result))
    }
  }
  for (const route of options.routes) {
    app.route({
      method: route.endpoint.method,
      url: route.endpoint.path,
      config: { rawBody: route.endpoint.rawBody, form: route.endpoint.form },
      ...(route.endpoint.maxBytes ? { bodyLimit: route.endpoint.maxBytes } : {}),
      handler: serve(route),
    })
  }
  return app
}

const isGuarded = (need: Need): need is GuardedNeed =>
  typeof need === 'object' || need === 'operator'

/** What belongs to the person as a whole is closed to apps, unless the endpoint names the scope that opens it. */
function checkAppScope({ appScope }: Endpoint, { scopes }: { scopes: readonly string[] }): void {
  if (!appScope || !scopes.includes(appScope)) throw new ApiError('insufficient_scope')
}

/** Whoever may enter the platform's folder, and acts as nobody else. */
const isOperator = (request: FastifyRequest): boolean =>
  isLocal(request) && request.headers[actAsHeader] === undefined

function checkInternal(request: FastifyRequest, token: string): void {
  const given = request.headers.authorization
  if (!given?.startsWith('Bearer ') || !sameSecret(given.slice(7), token)) {
    throw new ApiError('not_signed_in')
  }
}
