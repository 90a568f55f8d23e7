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

/** What a worker is told of a request and where it comes from. */
export function headersOf(request: FastifyRequest): IncomingHttpHeaders {
  const { headers } = request.raw
  const told: IncomingHttpHeaders = {}
  for (const name in headers) {
    if (!isOfConnection.has(name) && !own.has(name)) told[name] = headers[name]
  }
  told['host'] ??= 'localhost'
  told['x-forwarded-for'] = request.ip
  told['x-forwarded-proto'] = request.protocol
  told['x-request-id'] = request.id
  return told
}
