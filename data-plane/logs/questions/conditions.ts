import { isRequestId, logSources } from '#contract/observability/log-sources'
import type { LogFilter, LogRange } from '#contract/observability/logs'
import type { Parameter } from '../engine/protocol.ts'
import { edgeMessage, fieldSql } from './fields.ts'

/** Values of one statement, in the order of their `$1`, `$2`. */
export function createParameters() {
  const values: Parameter[] = []
  return {
    values,
    /** Takes a value and answers with how it is called in the statement. */
    add: (value: Parameter): string => `$${values.push(value)}`,
  }
}
export type Parameters = ReturnType<typeof createParameters>

export function inSpan(parameters: Parameters, { from, to }: { from: number; to: number }): string {
  return `"timestamp" >= ${parameters.add(from)}::bigint and "timestamp" < ${parameters.add(to)}::bigint`
}

/** A question, and since when its asker may see the audit of Auth (`Kept`). */
export type Asked<Question> = Question & { auditSince: number }

/** Everything that a range asks of an entry beside its time. */
export function matches(
  parameters: Parameters,
  range: Asked<Pick<LogRange, 'sources' | 'filters' | 'search' | 'is_pattern'>>,
): string {
  return [
    sourceSql(parameters, range.sources),
    ...(range.sources.includes('auth_audit_logs') ? [auditSql(parameters, range)] : []),
    ...range.filters.map((filter) => filterSql(parameters, filter)),
    ...(range.search === '' ? [] : [searchSql(parameters, range)]),
  ].join(' and ')
}

/** Entries of the audit of Auth are kept for a time of their own. */
export const auditSql = (parameters: Parameters, { auditSince }: { auditSince: number }): string =>
  `("source" <> 'auth_audit_logs' or "timestamp" >= ${parameters.add(auditSince)}::bigint)`

function sourceSql(parameters: Parameters, sources: LogRange['sources']): string {
  const wanted = [...new Set(sources)]
  if (wanted.length === logSources.length) return `"source" <> 'lost'`
  return `"source" in (${wanted.map((source) => parameters.add(source)).join(', ')})`
}

export function filterSql(parameters: Parameters, { field, op, values }: LogFilter): string {
  const { text, number, type } = fieldSql(field)
  if (op === 'at_least' || op === 'at_most') {
    const limit = numberOf(values[0])
    if (limit === undefined) return 'false'
    return `${number} ${op === 'at_least' ? '>=' : '<='} ${parameters.add(limit)}::double`
  }
  if (op === 'contains') {
    const found = values.map((value) => containsSql(text, parameters.add(lower(String(value)))))
    return `(${found.join(' or ')})`
  }
  const same = isAnyOf(parameters, { text, number, type }, values)
  // What has no value is not any of them.
  return op === 'is' ? same : `(${same}) is not true`
}

function isAnyOf(
  parameters: Parameters,
  { text, number, type }: ReturnType<typeof fieldSql>,
  values: LogFilter['values'],
): string {
  if (type !== 'number')
    return `${text} in (${values.map((value) => parameters.add(String(value))).join(', ')})`
  const numbers = values.map(numberOf).filter((value) => value !== undefined)
  if (numbers.length === 0) return 'false'
  return `${number} in (${numbers.map((value) => `${parameters.add(value)}::double`).join(', ')})`
}

function numberOf(value: string | number | undefined): number | undefined {
  if (value === undefined || value === '') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

const lower = (text: string) => text.toLowerCase()
const containsSql = (text: string, parameter: string) => `contains(lower(${text}), ${parameter})`

/** Found in what a person sees of an entry: its message, and its path and search where it has them. */
function searchSql(
  parameters: Parameters,
  { search, is_pattern: isPattern }: Pick<LogRange, 'search' | 'is_pattern'>,
): string {
  const parameter = parameters.add(isPattern ? search : lower(search))
  const found = (text: string) =>
    isPattern ? `regexp_matches(${text}, ${parameter}, 'i')` : containsSql(text, parameter)
  const anywhere = ['"message"', '"path"', '"search"'].map((text) => found(text)).join(' or ')
  // Whoever searches for an ID means the request, which stands in no message.
  const request = !isPattern && isRequestId(search) ? ` or "request_id" = ${parameter}` : ''
  return `(${anywhere} or ("source" = 'edge_logs' and ${found(edgeMessage)})${request})`
}

/** The regular expression of a range, which the engine looks at before it uses it. */
export const patternOf = ({
  search,
  is_pattern: isPattern,
}: Pick<LogRange, 'search' | 'is_pattern'>): { pattern?: string } =>
  isPattern && search !== '' ? { pattern: search } : {}
