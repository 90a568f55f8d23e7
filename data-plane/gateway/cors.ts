import type { FastifyReply, FastifyRequest } from 'fastify'

const methods = 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD'
const exposed = [
  'Content-Encoding',
  'Content-Location',
  'Content-Range',
  'Content-Type',
  'Date',
  'Location',
  'Server',
  'Transfer-Encoding',
  'Range-Unit',
  'X-Request-Id',
  'Retry-After',
  'X-Total-Count',
  'Link',
  'x-sb-error-code',
  'x-plinth-read-from',
].join(', ')
const defaultHeaders =
  'Authorization, Content-Type, Accept, Accept-Language, Content-Language, apikey, x-client-info'

/** Every page may call a project: what protects it are its keys and policies, and no cookie is ever read here. */
export function addCors(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('access-control-allow-origin', '*')
  if (request.headers.origin) void reply.header('access-control-expose-headers', exposed)
}

/** Pages of these origins may call, with what their browser knows of the server; others get no word about it. */
export function addCorsFor(
  origins: readonly string[],
  { headers: { origin } }: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.header('vary', 'Origin')
  if (origin === undefined || !origins.includes(origin)) return
  void reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': exposed,
  })
}

/** True for the question a browser asks before the request itself; it carries no key. */
export const isPreflight = (request: FastifyRequest): boolean =>
  request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined

export function answerPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const asked = request.headers['access-control-request-headers']
  return reply
    .headers({
      'access-control-allow-methods': methods,
      'access-control-allow-headers': asked ? `${defaultHeaders}, ${asked}` : defaultHeaders,
      'access-control-max-age': '86400',
    })
    .status(200)
    .send()
}
