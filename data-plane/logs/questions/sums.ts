import {
  logLimits,
  type FacetsQuestion,
  type HistogramQuestion,
  type LogFacets,
  type LogHistogram,
} from '#contract/observability/logs'
import type { Row, Statement } from '../engine/protocol.ts'
import type { Span } from '../files/days.ts'
import type { Source } from '../files/listing.ts'
import { createParameters, inSpan, matches } from './conditions.ts'
import { fieldSql } from './fields.ts'
import { filesIn } from './slices.ts'
import { microsOf } from './spans.ts'

/** Microseconds of one bar, of whole milliseconds, so that no more bars than asked for cover the range. */
function stepOf({ from, to, bars }: HistogramQuestion): number {
  const range = microsOf(to) - microsOf(from)
  return Math.max(1, Math.ceil(range / 1000 / bars)) * 1000
}

export function histogramStatement(
  question: HistogramQuestion,
  span: Span,
  sources: readonly Source[],
): Statement {
  const parameters = createParameters()
  const bar = `("timestamp" - ${parameters.add(microsOf(question.from))}::bigint) // ${parameters.add(stepOf(question))}::bigint`
  const sql = `select ${bar}, "level", count(*) from entries
    where ${inSpan(parameters, span)} and ${matches(parameters, question)} group by all`
  return { files: filesIn(sources, span), sql, parameters: parameters.values }
}

/** All bars of the range, those without an entry as well. */
export function histogramOf(question: HistogramQuestion, rows: readonly Row[]): LogHistogram {
  const [step, from, to] = [stepOf(question), microsOf(question.from), microsOf(question.to)]
  const count = Math.max(0, Math.ceil((to - from) / step))
  const bars = Array.from({ length: count }, (_, at) => ({
    at: (from + at * step) / 1000,
    info: 0,
    warning: 0,
    error: 0,
  }))
  for (const [at, level, entries] of rows) {
    const bar = bars[Number(at)]
    if (bar) bar[level === 'warning' || level === 'error' ? level : 'info'] += Number(entries)
  }
  return { step: step / 1000, bars }
}

/** One statement for each field. */
export function facetStatements(
  question: FacetsQuestion,
  span: Span,
  sources: readonly Source[],
): Statement[] {
  const files = filesIn(sources, span)
  return question.fields.map((field) => {
    const parameters = createParameters()
    const { text, number, type } = fieldSql(field)
    const value = type === 'number' ? number : text
    const sql = `select ${value} as value, count(*) as entries from entries
      where ${inSpan(parameters, span)} and ${matches(parameters, question)} and ${value} is not null
      group by 1 order by entries desc, value limit ${logLimits.facetValues}`
    return { files, sql, parameters: parameters.values }
  })
}

export function facetsOf({ fields }: FacetsQuestion, results: readonly Row[][]): LogFacets {
  const facets: LogFacets = {}
  for (const [at, field] of fields.entries())
    facets[field] = (results[at] ?? []).map(([value, count]) => ({
      value: typeof value === 'number' ? value : String(value),
      count: Number(count),
    }))
  return facets
}
