import type { ReactNode } from 'react'
import {
  logSourceTable,
  type LogColumn,
  type LogLevel,
  type LogSource,
} from '#contract/observability/log-sources'
import type { LogEvent } from '#contract/observability/logs'
import { bytesText, timeText } from '../../../ui/text/number.ts'
import { cx } from '../../../ui/cx.ts'

export type LogColumnView = {
  id: string
  head: string
  /** As CSS has widths of a grid; the one that takes what is left is `minmax(0, 1fr)`. */
  width: string
  numeric?: boolean
  /** On a phone it has the second line of an entry for itself. */
  isMain?: boolean
  /** Not on a phone. */
  wideOnly?: boolean
  cell: (event: LogEvent) => ReactNode
}

export const levelNames: Record<LogLevel, string> = {
  debug: 'Debug',
  info: 'Info',
  warning: 'Warning',
  error: 'Error',
}

/** A field of an entry as text; empty where it has none. */
export const fieldText = (event: LogEvent, key: LogColumn): string =>
  String(event.fields[key] ?? '')

/** A value as people read it: with its unit where the field has one. */
export function valueText(key: string, value: string | number | boolean): string {
  if (typeof value !== 'number') return String(value)
  if (key === 'duration') return timeText(value)
  if (key === 'request_bytes' || key === 'response_bytes') return bytesText(value)
  return String(value)
}

/** The colour of an HTTP status: of one that failed by whose fault it was. */
export const statusTone = (status: number): string | undefined =>
  status >= 500 ? 'tone-danger' : status >= 400 ? 'tone-warning' : undefined

const rest = 'minmax(0, 1fr)'

const status: LogColumnView = {
  id: 'status',
  head: 'Status',
  width: '48px',
  cell: ({ fields: { status: code } }) => (
    <span className={cx('med', statusTone(Number(code)))}>{code}</span>
  ),
}
const method: LogColumnView = {
  id: 'method',
  head: 'Method',
  width: '64px',
  cell: (event) => fieldText(event, 'method'),
}
const path: LogColumnView = {
  id: 'path',
  head: 'Path',
  width: rest,
  isMain: true,
  cell: (event) => (
    <>
      {fieldText(event, 'path') || event.event_message}
      <span className="faint">{fieldText(event, 'search')}</span>
    </>
  ),
}
const duration: LogColumnView = {
  id: 'duration',
  head: 'Duration',
  width: '80px',
  numeric: true,
  cell: ({ fields }) =>
    typeof fields['duration'] === 'number' ? timeText(fields['duration']) : '',
}
const message: LogColumnView = {
  id: 'message',
  head: 'Message',
  width: rest,
  isMain: true,
  cell: ({ event_message: text }) => text,
}
const text = (key: LogColumn, head: string, width: string): LogColumnView => ({
  id: key,
  head,
  width,
  cell: (event) => <span className="ell muted">{fieldText(event, key)}</span>,
})
const wide = (column: LogColumnView): LogColumnView => ({ ...column, wideOnly: true })

const bySource: Partial<Record<LogSource, readonly LogColumnView[]>> = {
  edge_logs: [status, method, path, duration],
  postgres_logs: [text('severity', 'Severity', '80px'), message],
  postgrest_logs: [text('severity', 'Event', '140px'), message],
  auth_logs: [
    status,
    method,
    wide({ ...path, width: 'minmax(80px, 220px)', isMain: false }),
    message,
  ],
  auth_audit_logs: [text('severity', 'Action', '200px'), message],
  storage_logs: [status, method, path, duration],
  realtime_logs: [text('severity', 'Event', '140px'), message],
  function_edge_logs: [status, method, path, duration],
  function_logs: [text('severity', 'Event', '80px'), message],
}

/** What the list shows of a source beside time and level. */
export const columnsOf = (source: LogSource): readonly LogColumnView[] =>
  bySource[source] ?? [message]

/** What a list of several sources shows: requests by their path, all else by what it says. */
export const allColumns: readonly LogColumnView[] = [
  {
    id: 'source',
    head: 'Source',
    width: '138px',
    cell: ({ source }) => <span className="ell muted">{logSourceTable[source].title}</span>,
  },
  status,
  {
    id: 'message',
    head: 'Message',
    width: rest,
    isMain: true,
    cell: (event) =>
      event.fields['path'] === undefined || event.fields['method'] === undefined ? (
        event.event_message
      ) : (
        <>
          {fieldText(event, 'method')} {fieldText(event, 'path')}
          <span className="faint">{fieldText(event, 'search')}</span>
        </>
      ),
  },
]

/** An entry in one line, for lists of several sources. */
export function lineOf(event: LogEvent): string {
  const { method: verb, path: where, status: code } = event.fields
  if (verb !== undefined && where !== undefined) return `${verb} ${where}${code ? ` ${code}` : ''}`
  return event.event_message
}
