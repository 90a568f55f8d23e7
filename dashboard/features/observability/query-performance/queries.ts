import type { Output } from '#contract/endpoint'
import {
  queryPerformance,
  queryTrends,
  statementSorts,
  type StatementSort,
} from '#contract/observability/query-performance'
import { q, queryClient } from '../../../api/client.ts'
import { databaseQuery } from '../../../session/project/database.ts'
import { textParams, type SearchOf } from '../../../session/search-params.ts'

/** What the address holds: `sort` is the tab, `roles` names with commas, `statement` the one that is open. */
export const performanceParams = textParams('sort', 'q', 'roles', 'calls', 'whose', 'statement')
export type PerformanceFilter = {
  [Name in keyof SearchOf<typeof performanceParams>]?: string | undefined
}
export type StatementList = Output<typeof queryPerformance.list>

/** More than a server counts by default. */
const all = 5000

export const sortOf = ({ sort }: PerformanceFilter): StatementSort =>
  statementSorts.find((known) => known === sort) ?? 'total_time'

export function statementsQuery(ref: string, filter: PerformanceFilter) {
  const { q: search, roles, calls, whose } = filter
  const sort = sortOf(filter)
  return databaseQuery(
    queryPerformance.list,
    {
      ref,
      sort,
      // What is read from disk is what is looked for.
      order: sort === 'cache_hit' ? 'asc' : 'desc',
      limit: all,
      ...(search ? { search } : {}),
      ...(roles ? { roles } : {}),
      ...(Number(calls) > 0 ? { min_calls: Math.trunc(Number(calls)) } : {}),
      ...(whose === 'all' ? { whose: 'all' as const } : {}),
    },
    15_000,
  )
}

export const trendQuery = (ref: string, queryid: string) =>
  q(queryTrends.trend, { ref, queryid }, 60_000)

/** What the routes of the page say of its address, and what they read ahead. */
export const performanceRoute = {
  validateSearch: performanceParams,
  loaderDeps: ({ search }: { search: PerformanceFilter }) => {
    const { statement: _open, ...filter } = search
    return { filter }
  },
  loader: ({ params, deps }: { params: { ref: string }; deps: { filter: PerformanceFilter } }) =>
    void queryClient.prefetchQuery(statementsQuery(params.ref, deps.filter)),
}
