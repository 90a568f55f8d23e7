import type { LogDrainConfigs, LogDrainScope } from '#contract/observability/log-drain-shapes'
import type { LogLevel } from '#contract/observability/log-sources'
import type { LogEvent } from '#contract/observability/logs'
import type { AuditEntry } from '#contract/organizations/audit'

/** An entry as it leaves. Sent again it has the same id. */
export type DrainEvent = {
  id: string
  /** Microseconds since 1970. */
  timestamp: number
  source: string
  level: LogLevel
  event_message: string
  request_id?: string
  /** 32 hexadecimal digits. */
  trace_id?: string
  attributes: Record<string, unknown>
}

/** Entries of one owner that go together. */
export type DrainBatch = {
  /** What its entries are of: the ref of a project, or the id of an organization. */
  owner: { kind: 'project' | 'organization'; name: string }
  /** In the order in which they were written. */
  events: readonly DrainEvent[]
  /** Milliseconds since 1970. */
  now: number
}

export type DrainRequest = {
  url: string
  method: 'POST' | 'PUT'
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer> | string
  /** It is compressed: on its way, which a header says, or for good, as a file. */
  gzip: boolean | 'file'
  /** What has to be said of the body as it is sent. */
  sign?: (body: Uint8Array) => Record<string, string>
  http2?: boolean
}

/** How entries are brought to one kind of place. It only makes requests: who sends them, when and how often is not its matter. */
export type Destination = {
  request(batch: DrainBatch): DrainRequest
  /** Fewer entries of one request than usual. */
  most?: number
}
export type MakeDestination<T extends keyof LogDrainConfigs> = (
  config: LogDrainConfigs[T],
) => Destination

/** An entry of a project's log, or what says that some were lost. */
export type SpoolEvent = Omit<LogEvent, 'source'> & { source: string }

export function drainEvent({ fields, ...event }: SpoolEvent): DrainEvent {
  const { request_id: request, ...attributes } = fields
  const trace = attributes['request.trace_id']
  return {
    ...event,
    ...(typeof request === 'string' && { request_id: request }),
    ...(typeof trace === 'string' && /^[\da-f]{32}$/.test(trace) && { trace_id: trace }),
    attributes,
  }
}

export function auditEvent(entry: AuditEntry): DrainEvent {
  const { id, action, actor, target, change, user_agent: agent, hash } = entry
  return {
    id,
    timestamp: Date.parse(entry.occurred_at) * 1000,
    source: 'organization_audit_logs',
    level: 'info',
    event_message: action.name,
    ...(entry.request_id !== null && { request_id: entry.request_id }),
    attributes: { action, actor, target, change, user_agent: agent, hash },
  }
}

export const ownerOf = (scope: LogDrainScope): DrainBatch['owner'] =>
  scope.of === 'project'
    ? { kind: 'project', name: scope.ref }
    : { kind: 'organization', name: String(scope.id) }

/** `2026-03-10T12:00:00.000001Z`: the six digits that entries have. */
export function isoMicros(micros: number): string {
  const ms = new Date(Math.floor(micros / 1000)).toISOString().slice(0, -1)
  return `${ms}${String(micros % 1000).padStart(3, '0')}Z`
}

/** A service by what it is called where services have names: `edge_logs` are those of `edge`. */
export const serviceOf = ({ source }: DrainEvent): string => source.replace(/_logs$/, '')

/** An entry as an object of JSON, for places that take any. */
export const plainEvent = (event: DrainEvent, { kind, name }: DrainBatch['owner']) => ({
  id: event.id,
  timestamp: isoMicros(event.timestamp),
  source: event.source,
  level: event.level,
  event_message: event.event_message,
  ...(event.request_id !== undefined && { request_id: event.request_id }),
  [kind]: name,
  attributes: event.attributes,
})
