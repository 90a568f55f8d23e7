import type { LogLevel } from '#contract/observability/log-sources'
import {
  serviceOf,
  type DrainBatch,
  type DrainEvent,
  type MakeDestination,
} from '../drain-event.ts'
import { bytesField, doubleField, fixed64Field, varintField } from './protobuf.ts'

const severities: Record<LogLevel, { text: string; number: number }> = {
  debug: { text: 'DEBUG', number: 5 },
  info: { text: 'INFO', number: 9 },
  warning: { text: 'WARN', number: 13 },
  error: { text: 'ERROR', number: 17 },
}
const logs = '/v1/logs'

/** The protocol of OpenTelemetry over HTTP: a resource for each service, with its entries. */
export const otlp: MakeDestination<'otlp'> = ({ endpoint, gzip, headers }) => {
  const base = endpoint.replace(/\/+$/, '')
  return {
    request: ({ owner, events, now }) => {
      const services = new Map<string, DrainEvent[]>()
      for (const event of events) {
        const name = serviceOf(event)
        services.set(name, [...(services.get(name) ?? []), event])
      }
      // ExportLogsServiceRequest
      const resources = [...services].map(([name, ofService]) =>
        bytesField(1, resourceLogs(name, owner, ofService, now)),
      )
      return {
        url: base.endsWith(logs) ? base : base + logs,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-protobuf' },
        body: Buffer.concat(resources),
        gzip,
      }
    },
  }
}

function resourceLogs(
  service: string,
  { kind, name }: DrainBatch['owner'],
  events: readonly DrainEvent[],
  now: number,
): Buffer {
  const resource = Buffer.concat([
    keyValue(1, 'service.name', service),
    keyValue(1, `plinth.${kind}`, name),
  ])
  const scope = bytesField(1, 'plinth')
  const records = events.map((event) => bytesField(2, logRecord(event, now)))
  const scopeLogs = Buffer.concat([bytesField(1, scope), ...records])
  return Buffer.concat([bytesField(1, resource), bytesField(2, scopeLogs)])
}

function logRecord(event: DrainEvent, now: number): Buffer {
  const { text, number } = severities[event.level]
  const { id, source, request_id: request, trace_id: trace } = event
  const all = {
    id,
    source,
    ...(request !== undefined && { request_id: request }),
    ...event.attributes,
  }
  return Buffer.concat([
    fixed64Field(1, BigInt(event.timestamp) * 1000n),
    varintField(2, number),
    bytesField(3, text),
    bytesField(5, anyValue(event.event_message)),
    ...Object.entries(all).flatMap(([key, value]) =>
      value === undefined || value === null ? [] : [keyValue(6, key, value)],
    ),
    ...(trace === undefined ? [] : [bytesField(9, Buffer.from(trace, 'hex'))]),
    fixed64Field(11, BigInt(now) * 1_000_000n),
  ])
}

const keyValue = (field: number, key: string, value: unknown): Buffer =>
  bytesField(field, Buffer.concat([bytesField(1, key), bytesField(2, anyValue(value))]))

function anyValue(value: unknown): Buffer {
  if (typeof value === 'string') return bytesField(1, value)
  if (typeof value === 'boolean') return varintField(2, value ? 1 : 0)
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? varintField(3, value) : doubleField(4, value)
  if (Array.isArray(value))
    return bytesField(5, Buffer.concat(value.map((each) => bytesField(1, anyValue(each)))))
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([key, each]) => keyValue(1, key, each))
    return bytesField(6, Buffer.concat(pairs))
  }
  return Buffer.alloc(0)
}
