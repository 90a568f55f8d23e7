import type { Readable } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from './answers/answer.ts'
import { limitBodies } from './requests/body-limit.ts'
import { collectBody } from './requests/collect-body.ts'
import type { Identity } from './requests/incoming.ts'
import type { OtherAnswer } from './requests/other-answers.ts'
import { Problem } from './answers/problem.ts'
import { badMethod, serve, type Rest } from './rest.ts'
import { startStopwatch } from './requests/timing.ts'

/** A project as the data API sees it. */
export type RestTenant = { rest: Rest; target: string }

type Options = {
  tenantOf(request: FastifyRequest): RestTenant
  /** Who the request runs as. @throws Problem with status 401 */
  identityOf(request: FastifyRequest): Identity
  /** The function whose calls another service answers. */
  otherOf?(request: FastifyRequest): OtherAnswer
  /** The database's log is to say of which request each entry is. */
  namesRequests?: boolean
  /** Bytes of the largest body. */
  bodyLimit?: number
  /** The same for whoever shows no more than the public key; as for everybody else unless told. */
  anonymousBodyLimit?: number
}

/** Mounts the data API on a scope that the gateway guards. Bodies come as bytes: only the database reads their values. */
export function restRoutes(app: FastifyInstance, options: Options): void {
  const {
    tenantOf,
    identityOf,
    namesRequests = false,
    bodyLimit = 32 * 1024 * 1024,
    anonymousBodyLimit,
  } = options
  app.removeAllContentTypeParsers()
  limitBodies(app, (request) =>
    anonymousBodyLimit !== undefined && identityOf(request).role === 'anon'
      ? anonymousBodyLimit
      : bodyLimit,
  )
  app.addContentTypeParser('*', (_request: FastifyRequest, payload: Readable) =>
    collectBody(payload),
  )

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { rest, target } = tenantOf(request)
    // The parser above makes every body a Buffer; a request without one has none.
    const body = request.body as Buffer | undefined
    const { method, headers } = request
    const requestId = namesRequests ? request.id : undefined
    const incoming = { method, target, headers, body, requestId }
    const watch = startStopwatch()
    const identity = identityOf(request)
    watch.lap('jwt')
    return send(reply, await serve(rest, incoming, identity, watch, options.otherOf?.(request)))
  }

  // Behind a prefix the root has two spellings.
  for (const url of app.prefix === '' ? ['/*'] : ['', '/*']) app.all(url, handle)
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const problem = error instanceof Problem ? error : refusalOf(error)
    if (problem) return sendProblem(reply, problem)
    request.log.error({ err: error, requestId: request.id }, 'A request of the data API failed')
    return sendProblem(reply, new Problem(500, 'PGRSTX00', 'Something went wrong on our side'))
  })
}

/** For requests that match no route because of their verb. */
export const sendBadMethod = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendProblem(reply, badMethod(request.method))

function send(reply: FastifyReply, { status, headers, body }: Answer): FastifyReply {
  void reply.status(status).headers(headers)
  if (body !== undefined) return reply.send(apart(headers, body))
  // Created without a body has the length 0; No Content has neither length nor type (contract §2).
  if (status !== 204) void reply.header('content-length', '0')
  return reply.send()
}

/**
 * Node writes headers and a body that is text as one text in UTF-8, which spells the bytes of names in headers a second
 * time. Beside a body of bytes they stay as they are.
 */
const apart = (headers: Answer['headers'], body: string | Buffer): string | Buffer =>
  Object.values(headers)
    .flat()
    .some((value) => /[\x80-\xff]/.test(value))
    ? Buffer.from(body)
    : body

function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply
    .status(problem.status)
    .headers({
      'content-type': 'application/json; charset=utf-8',
      'proxy-status': `PostgREST; error=${problem.code}`,
      ...problem.headers,
    })
    .send(problem.body())
}

/** Fastify's own refusals: body too large, length that does not agree, unreadable content type. */
function refusalOf(error: FastifyError): Problem | undefined {
  const status = error.statusCode ?? 500
  return status >= 400 && status < 500 ? new Problem(status, 'PGRST102', error.message) : undefined
}
