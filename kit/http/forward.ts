import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'

/**
 * Sends an authorized call on to another program of ours and its answer back as it comes, so that a large result is never
 * held here. When the caller goes away, the call is given up. `url` is the whole address.
 * @throws ApiError service_unavailable when nobody answers there
 */
export async function forwardCall(
  url: string,
  headers: Headers,
  request: FastifyRequest,
  reply: FastifyReply,
  /** Runs when the call was accepted, before its answer is sent on; what it reads of the answer has to be small. */
  onAccepted?: (answer: Response) => Promise<void>,
): Promise<unknown> {
  const gone = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort()
  })
  headers.set('x-request-id', request.id)
  const hasBody = request.body !== undefined && request.body !== null
  if (hasBody) headers.set('content-type', 'application/json')
  const response = await fetch(url, {
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
  if (response.ok) await onAccepted?.(response.clone())
  void reply.status(response.status)
  for (const name of ['content-type', 'retry-after']) {
    const value = response.headers.get(name)
    if (value) void reply.header(name, value)
  }
  // The same stream; two declarations of its type.
  const body = response.body as ReadableStream | null
  return body ? Readable.fromWeb(body) : reply.send()
}
