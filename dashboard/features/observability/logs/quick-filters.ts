import { logLevels, type LogSource } from '#contract/observability/log-sources'
import type { LogFilter } from '#contract/observability/logs'
import { sameFilter } from './question.ts'

type Choice = { id: string; label: string; filters: readonly LogFilter[] }

/** A filter of the tool bar. `values`: any of the values of one field. `choices`: one of some that are thought out. */
export type QuickFilter =
  | { kind: 'values'; label: string; field: string; values: readonly string[] }
  | { kind: 'choices'; label: string; choices: readonly Choice[] }

const atLeast = (field: string, value: number): LogFilter => ({
  field,
  op: 'at_least',
  values: [value],
})
const between = (field: string, from: number, to: number): readonly LogFilter[] => [
  atLeast(field, from),
  { field, op: 'at_most', values: [to] },
]

const status: QuickFilter = {
  kind: 'choices',
  label: 'Status',
  choices: [
    { id: '2xx', label: '2xx Success', filters: between('status', 200, 299) },
    { id: '3xx', label: '3xx Redirect', filters: between('status', 300, 399) },
    { id: '4xx', label: '4xx Client error', filters: between('status', 400, 499) },
    { id: '5xx', label: '5xx Server error', filters: between('status', 500, 599) },
    { id: 'errors', label: '4xx and 5xx', filters: [atLeast('status', 400)] },
  ],
}
const method: QuickFilter = {
  kind: 'values',
  label: 'Method',
  field: 'method',
  values: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'],
}
const level: QuickFilter = {
  kind: 'values',
  label: 'Level',
  field: 'level',
  values: logLevels.toReversed(),
}
const pathHas = (id: string, label: string, ...parts: string[]): Choice => ({
  id,
  label,
  filters: [{ field: 'path', op: 'contains', values: parts }],
})
/** The services behind the gateway, which paths tell apart. */
const product: QuickFilter = {
  kind: 'choices',
  label: 'Product',
  choices: [
    pathHas('data-api', 'Data API', '/rest/v1', '/graphql/v1'),
    pathHas('auth', 'Auth', '/auth/v1'),
    pathHas('storage', 'Storage', '/storage/v1'),
    pathHas('realtime', 'Realtime', '/realtime/v1'),
    pathHas('functions', 'Edge Functions', '/functions/v1'),
  ],
}
const authEndpoint: QuickFilter = {
  kind: 'choices',
  label: 'Endpoint',
  choices: [
    pathHas('sign-up', 'Sign-up and invitations', '/signup', '/invite', '/verify'),
    pathHas(
      'sign-in',
      'Sign-in',
      '/token',
      '/authorize',
      '/callback',
      '/otp',
      '/magiclink',
      '/passkeys',
    ),
    pathHas('recover', 'Recovery', '/recover'),
    pathHas('user', 'User', '/user'),
    pathHas('logout', 'Sign-out', '/logout'),
    pathHas('admin', 'Admin', '/admin'),
  ],
}
const severity: QuickFilter = {
  kind: 'values',
  label: 'Severity',
  field: 'severity',
  values: ['PANIC', 'FATAL', 'ERROR', 'WARNING', 'NOTICE', 'LOG', 'INFO'],
}

const bySource: Partial<Record<LogSource, readonly QuickFilter[]>> = {
  edge_logs: [status, product, method],
  postgres_logs: [severity],
  auth_logs: [level, status, authEndpoint],
  storage_logs: [status, method],
  function_edge_logs: [status, method],
  function_logs: [level],
}

/** The filters that a source is most often narrowed by. */
export const quickFiltersOf = (source: LogSource): readonly QuickFilter[] =>
  bySource[source] ?? [level]

const has = (filters: readonly LogFilter[], wanted: LogFilter) =>
  filters.some((filter) => sameFilter(filter, wanted))

/** The choice that stands among the filters; of two the one that says more. */
export function choiceIn(
  quick: Extract<QuickFilter, { kind: 'choices' }>,
  filters: readonly LogFilter[],
): Choice | undefined {
  return quick.choices
    .filter((choice) => choice.filters.every((one) => has(filters, one)))
    .toSorted((a, b) => b.filters.length - a.filters.length)[0]
}

const valuesFilter = (field: string, filters: readonly LogFilter[]) =>
  filters.find((filter) => filter.field === field && filter.op === 'is')

/** The values that stand among the filters. */
export const valuesIn = (
  quick: Extract<QuickFilter, { kind: 'values' }>,
  filters: readonly LogFilter[],
): string[] => valuesFilter(quick.field, filters)?.values.map(String) ?? []

/** Those that a quick filter shows as its own. */
function ownOf(quick: QuickFilter, filters: readonly LogFilter[]): readonly LogFilter[] {
  if (quick.kind === 'choices') return choiceIn(quick, filters)?.filters ?? []
  const own = valuesFilter(quick.field, filters)
  return own ? [own] : []
}

const without = (filters: readonly LogFilter[], gone: readonly LogFilter[]) =>
  filters.filter((filter) => !has(gone, filter))

/** The filters that no quick filter shows: they stand as chips. */
export const otherFilters = (
  quick: readonly QuickFilter[],
  filters: readonly LogFilter[],
): readonly LogFilter[] => quick.reduce((left, one) => without(left, ownOf(one, left)), filters)

/** The filters with another choice; undefined: with none. */
export const withChoice = (
  quick: Extract<QuickFilter, { kind: 'choices' }>,
  filters: readonly LogFilter[],
  id: string | undefined,
): LogFilter[] => [
  ...without(filters, ownOf(quick, filters)),
  ...(quick.choices.find((choice) => choice.id === id)?.filters ?? []),
]

/** The filters with these values of a field; none: any. */
export const withValues = (
  quick: Extract<QuickFilter, { kind: 'values' }>,
  filters: readonly LogFilter[],
  values: readonly string[],
): LogFilter[] => [
  ...without(filters, ownOf(quick, filters)),
  ...(values.length > 0 ? [{ field: quick.field, op: 'is' as const, values: [...values] }] : []),
]
