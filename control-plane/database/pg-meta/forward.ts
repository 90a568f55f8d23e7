import type { FastifyReply, FastifyRequest } from 'fastify'
import { forwardCall } from '#kit/http/forward'

export type Forward = { dataPlaneUrl: string; internalToken: string }
export type Login = 'postgres' | 'plinth_read_only'

const passedOn = ['x-pg-application-name', 'accept'] as const

/** Sends an authorized metadata call on to the data plane. A caller who goes away cancels the query. */
export async function forward(
  { dataPlaneUrl, internalToken }: Forward,
  { login, by }: { login: Login; by: string | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const headers = new Headers({
    authorization: `Bearer ${internalToken}`,
    'x-plinth-login': login,
    ...(by === undefined ? {} : { 'x-plinth-caller': encodeURIComponent(by) }),
  })
  for (const name of passedOn) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const path = request.url.replace(/^\/platform\/pg-meta\//, '/internal/pg-meta/')
  return forwardCall(dataPlaneUrl + path, headers, request, reply)
}
