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
import { slotMicros } from '../engine/counts.ts'
import { createParameters, filterSql, matches, type Asked } from './conditions.ts'
import { canTell, countedIn } from './counted.ts'
import { fieldSql } from './fields.ts'
import { microsOf } from './spans.ts'

/**
 * Where the first bar begins and how long each is, in microseconds, so that no more bars than asked for cover the range: of
 * whole milliseconds, or of whole slots where they are longer than one, because entries are counted by these.
 */
function barsOf({ from, to, bars }: HistogramQuestion): { start: number; step: number } {
  const [start, end] = [microsOf(from), microsOf(to)]
  const step = Math.max(1, Math.ceil((end - start) / 1000 / bars)) * 1000
  if (step < slotMicros) return { start, step }
  const slot = Math.floor(start / slotMicros) * slotMicros
  return { start: slot, step: Math.ceil((end - slot) / slotMicros / bars) * slotMicros }
}

export function histogramStatement(
  question: Asked<HistogramQuestion>,
  span: Span,
  sources: readonly Source[],
): Statement {
  const parameters = createParameters()
  const { start, step } = barsOf(question)
  const [first, length] = [parameters.add(start), parameters.add(step)]
  // Shorter bars than slots are made of entries.
  const counted =
    step < slotMicros
      ? sources.map(({ path, kind, span: of }) => ({ path, kind, span: of }))
      : sources
  const { from, number, ...tables } = countedIn(question, span, counted, ['level'])
  const found = from(parameters, {
    columns: () => `("timestamp" - ${first}::bigint) // ${length}::bigint as bar, "level"`,
    where: () => matches(parameters, question),
  })
  const sql = `select bar, "level", ${number} from (${found}) group by all`
  return { ...tables, sql, parameters: parameters.values }
}

/** All bars of the range, those without an entry as well. */
export function histogramOf(question: HistogramQuestion, rows: readonly Row[]): LogHistogram {
  const { start: from, step } = barsOf(question)
  const count = Math.max(0, Math.ceil((microsOf(question.to) - from) / step))
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
 * All fields in one look at the files, because reading them is most of the work; in two where some of the fields are counted
 * already and others have to be read.
 */
export function facetsStatements(
  question: Asked<FacetsQuestion>,
  span: Span,
  sources: readonly Source[],
): Statement[] {
  const fields = fieldsOf(question)
  const numbered = fields.map((field, at) => ({ field, at }))
  const isQuick = ({ field }: { field: string }) => canTell('few', question, [field])
  const parts = sources.some(({ counts }) => counts?.fields === 'few')
    ? [numbered.filter(isQuick), numbered.filter((one) => !isQuick(one))]
    : [numbered]
  return parts
    .filter((part) => part.length > 0)
    .map((part) => facetsStatement(question, part, span, sources))
}

/**
 * A field that is filtered is counted without its own filters where that is asked for: then what these say of an entry is read
 * with it, and each count leaves its own out.
 */
function facetsStatement(
  question: Asked<FacetsQuestion>,
  part: readonly { field: string; at: number }[],
  span: Span,
  sources: readonly Source[],
): Statement {
  const parameters = createParameters()
  const fields = part.map(({ field }) => field)
  const isOwn = ({ field }: LogFilter) => question.without_own === true && fields.includes(field)
  const common = question.filters.filter((filter) => !isOwn(filter))
  const own = part.map(({ field, at }) => {
    const filters = question.filters.filter((one) => isOwn(one) && one.field === field)
    return { at, filters }
  })
  const { from, number, ...tables } = countedIn(question, span, sources, fields)
  const values = part.map(({ field, at }) => {
    const { text, number: value, type } = fieldSql(field)
    return `${type === 'number' ? value : text} as v${at}`
  })
  const found = from(parameters, {
    // What the filters of a field say of an entry has its own values in each table.
    columns: () => {
      const marks = own.flatMap(({ at, filters }) =>
        filters.length > 0
          ? [`(${filters.map((filter) => filterSql(parameters, filter)).join(' and ')}) as o${at}`]
          : [],
      )
      return [...values, ...marks].join(', ')
    },
    where: () => matches(parameters, { ...question, filters: common }),
  })
  const countOf = (at: number) => {
    const others = own.flatMap((one) =>
      one.filters.length > 0 && one.at !== at ? [`o${one.at}`] : [],
    )
    return others.length > 0 ? `${number} filter (where ${others.join(' and ')})` : number
  }
  const choice = (of: (at: number) => string) =>
    `case ${part.map(({ at }) => `when grouping(v${at}) = 0 then ${of(at)}`).join(' ')} end`
  const sql = `
    with found as (${found}), counted as (
      select ${choice(String)} as field, ${choice((at) => `cast(v${at} as varchar)`)} as value,
        ${choice(countOf)} as entries
      from found group by grouping sets (${part.map(({ at }) => `(v${at})`).join(', ')})
    )
    select field, value, entries from counted where value is not null and entries > 0
    qualify row_number() over (partition by field order by entries desc, value) <= ${logLimits.facetValues}
    order by field, entries desc, value`
  return { ...tables, sql, parameters: parameters.values }
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
