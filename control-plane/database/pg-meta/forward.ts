import type { FastifyReply, FastifyRequest } from 'fastify'
import { forwardCall } from '#kit/http/forward'
import type { DataPlane, Login } from '../../data-plane/client.ts'

const passedOn = ['x-pg-application-name', 'accept'] as const

/** Sends an authorized metadata call on to the data plane. A caller who goes away cancels the query. */
export async function forward(
  dataPlane: DataPlane,
  { login, by }: { login: Login; by: string | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const path = request.url.replace(/^\/platform\/pg-meta\//, '/internal/pg-meta/')
  const { url, headers } = dataPlane.onward(path, {
    'x-plinth-login': login,
    ...(by === undefined ? {} : { 'x-plinth-caller': encodeURIComponent(by) }),
  })
  for (const name of passedOn) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return forwardCall(url, headers, request, reply)
}
