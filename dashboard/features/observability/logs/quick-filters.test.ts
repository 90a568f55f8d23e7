import { expect, test } from 'vitest'
import { logSources } from '#contract/observability/log-sources'
import { LogFilter } from '#contract/observability/logs'
import {
  choiceIn,
  otherFilters,
  quickFiltersOf,
  valuesIn,
  withChoice,
  withValues,
  type QuickFilter,
} from './quick-filters.ts'
import { fieldsOf } from './sources.ts'

const quick = <Kind extends QuickFilter['kind']>(kind: Kind, label: string) => {
  const found = quickFiltersOf('edge_logs').find((one) => one.label === label)
  if (found?.kind !== kind) throw new Error(`there is no ${kind} ${label}`)
  // Its kind was looked at.
  return found as Extract<QuickFilter, { kind: Kind }>
}
const status = quick('choices', 'Status')
const method = quick('values', 'Method')
const referer: LogFilter = { field: 'request.headers.referer', op: 'is', values: ['a'] }

test('every filter of the tool bar is about a field that its source writes, and the server takes it', () => {
  for (const source of logSources)
    for (const one of quickFiltersOf(source)) {
      const filters =
        one.kind === 'choices'
          ? one.choices.flatMap((choice) => choice.filters)
          : withValues(one, [], one.values)
      const known = fieldsOf(source).map(({ key }) => key)
      expect(filters.filter(({ field }) => !known.includes(field))).toEqual([])
      for (const filter of filters) expect(LogFilter.safeParse(filter).success).toBe(true)
    }
})

test('another choice takes the place of the one before, and nothing else goes', () => {
  const errors = withChoice(status, [referer], 'errors')
  expect(choiceIn(status, errors)?.id).toBe('errors')
  const client = withChoice(status, errors, '4xx')
  // What is at least 400 stands in both; the one that says more is meant.
  expect(choiceIn(status, client)?.id).toBe('4xx')
  expect(withChoice(status, client, undefined)).toEqual([referer])
})

test('values of one field are one filter', () => {
  const some = withValues(method, [referer], ['GET', 'HEAD'])
  expect(some).toEqual([referer, { field: 'method', op: 'is', values: ['GET', 'HEAD'] }])
  expect(valuesIn(method, some)).toEqual(['GET', 'HEAD'])
  expect(withValues(method, some, [])).toEqual([referer])
})

test('what no button of the bar shows is left for the chips', () => {
  const not: LogFilter = { field: 'method', op: 'is_not', values: ['GET'] }
  const all = withChoice(status, withValues(method, [not, referer], ['PUT']), '5xx')
  expect(otherFilters(quickFiltersOf('edge_logs'), all)).toEqual([not, referer])
})
