import {
  logLimits,
  type FacetsQuestion,
  type HistogramQuestion,
  type LogFacets,
  type LogFilter,
  type LogHistogram,
} from '#contract/observability/logs'
import type { Row, Statement } from '../engine/protocol.ts'
import type { Span } from '../files/days.ts'
import type { Source } from '../files/listing.ts'
import { createParameters, filterSql, inSpan, matches, type Asked } from './conditions.ts'
import { fieldSql } from './fields.ts'
import { filesIn } from './slices.ts'
import { microsOf } from './spans.ts'

/** Microseconds of one bar, of whole milliseconds, so that no more bars than asked for cover the range. */
function stepOf({ from, to, bars }: HistogramQuestion): number {
  const range = microsOf(to) - microsOf(from)
  return Math.max(1, Math.ceil(range / 1000 / bars)) * 1000
}

export function histogramStatement(
  question: Asked<HistogramQuestion>,
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

/**
 * All fields in one look at the files, because reading them is most of the work. A field that is filtered is counted without its
 * own filters where that is asked for: then what these say of an entry is read with it, and each count leaves its own out.
 */
export function facetsStatement(
  question: Asked<FacetsQuestion>,
  span: Span,
  sources: readonly Source[],
): Statement {
  const parameters = createParameters()
  const fields = fieldsOf(question)
  const isOwn = ({ field }: LogFilter) => question.without_own === true && fields.includes(field)
  const common = question.filters.filter((filter) => !isOwn(filter))
  const own = fields.map((field) => {
    const filters = question.filters.filter((one) => isOwn(one) && one.field === field)
    return filters.map((filter) => filterSql(parameters, filter)).join(' and ')
  })
  const values = fields.map((field, at) => {
    const { text, number, type } = fieldSql(field)
    return `${type === 'number' ? number : text} as v${at}`
  })
  const marks = own.flatMap((condition, at) => (condition ? [`(${condition}) as o${at}`] : []))
  const countOf = (at: number) => {
    const others = own.flatMap((condition, n) => (condition && n !== at ? [`o${n}`] : []))
    return others.length > 0 ? `count(*) filter (where ${others.join(' and ')})` : 'count(*)'
  }
  const all = fields.map((_, at) => at)
  const choice = (of: (at: number) => string) =>
    `case ${all.map((at) => `when grouping(v${at}) = 0 then ${of(at)}`).join(' ')} end`
  const sql = `
    with found as (
      select ${[...values, ...marks].join(', ')} from entries
      where ${inSpan(parameters, span)} and ${matches(parameters, { ...question, filters: common })}
    ), counted as (
      select ${choice(String)} as field, ${choice((at) => `cast(v${at} as varchar)`)} as value,
        ${choice(countOf)} as entries
      from found group by grouping sets (${all.map((at) => `(v${at})`).join(', ')})
    )
    select field, value, entries from counted where value is not null and entries > 0
    qualify row_number() over (partition by field order by entries desc, value) <= ${logLimits.facetValues}
    order by field, entries desc, value`
  return { files: filesIn(sources, span), sql, parameters: parameters.values }
}

const fieldsOf = ({ fields }: FacetsQuestion) => [...new Set(fields)]

export function facetsOf(question: FacetsQuestion, rows: readonly Row[]): LogFacets {
  const fields = fieldsOf(question)
  const facets: LogFacets = Object.fromEntries(fields.map((field) => [field, []]))
  for (const [at, value, count] of rows) {
    const field = fields[Number(at)]
    if (field === undefined) continue
    const text = String(value)
    const isNumber = fieldSql(field).type === 'number'
    facets[field]?.push({ value: isNumber ? Number(text) : text, count: Number(count) })
  }
  return facets
}
