import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LogLevel, LogSource } from '#contract/observability/log-sources'
import type { ServerLogEntry } from '#contract/observability/server-log'
import type { FunctionEvent } from '../functions/function-event.ts'
import type { Audited } from '../auth/admin/audit-store.ts'
import type { Noted } from '../logs/logs.ts'
import { redactUrl } from '../logs/redact.ts'
import type { RealtimeEvent } from '../realtime/service.ts'
import type { SchemaEvent } from '../rest/catalog/schema-cache.ts'
import { requestOfName } from '../projects/request-name.ts'
import { levelOfStatus, requestColumns } from '../logs/requests.ts'

/** What the services say of a request, in the words of their own logs. */

export function authEntry(request: FastifyRequest, reply: FastifyReply): Noted {
  const { search: _, user_agent: agent, ...columns } = requestColumns(request, reply)
  const code = reply.getHeader('x-sb-error-code')
  const { referer } = request.headers
  const outcome = typeof code === 'string' ? code : 'request completed'
  return {
    level: levelOfStatus(reply.statusCode),
    message: `${request.method} ${columns.path} ${reply.statusCode}: ${outcome}`,
    columns: { ...columns, ...(agent !== undefined && { user_agent: agent }) },
    rest: {
      error_code: typeof code === 'string' ? code : undefined,
      referer: referer && redactUrl(referer),
    },
  }
}

export const auditEntry = (entry: Audited): Noted => ({
  id: entry.id,
  timestamp: entry.at.getTime() * 1000,
  level: 'info',
  message: `${entry.actor_username || entry.actor_id}: ${entry.action}`,
  columns: { severity: entry.action, user_id: entry.actor_id, address: entry.ip },
  rest: {
    'auth_audit_event.actor_username': entry.actor_username,
    'auth_audit_event.log_type': entry.log_type,
    'auth_audit_event.audit_log_id': entry.id,
  },
})

/**
 * That somebody has signed in, and by which provider: in the log of Auth, which is kept longer than the audit. Undefined for everything else.
 * The first sign-in of a new account is its sign-up.
 */
export function signInEntry({
  action,
  actor_id,
  at,
  log_type,
  traits,
}: Audited): Noted | undefined {
  const provider = traits?.['provider']
  if ((action !== 'login' && action !== 'user_signedup') || typeof provider !== 'string')
    return undefined
  return {
    timestamp: at.getTime() * 1000,
    level: 'info',
    message: `${action === 'login' ? 'Login' : 'Sign-up'} with ${provider}`,
    columns: { user_id: actor_id },
    rest: {
      'auth_event.action': action,
      'auth_event.log_type': log_type,
      'auth_event.traits.provider': provider,
    },
  }
}

/** `/object/public/bucket/a/b.png` and its siblings, the image and the S3 addresses: the bucket, and the file in it. */
const stored =
  /^\/storage\/v1\/(?:s3|(?:object|render\/image)(?:\/(?:public|authenticated|sign|info|upload\/sign|list|list-v2|copy|move))*)\/([^/?]+)(?:\/(.+))?$/

export function storageEntry(request: FastifyRequest, reply: FastifyReply): Noted {
  const columns = requestColumns(request, reply)
  const path = String(columns.path)
  const [, bucket, object] = stored.exec(path) ?? []
  const type = reply.getHeader('content-type')
  return {
    level: levelOfStatus(reply.statusCode),
    message: `${request.method} ${path} ${reply.statusCode}`,
    columns,
    rest: {
      bucket: bucket && decoded(bucket),
      object: object && decoded(object),
      'res.headers.content_type': typeof type === 'string' ? type : undefined,
    },
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const levels: Record<string, LogLevel> = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  warning: 'warning',
  error: 'error',
}

export function functionEntry(event: FunctionEvent): { source: LogSource; noted: Noted } {
  const { id, timestamp, function_id, execution_id, deployment_id, version } = event
  const common = { id, timestamp: timestamp * 1000 }
  const rest = { deployment_id, version: String(version) }
  if (event.kind === 'log') {
    return {
      source: 'function_logs',
      noted: {
        ...common,
        level: levels[event.level] ?? 'info',
        message: event.event_message,
        columns: {
          function_id,
          execution_id,
          severity: event.event_type,
          ...(event.request_id !== undefined && { request_id: event.request_id }),
        },
        rest,
      },
    }
  }
  const url = redactUrl(event.url)
  const query = url.indexOf('?')
  return {
    source: 'function_edge_logs',
    noted: {
      ...common,
      level: levelOfStatus(event.status),
      message: `${event.method} | ${event.status} | ${url}`,
      columns: {
        function_id,
        execution_id,
        method: event.method,
        status: event.status,
        duration: event.execution_time_ms,
        path: query < 0 ? url : url.slice(0, query),
        ...(query >= 0 && { search: url.slice(query) }),
        request_id: event.request_id,
      },
      rest: { ...rest, region: event.region },
    },
  }
}

export const schemaEntry = (event: SchemaEvent): Noted =>
  event.kind === 'loaded'
    ? {
        level: 'info',
        message: `Schema cache loaded: ${event.relations} tables and views, ${event.functions} functions in ${Math.round(event.ms)} ms`,
        columns: { severity: 'schema_loaded', duration: Math.round(event.ms) },
      }
    : {
        level: 'error',
        message: `Schema cache could not be loaded: ${event.reason}`,
        columns: { severity: 'schema_failed' },
      }

const realtimeWords: Record<RealtimeEvent['kind'], string> = {
  connected: 'A client has connected',
  disconnected: 'A client has disconnected',
  refused: 'A connection was refused',
  closed: 'A connection was closed',
  join_refused: 'A channel was refused',
}

export function realtimeEntry({ kind, reason, topic, connected, limit }: RealtimeEvent): Noted {
  const about = [topic, reason].filter((text) => text !== undefined).join(': ')
  return {
    level: kind === 'refused' || kind === 'join_refused' ? 'warning' : 'info',
    message: about === '' ? realtimeWords[kind] : `${realtimeWords[kind]}: ${about}`,
    columns: { severity: kind },
    rest: { 'measurements.connected': connected, 'measurements.limit': limit },
  }
}

const severities: Record<string, LogLevel> = {
  LOG: 'info',
  INFO: 'info',
  NOTICE: 'info',
  WARNING: 'warning',
  ERROR: 'error',
  FATAL: 'error',
  PANIC: 'error',
}

export function serverEntry({
  id,
  timestamp,
  severity,
  message,
  connection_from: address,
  ...fields
}: ServerLogEntry): Noted {
  const requestId = requestOfName(fields.application_name)
  const parsed = Object.entries(fields).map(([name, value]) => [`parsed.${name}`, value] as const)
  return {
    id,
    timestamp,
    level: severities[severity] ?? 'debug',
    message,
    columns: {
      severity,
      ...(address !== undefined && { address }),
      ...(requestId !== undefined && { request_id: requestId }),
    },
    rest: Object.fromEntries(parsed),
  }
}
