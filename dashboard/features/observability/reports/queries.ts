import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { MeteredService } from '#contract/billing/usage-metrics'
import type { ChartKey } from '#contract/observability/report-charts'
import { reports, type ReportInterval } from '#contract/observability/reports'
import { call } from '../../../api/client.ts'
import { asked } from '../../../modules/logs/asked.ts'
import { choiceOf, type Range } from '../../../modules/logs/range.ts'

export type ChartAsked = {
  projectRef: string
  chart: ChartKey
  range: Range
  interval?: ReportInterval | undefined
  /** Of a chart that can be narrowed; none: all. */
  services?: readonly MeteredService[] | undefined
}

/** Charts that are asked for at once: what answers questions about logs takes few at a time, for everybody. */
const atOnce = 2
let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** What a chart shows of a range. */
export const chartQuery = ({ projectRef, chart, range, interval, services = [] }: ChartAsked) =>
  queryOptions({
    ...asked,
    queryKey: [reports.chart.name, projectRef, chart, range, interval, services],
    queryFn: ({ signal }) =>
      inTurn(() =>
        call(
          reports.chart,
          {
            ref: projectRef,
            chart,
            ...choiceOf(range),
            ...(interval && { interval }),
            ...(services.length > 0 && { services: services.join(',') }),
          },
          { signal },
        ),
      ),
    placeholderData: keepPreviousData,
  })
