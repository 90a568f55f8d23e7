import type { LogRange } from '#contract/observability/logs'
import { countedBy, slotMicros, type CountedFields } from '../engine/counts.ts'
import type { Statement } from '../engine/protocol.ts'
import type { Span } from '../files/days.ts'
import type { Source } from '../files/listing.ts'
import { inSpan, type Asked, type Parameters } from './conditions.ts'
import { filesIn } from './slices.ts'

type Question = Asked<Pick<LogRange, 'sources' | 'filters' | 'search'>>
/** What a statement selects, and on which conditions besides its time; both are asked for once for each table. */
type Selection = { columns: () => string; where: () => string }
export type Counted = Pick<Statement, 'files' | 'counted'> & {
  /** A table of the columns in SQL. */
  from: (parameters: Parameters, selection: Selection) => string
  /** How many entries stand behind a row of it, summed up. */
  number: string
}

/** Whether counts by these fields can answer a question about `fields`. */
export function canTell(
  by: CountedFields,
  { filters, search }: Pick<Question, 'filters' | 'search'>,
  fields: readonly string[],
): boolean {
  const known = new Set<string>(countedBy[by])
  return (
    search === '' &&
    [...fields, ...filters.map(({ field }) => field)].every((one) => known.has(one))
  )
}

/**
 * Where the numbers of a question come from that counts entries: from what was counted when they were packed, as far as that
 * answers it, and from the entries for everything else. That is files without counts, and what lies in a slot of time
 * that the question does not have the whole of.
 */
export function countedIn(
  question: Question,
  span: Span,
  sources: readonly Source[],
  fields: readonly string[],
): Counted {
  const whole = {
    from: Math.ceil(span.from / slotMicros) * slotMicros,
    to: Math.floor(span.to / slotMicros) * slotMicros,
  }
  const isCounted = ({ counts, span: { from, to } }: Source) =>
    counts !== undefined &&
    canTell(counts.fields, question, fields) &&
    from < whole.to &&
    to > whole.from
  const counted = sources.filter(isCounted)
  if (counted.length === 0)
    return {
      files: filesIn(sources, span),
      from: (parameters, { columns, where }) =>
        `select ${columns()} from entries where ${inSpan(parameters, span)} and ${where()}`,
      number: 'count(*)',
    }
  // The audit of Auth ends within a slot, too.
  const cut = question.sources.includes('auth_audit_logs')
    ? slotAround(question.auditSince, whole)
    : undefined
  const edges = [
    { from: span.from, to: whole.from },
    { from: whole.to, to: span.to },
    ...(cut ? [cut] : []),
  ].filter(({ from, to }) => from < to)
  const edgeFiles = edges.flatMap((edge) => filesIn(counted, edge).packed)
  return {
    files: filesIn(
      sources.filter((source) => !isCounted(source)),
      span,
    ),
    counted: {
      counts: counted.flatMap(({ counts }) => (counts ? [counts.path] : [])),
      edges: [...new Set(edgeFiles)],
    },
    from: (parameters, { columns, where }) => {
      const entries = (table: string, of: Span) =>
        `select ${columns()}, 1::bigint as n from ${table} where ${inSpan(parameters, of)} and ${where()}`
      const without = cut ? ` and "timestamp" <> ${parameters.add(cut.from)}::bigint` : ''
      return [
        entries('entries', span),
        ...edges.map((edge) => entries('edges', edge)),
        `select ${columns()}, n from counts where ${inSpan(parameters, whole)}${without} and ${where()}`,
      ].join(' union all ')
    },
    number: 'sum(n)',
  }
}

/** The slot that a moment cuts in two; undefined: it is at the edge of one, or beyond the span. */
function slotAround(moment: number, { from, to }: Span): Span | undefined {
  const start = Math.floor(moment / slotMicros) * slotMicros
  return moment > start && start >= from && start < to
    ? { from: start, to: start + slotMicros }
    : undefined
}
