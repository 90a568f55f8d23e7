import { logLevels, logSources } from '#contract/observability/log-sources'
import { LostEvents, lostReasons, type LogEvent } from '#contract/observability/logs'
import { entryColumns, lostSource, type EntryColumn } from '../files/entry-lines.ts'
import type { Row, Value } from '../engine/protocol.ts'
import { messageOf } from './fields.ts'

/** Everything of an entry, in the order in which `readRow` reads it. */
export const eventColumns = entryColumns.map((name) => `"${name}"`).join(', ')

const at = (name: EntryColumn) => entryColumns.indexOf(name)
const [sourceAt, timestampAt, levelAt, messageAt, restAt] = [
  at('source'),
  at('timestamp'),
  at('level'),
  at('message'),
  at('rest'),
]
/** The columns that become fields. */
const fieldsAt = entryColumns
  .map((name, index) => ({ name, index }))
  .filter(({ name, index }) => index > messageAt && name !== 'rest')

const Gap = LostEvents.pick({ to: true, count: true, reason: true })

/** The gap that a row stands for; undefined when it is an entry. */
export function lostOf(row: Row): LostEvents | undefined {
  if (row[sourceAt] !== lostSource) return undefined
  return { from: Number(row[timestampAt]), ...Gap.parse(parse(row[messageAt])) }
}

/** Undefined: a later version has written it, with a source that this one does not know. */
export const readRow = (row: Row): LogEvent | undefined => eventOf(row, parse(row[restAt]) ?? {})

/** An entry of a line, or what says that some were lost, which has a source that nobody may ask for. */
export type LineEvent = Omit<LogEvent, 'source'> & { source: string }

/** The same of a line (`lineOf`, `lostLine`), where `rest` is an object; undefined also for what is no entry. */
export function readLine(line: string): LineEvent | undefined {
  const values = valuesOf(line)
  if (!values) return undefined
  const rest = values[restAt]
  const row = values.map((value) =>
    typeof value === 'string' || typeof value === 'number' ? value : null,
  )
  const gap = lostOf(row)
  if (gap) return gapEvent(String(row[0]), gap)
  return eventOf(row, typeof rest === 'object' && rest !== null ? rest : {})
}

const gapEvent = (id: string, { from, to, count, reason }: LostEvents): LineEvent => ({
  id,
  timestamp: from,
  source: lostSource,
  level: 'warning',
  event_message: `${count === 1 ? '1 entry was' : `${count} entries were`} lost: ${lostReasons[reason]}`,
  fields: { lost: count, until: to, reason },
})

/** Undefined for the first line, which is no list, and for half of a last one. */
function valuesOf(line: string): unknown[] | undefined {
  try {
    const values: unknown = JSON.parse(line)
    return Array.isArray(values) ? values : undefined
  } catch {
    return undefined
  }
}

function eventOf(row: Row, rest: object): LogEvent | undefined {
  const source = logSources.find((name) => name === row[sourceAt])
  if (!source) return undefined
  const fields: LogEvent['fields'] = {}
  for (const { name, index } of fieldsAt) {
    const value = row[index]
    if (value !== null && value !== undefined) fields[name] = value
  }
  for (const [path, value] of Object.entries(rest)) if (isPlain(value)) fields[path] = value
  const message = row[messageAt]
  return {
    id: String(row[0]),
    timestamp: Number(row[timestampAt]),
    source,
    level: logLevels.find((name) => name === row[levelAt]) ?? 'info',
    event_message: messageOf(source, typeof message === 'string' ? message : null, fields),
    fields,
  }
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** The object of a JSON text; undefined where there is none. */
function parse(value: Value | undefined): object | undefined {
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : undefined
  return typeof parsed === 'object' && parsed !== null ? parsed : undefined
}
