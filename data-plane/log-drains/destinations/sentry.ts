import { createHash } from 'node:crypto'
import type { LogLevel } from '#contract/observability/log-sources'
import type { DrainBatch, DrainEvent, MakeDestination } from '../drain-event.ts'

const severities: Record<LogLevel, { level: string; number: number }> = {
  debug: { level: 'debug', number: 5 },
  info: { level: 'info', number: 9 },
  warning: { level: 'warn', number: 13 },
  error: { level: 'error', number: 17 },
}

/** An envelope of one item with all entries. A DSN says where a project is, and has the key that lets in. */
export const sentry: MakeDestination<'sentry'> = ({ dsn }) => {
  const url = new URL(dsn)
  const at = url.pathname.lastIndexOf('/')
  const [path, project] = [url.pathname.slice(0, at), url.pathname.slice(at + 1)]
  const key = decodeURIComponent(url.username)
  return {
    most: 100,
    request: (batch) => {
      const items = batch.events.map((event) => itemOf(event, batch.owner))
      const lines = [
        { sent_at: new Date(batch.now).toISOString() },
        {
          type: 'log',
          item_count: items.length,
          content_type: 'application/vnd.sentry.items.log+json',
        },
        { items },
      ]
      return {
        url: `${url.protocol}//${url.host}${path}/api/${project}/envelope/`,
        method: 'POST',
        headers: {
          'x-sentry-auth': `Sentry sentry_version=7, sentry_client=plinth/1.0, sentry_key=${key}`,
          'content-type': 'application/x-sentry-envelope',
        },
        body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
        gzip: true,
      }
    },
  }
}

function itemOf(event: DrainEvent, { kind, name }: DrainBatch['owner']) {
  const { level, number } = severities[event.level]
  const { id, source, request_id: request } = event
  const all = {
    ...event.attributes,
    id,
    source,
    [kind]: name,
    ...(request !== undefined && { request_id: request }),
  }
  return {
    timestamp: event.timestamp / 1e6,
    trace_id: traceOf(event),
    level,
    severity_number: number,
    body: event.event_message,
    attributes: Object.fromEntries(
      Object.entries(all).flatMap(([field, value]) => {
        const attribute = attributeOf(value)
        return attribute ? [[field, attribute]] : []
      }),
    ),
  }
}

/** Every entry has to be of a trace: entries of one request are of one. */
function traceOf({ trace_id: trace, request_id: request, id }: DrainEvent): string {
  if (trace !== undefined) return trace
  const plain = request?.replaceAll('-', '').toLowerCase() ?? ''
  if (/^[\da-f]{32}$/.test(plain)) return plain
  return createHash('sha256')
    .update(request ?? id)
    .digest('hex')
    .slice(0, 32)
}

function attributeOf(value: unknown): { value: unknown; type: string } | undefined {
  if (typeof value === 'string') return { value, type: 'string' }
  if (typeof value === 'boolean') return { value, type: 'boolean' }
  if (typeof value === 'number')
    return { value, type: Number.isSafeInteger(value) ? 'integer' : 'double' }
  if (typeof value !== 'object' || value === null) return undefined
  return { value: JSON.stringify(value), type: 'string' }
}
