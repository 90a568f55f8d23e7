import type { LogCursor, LogEvent, LogPage, PageQuestion } from '#contract/observability/logs'
import type { Span } from '../files/days.ts'
import type { Source } from '../files/listing.ts'
import type { Ask, Row, Statement } from '../engine/protocol.ts'
import {
  createParameters,
  inSpan,
  matches,
  patternOf,
  type Asked,
  type Parameters,
} from './conditions.ts'
import { eventColumns, lostOf, readRow } from './rows.ts'
import { slicesOf, type Slice } from './slices.ts'

type Statements = Omit<Ask, 'kind' | 'id' | 'maxBytes'>

/** What is to be run for a page; one row more than it has says whether there is another page. */
export function pageStatements(
  question: Asked<PageQuestion>,
  span: Span,
  sources: readonly Source[],
): Statements {
  const { cursor, direction, limit } = question
  const slices = slicesOf(sources, beyond(span, cursor, direction), direction)
  return {
    statements: slices.map((slice) => statementOf(question, slice)),
    enough: limit + 1,
    ...patternOf(question),
  }
}

/** What is left of a span behind a cursor: the entries of its own microsecond are told apart by their ids. */
function beyond(span: Span, cursor: LogCursor | undefined, direction: 'older' | 'newer'): Span {
  if (!cursor) return span
  return direction === 'older'
    ? { from: span.from, to: Math.min(span.to, cursor.timestamp + 1) }
    : { from: Math.max(span.from, cursor.timestamp), to: span.to }
}

function statementOf(question: Asked<PageQuestion>, { span, files }: Slice): Statement {
  const parameters = createParameters()
  const order = question.direction === 'older' ? 'desc' : 'asc'
  const conditions = [
    inSpan(parameters, span),
    ...(question.cursor ? [behind(parameters, question.cursor, question.direction)] : []),
    // What was lost is part of a log, whatever is looked for in it.
    `("source" = 'lost' or (${matches(parameters, question)}))`,
  ]
  const sql = `select ${eventColumns} from entries where ${conditions.join(' and ')}
    order by "timestamp" ${order}, "id" ${order} limit ${question.limit + 1}`
  return { files, sql, parameters: parameters.values }
}

function behind(
  parameters: Parameters,
  { timestamp, id }: LogCursor,
  direction: 'older' | 'newer',
): string {
  const sign = direction === 'older' ? '<' : '>'
  const at = `${parameters.add(timestamp)}::bigint`
  return `("timestamp" ${sign} ${at} or ("timestamp" = ${at} and "id" ${sign} ${parameters.add(id)}))`
}

/** The page from the rows of its slices, which follow each other. `cut`: there would have been more. */
export function pageOf(
  question: PageQuestion,
  { results, cut }: { results: Row[][]; cut: boolean },
): LogPage {
  // An entry that was handed over twice stands beside itself.
  const rows = results.flat().filter((row, at, all) => !isSame(row, all[at - 1]))
  const shown = rows.slice(0, question.limit)
  const events: LogEvent[] = []
  const lost: LogPage['lost'] = []
  for (const row of shown) {
    const gap = lostOf(row)
    const event = readRow(row)
    if (gap) lost.push(gap)
    else if (event) events.push(event)
  }
  const last = shown.at(-1)
  const next = (rows.length > shown.length || cut) && last ? { next: cursorOf(last) } : {}
  return { events, lost, ...next }
}

const isSame = (a: Row, b: Row | undefined) => b !== undefined && a[0] === b[0] && a[1] === b[1]
const cursorOf = ([id, timestamp]: Row): LogCursor => ({
  id: String(id),
  timestamp: Number(timestamp),
})
