import type { OutgoingHttpHeaders } from 'node:http'
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
export function headersOf(request: FastifyRequest): OutgoingHttpHeaders {
  const { headers } = request.raw
  const told: OutgoingHttpHeaders = {}
  for (const name in headers) {
    if (!isOfConnection.has(name) && !own.has(name)) told[name] = headers[name]
  }
  told['host'] ??= 'localhost'
  told['x-forwarded-for'] = request.ip
  told['x-forwarded-proto'] = request.protocol
  told['x-request-id'] = request.id
  return told
}

/** The same as lines of a request. The values were read from lines, so there are no ends of lines within them. */
export function linesOf(request: FastifyRequest): string {
  const { headers } = request.raw
  let lines = headers.host === undefined ? 'host: localhost\r\n' : ''
  for (const name in headers) {
    if (isOfConnection.has(name) || own.has(name)) continue
    const value = headers[name]
    if (typeof value === 'string') lines += `${name}: ${value}\r\n`
    else for (const each of value ?? []) lines += `${name}: ${each}\r\n`
  }
  return `${lines}x-forwarded-for: ${request.ip}\r\nx-forwarded-proto: ${request.protocol}\r\nx-request-id: ${request.id}\r\n`
}
