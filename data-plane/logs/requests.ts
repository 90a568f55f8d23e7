import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LogLevel } from '#contract/observability/log-sources'
import type { Noted } from './logs.ts'
import { redactSearch, redactUrl } from './redact.ts'

export const levelOfStatus = (status: number): LogLevel =>
  status >= 500 ? 'error' : status >= 400 ? 'warning' : 'info'

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
/** Of a Content-Length; undefined where there is none. */
const bytes = (value: unknown): number | undefined => {
  const number = typeof value === 'number' ? value : Number(text(value) ?? Number.NaN)
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}
/** Milliseconds to a thousandth. */
const exact = (ms: number) => Math.round(ms * 1000) / 1000

type Columns = NonNullable<Noted['columns']>
/**
 * What a request and its answer were, in the columns that several sources share. The address is a project's own: with
 * projects told apart by a path, its ref is not part of it.
 */
export function requestColumns(request: FastifyRequest, reply: FastifyReply): Columns {
  const { headers, method, url, id, ip } = request
  const query = url.indexOf('?')
  const path = query < 0 ? url : url.slice(0, query)
  const search = query < 0 ? '' : url.slice(query)
  const columns: Columns = {
    request_id: id,
    method,
    path: path.slice(path.indexOf('/', 1)),
    status: reply.statusCode,
    duration: exact(reply.elapsedTime),
    address: ip,
  }
  if (search !== '') columns.search = redactSearch(search)
  const agent = text(headers['user-agent'])
  if (agent !== undefined) columns.user_agent = agent
  const asked = bytes(headers['content-length'])
  if (asked !== undefined) columns.request_bytes = asked
  const answered = bytes(reply.getHeader('content-length'))
  if (answered !== undefined) columns.response_bytes = answered
  return columns
}

/** As callers send it who follow a request through several systems. It is kept, and nothing is decided by it. */
const traceIdOf = (header: unknown) =>
  typeof header === 'string' ? /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(header)?.[1] : undefined

/** Which read replica has answered, as the data API says it. */
const replicaOf = (reply: FastifyReply) => {
  const source = text(reply.getHeader('x-plinth-read-from'))
  return source === 'primary' ? undefined : source
}

/** The entry of the API gateway. Its message is put together from the columns when somebody reads it. */
export function edgeEntry(request: FastifyRequest, reply: FastifyReply): Noted {
  const { headers } = request
  const columns = requestColumns(request, reply)
  const host = text(headers.host)
  if (host !== undefined) columns.host = host
  const cached = text(reply.getHeader('cf-cache-status'))
  if (cached !== undefined) columns.cache_status = cached
  const referer = text(headers.referer)
  // Anybody can send these headers; a proxy that is trusted replaces what came from outside.
  const isProxied = request.ip !== request.socket.remoteAddress
  return {
    level: levelOfStatus(reply.statusCode),
    message: '',
    columns,
    rest: {
      load_balancer_redirect_identifier: replicaOf(reply),
      'request.protocol': request.protocol,
      'request.trace_id': traceIdOf(headers.traceparent),
      'request.headers.referer': referer && redactUrl(referer),
      'request.headers.x_client_info': text(headers['x-client-info']),
      'response.headers.content_type': text(reply.getHeader('content-type')),
      'request.cf.country': isProxied ? text(headers['cf-ipcountry']) : undefined,
      'request.headers.cf_ray': isProxied ? text(headers['cf-ray']) : undefined,
    },
  }
}
