import type { MeteredService } from '#contract/billing/usage-metrics'
import {
  countIntervals,
  type ApiCounts,
  type CountInterval,
  type FunctionStats,
} from '#contract/observability/analytics'
import type {
  HistogramQuestion,
  LogHistogram,
  SqlAnswer,
  SqlQuestion,
} from '#contract/observability/logs'
import { ApiError } from '#kit/errors'
import { callsOf, callsQuestion } from './calls-store.ts'

export type AnalyticsNeeds = {
  /** Requests since `from` by service, in bars of so many seconds. */
  requests: (
    ref: string,
    from: Date,
    seconds: number,
  ) => Promise<{ service: MeteredService; bar: number; requests: number }[]>
  query: (ref: string, question: SqlQuestion) => Promise<SqlAnswer>
  histogram: (ref: string, question: HistogramQuestion) => Promise<LogHistogram>
  /** What the workers of a function used since `from`, in bars of so many seconds. */
  loads: (
    ref: string,
    functionId: string,
    from: Date,
    seconds: number,
  ) => Promise<{ bar: number; requests: number; cpu_ms: number; memory_mb: number }[]>
  hasFunction: (ref: string, functionId: string) => Promise<boolean>
  now: () => Date
}

type StatsAsked = { ref: string; interval: CountInterval; function_id: string }

const day = 86_400_000

/** Figures over time, of the requests of a project and of the calls of its functions. */
export function createAnalytics(needs: AnalyticsNeeds) {
  const { requests, query, histogram, loads, hasFunction, now } = needs

  /** Bars begin at whole multiples of their length (UTC), so that they do not move between two looks. */
  function barsOf(interval: CountInterval) {
    const { bars, seconds } = countIntervals[interval]
    const length = seconds * 1000
    const to = (Math.floor(now().getTime() / length) + 1) * length
    const from = to - bars * length
    return { seconds, from, to, starts: Array.from({ length: bars }, (_, n) => from + n * length) }
  }

  return {
    async counts({
      ref,
      interval,
    }: {
      ref: string
      interval: CountInterval
    }): Promise<ApiCounts[]> {
      const { seconds, from, starts } = barsOf(interval)
      const found = await requests(ref, new Date(from), seconds)
      return starts.map((at, bar) => {
        const total = (...services: MeteredService[]) =>
          found
            .filter((one) => one.bar === bar && services.includes(one.service))
            .reduce((sum, one) => sum + one.requests, 0)
        return {
          timestamp: new Date(at).toISOString(),
          total_auth_requests: total('auth'),
          total_realtime_requests: total('realtime'),
          total_rest_requests: total('rest', 'graphql'),
          total_storage_requests: total('storage'),
        }
      })
    },

    /** Of all services, in the 24 hours before now. */
    async total(ref: string): Promise<number> {
      const found = await requests(ref, new Date(now().getTime() - day), day / 1000)
      return found.reduce((sum, one) => sum + one.requests, 0)
    },

    /** @throws ApiError function_not_found, and those of a question to the logs */
    async functionStats({ ref, interval, function_id: id }: StatsAsked): Promise<FunctionStats[]> {
      if (!(await hasFunction(ref, id))) throw new ApiError('function_not_found')
      const { seconds, from, to, starts } = barsOf(interval)
      const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() }
      const called = callsOf((await query(ref, callsQuestion(id, seconds, range))).rows)
      const wrote = await histogram(ref, {
        ...range,
        sources: ['function_logs'],
        filters: [{ field: 'function_id', op: 'is', values: [id] }],
        search: '',
        is_pattern: false,
        bars: starts.length,
      })
      const used = await loads(ref, id, new Date(from), seconds)
      return starts.map((at, bar) => {
        const calls = called.find((one) => one.at === at)
        const output = wrote.bars.find((one) => one.at === at)
        const load = used.find((one) => one.bar === bar)
        const { info = 0, warning = 0, error = 0 } = output ?? {}
        return {
          timestamp: new Date(at).toISOString(),
          requests_count: calls?.requests ?? 0,
          success_count: calls?.success ?? 0,
          redirect_count: calls?.redirect ?? 0,
          client_err_count: calls?.client ?? 0,
          server_err_count: calls?.server ?? 0,
          avg_execution_time: calls?.average ?? null,
          max_execution_time: calls?.longest ?? null,
          log_count: info + warning + error,
          log_info_count: info,
          log_warn_count: warning,
          log_error_count: error,
          avg_cpu_time_used: load && load.requests > 0 ? load.cpu_ms / load.requests : null,
          avg_memory_used: load?.memory_mb || null,
        }
      })
    },
  }
}
