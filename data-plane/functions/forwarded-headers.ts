import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** Headers about one connection only (RFC 9110 §7.6.1), by their names in small letters. */
export const isOfConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** What this server has answered already, or says itself. */
const own: ReadonlySet<string> = new Set([
  'expect',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-request-id',
])

/** What a worker gets to know of a request and where it comes from. */
export function headersOf(request: FastifyRequest): IncomingHttpHeaders {
  const { headers } = request.raw
  const forwarded: IncomingHttpHeaders = {}
  for (const name in headers) {
    if (!isOfConnection.has(name) && !own.has(name)) forwarded[name] = headers[name]
  }
  forwarded['host'] ??= 'localhost'
  forwarded['x-forwarded-for'] = request.ip
  forwarded['x-forwarded-proto'] = request.protocol
  forwarded['x-request-id'] = request.id
  return forwarded
}
