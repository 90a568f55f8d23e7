import { LogEvent, LostEvents } from '#contract/observability/logs'
import { z } from 'zod'
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

const Rest = z.record(z.string(), z.unknown())
const Gap = LostEvents.pick({ to: true, count: true, reason: true })

/** The gap that a row stands for; undefined when it is an entry. */
export function lostOf(row: Row): LostEvents | undefined {
  if (row[sourceAt] !== lostSource) return undefined
  return { from: Number(row[timestampAt]), ...Gap.parse(parse(row[messageAt])) }
}

export function readRow(row: Row): LogEvent {
  const fields: LogEvent['fields'] = {}
  for (const { name, index } of fieldsAt) {
    const value = row[index]
    if (value !== null && value !== undefined) fields[name] = value
  }
  for (const [path, value] of Object.entries(Rest.safeParse(parse(row[restAt])).data ?? {}))
    if (isPlain(value)) fields[path] = value
  const source = String(row[sourceAt])
  const message = row[messageAt]
  return LogEvent.parse({
    id: String(row[0]),
    timestamp: Number(row[timestampAt]),
    source,
    level: row[levelAt],
    event_message: messageOf(source, typeof message === 'string' ? message : null, fields),
    fields,
  })
}

const isPlain = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Undefined: there is none. */
function parse(value: Value | undefined): unknown {
  return typeof value === 'string' ? JSON.parse(value) : undefined
}
