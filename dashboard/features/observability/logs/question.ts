import type { LogSource } from '#contract/observability/log-sources'
import { logLimits, type LogFilter, type LogRange } from '#contract/observability/logs'
import {
  flag,
  oneOf,
  searchParams,
  text,
  texts,
  type Param,
  type SearchOf,
} from '../../../session/search-params.ts'
import { choiceOf, presetIds, type Range } from '../../../modules/logs/range.ts'
import type { LogFieldInfo } from './sources.ts'

export type FilterOp = LogFilter['op']
export const filterOps = ['is', 'is_not', 'contains', 'at_least', 'at_most'] as const

/** As people read them. */
export const opNames: Record<FilterOp, string> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  at_least: 'is at least',
  at_most: 'is at most',
}

export const opsFor = (type: 'string' | 'number' | 'boolean'): readonly FilterOp[] =>
  type === 'number'
    ? ['is', 'is_not', 'at_least', 'at_most']
    : type === 'string'
      ? ['is', 'is_not', 'contains']
      : ['is', 'is_not']

const moment: Param<string> = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined

/** Which entry is open: its time in microseconds and its id. */
const entry: Param<string> = (value) =>
  typeof value === 'string' && /^\d{1,16}\..{1,100}$/.test(value) ? value : undefined

/** What a page of logs keeps in its address. */
export const logParams = searchParams({
  q: text,
  /** The search is a regular expression. */
  pattern: flag,
  range: oneOf(...presetIds),
  from: moment,
  to: moment,
  filter: texts,
  log: entry,
  view: oneOf('json', 'request'),
})
type Read = SearchOf<typeof logParams>
export type LogParams = { [Name in keyof Read]?: Read[Name] | undefined }

/** `status:at_least:500`; several values with commas between them. */
export const filterText = ({ field, op, values }: LogFilter): string =>
  `${field}:${op}:${values.map((value) => encodeURIComponent(value)).join(',')}`

/** The filters that an address has; what is none, or about a field that is not one of these, is left out. */
export function filtersOf(
  fields: readonly LogFieldInfo[],
  written: readonly string[] = [],
): LogFilter[] {
  return written
    .flatMap((one) => {
      const [, key, op, rest] = /^([^:]+):([^:]+):(.+)$/s.exec(one) ?? []
      const field = fields.find((known) => known.key === key)
      const known = filterOps.find((name) => name === op)
      if (!field || !known || rest === undefined) return []
      const values = valuesOf(rest, field.type)
      return values.length > 0 ? [{ field: field.key, op: known, values }] : []
    })
    .slice(0, logLimits.filters)
}

function valuesOf(written: string, type: 'string' | 'number' | 'boolean'): (string | number)[] {
  const values = written.split(',').map(decoded).filter(Boolean).slice(0, 20)
  if (type !== 'number') return values
  return values.map(Number).filter((value) => Number.isFinite(value))
}

/** Anything may stand in an address; what is no encoding stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export const sameFilter = (a: LogFilter, b: LogFilter): boolean => filterText(a) === filterText(b)

export type Question = LogRange & { ref: string }

/** Where a question looks, and what its filters can be about. */
type AskedOf = { sources: readonly LogSource[]; fields: readonly LogFieldInfo[] }

/** What the server is asked for a page's address. `fixed`: filters that the page always has. */
export function questionOf(
  at: { ref: string; scope: AskedOf; fixed?: readonly LogFilter[] | undefined },
  params: LogParams,
  range: Range,
): Question {
  return {
    ref: at.ref,
    sources: [...at.scope.sources],
    ...choiceOf(range),
    filters: [...(at.fixed ?? []), ...filtersOf(at.scope.fields, params.filter)],
    search: (params.q ?? '').slice(0, logLimits.searchLength),
    is_pattern: params.pattern === true,
  }
}

/** What of an address makes another question. */
export const questionKey = ({ q, pattern, range, from, to, filter }: LogParams): string =>
  JSON.stringify([q, pattern, range, from, to, filter])

/** How an entry is named in the address. */
export const entryKey = ({ timestamp, id }: { timestamp: number; id: string }): string =>
  `${timestamp}.${id}`

export function entryOf(key: string): { timestamp: number; id: string } {
  const dot = key.indexOf('.')
  return { timestamp: Number(key.slice(0, dot)), id: key.slice(dot + 1) }
}
