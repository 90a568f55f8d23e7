import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#kit/errors'

export type Forward = { dataPlaneUrl: string; internalToken: string }
export type Login = 'postgres' | 'plinth_read_only'

const passedOn = ['x-pg-application-name', 'accept'] as const

/**
 * Sends an authorized metadata call on to the data plane and its answer back as it comes, so that a large result is
 * never held here. When the caller goes away, the call is given up, which cancels its query.
 */
export async function forward(
  { dataPlaneUrl, internalToken }: Forward,
  { login, by }: { login: Login; by: string | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  const headers = new Headers({
    authorization: `Bearer ${internalToken}`,
    'x-plinth-login': login,
    'x-request-id': request.id,
    ...(by === undefined ? {} : { 'x-plinth-caller': encodeURIComponent(by) }),
  })
  for (const name of passedOn) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const path = request.url.replace(/^\/platform\/pg-meta\//, '/internal/pg-meta/')
  const hasBody = request.body !== undefined && request.body !== null
  if (hasBody) headers.set('content-type', 'application/json')
  const response = await fetch(dataPlaneUrl + path, {
    method: request.method,
    headers,
    signal: gone.signal,
    ...(hasBody ? { body: JSON.stringify(request.body) } : {}),
  }).catch((error: unknown) => {
    if (gone.signal.aborted) return undefined
    request.log.error({ err: error }, 'data plane does not answer')
    throw new ApiError('service_unavailable')
  })
  if (!response) return reply.hijack()
  void reply.status(response.status)
  for (const name of ['content-type', 'retry-after']) {
    const value = response.headers.get(name)
    if (value) void reply.header(name, value)
  }
  // The same stream; two declarations of its type.
  const body = response.body as ReadableStream | null
  return body ? Readable.fromWeb(body) : reply.send()
}
