import { useQuery, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ChartNoAxesColumn } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { MeteredService } from '#contract/billing/usage-metrics'
import { chartOf, type Chart, type ChartKey } from '#contract/observability/report-charts'
import { reports, type ReportAnswer, type ReportInterval } from '#contract/observability/reports'
import { call } from '../../api/client.ts'
import { asked } from '../logs/asked.ts'
import { LogsFailed } from '../logs/LogsFailed.tsx'
import { before, choiceOf, type Range } from '../logs/range.ts'
import { spanText } from '../logs/log-time.ts'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import {
  changeText,
  headline,
  headlineWords,
  isEmpty,
  sheetOf,
  valueText,
  pointText,
  type Sheet,
} from './figures.ts'
import { ChartTools } from './ChartTools.tsx'
import './report-chart.css'

const ReportPlot = lazy(() => import('./ReportPlot.tsx').then((m) => ({ default: m.ReportPlot })))

type Props = {
  projectRef: string
  chart: ChartKey
  range: Range
  interval?: ReportInterval | undefined
  /** For a chart that can be narrowed; none: all. */
  services?: readonly MeteredService[] | undefined
  /** The same length of time right before is shown too. */
  compare?: boolean | undefined
  onLastHour: () => void
}

/** One chart of a report, by its key and its time: it asks for its figures by itself, and can stand anywhere. */
export function ReportChart(props: Props) {
  const { projectRef, chart: key, range, interval, services, compare = false, onLastHour } = props
  const chart = chartOf(key)
  const isNarrowed = chart.narrowed === true
  const asking = { projectRef, chart: key, interval, services: isNarrowed ? services : undefined }
  const now = useQuery(chartQuery({ ...asking, range }))
  const compares = compare && chart.kind !== 'table'
  const then = useQuery({ ...chartQuery({ ...asking, range: before(range) }), enabled: compares })
  const earlier = compares ? then.data : undefined
  const [isTable, setTable] = useState(false)
  const { data, error } = now
  return (
    <div className={cx('report-chart', now.isPlaceholderData && 'is-stale')} data-chart={key}>
      <Card
        title={chart.title}
        end={
          data && (
            <ChartTools
              {...{ projectRef, chart, chartKey: key, range, data, earlier, isTable }}
              onTable={setTable}
            />
          )
        }
      >
        <p className="t12 muted report-about">{chart.about}.</p>
        {error && !data ? (
          <LogsFailed
            what={chart.title}
            error={error}
            onRetry={() => void now.refetch()}
            onLastHour={onLastHour}
          />
        ) : data ? (
          <Shown
            {...{ chart, data, earlier, range, isTable }}
            thenError={compares ? then.error : null}
          />
        ) : (
          <div className="report-wait">
            <Skeleton width="40%" />
            <span className="skel report-skeleton" aria-hidden />
          </div>
        )}
      </Card>
    </div>
  )
}

type ShownProps = {
  chart: Chart
  data: ReportAnswer
  earlier: ReportAnswer | undefined
  range: Range
  isTable: boolean
  thenError: Error | null
}

function Shown({ chart, data, earlier, range, isTable, thenError }: ShownProps) {
  if (data.absent !== null)
    return (
      <EmptyState icon={ChartNoAxesColumn} title="No figures">
        {data.absent}
      </EmptyState>
    )
  const summary = headline(chart, data)
  const change = earlier && changeText(summary, headline(chart, earlier))
  const sheet = sheetOf(chart, data, earlier)
  const note = data.cut ? (
    <p className="t12 muted">Not everything is shown: choose a shorter time range.</p>
  ) : null
  if (isEmpty(chart, data) && (!earlier || isEmpty(chart, earlier)))
    return (
      <EmptyState icon={ChartNoAxesColumn} title="Nothing in this time range">
        {emptyWords(chart)}
      </EmptyState>
    )
  if (data.table)
    return (
      <>
        <ReportTable {...{ chart, sheet }} interval={data.interval} isSeries={false} />
        {note}
      </>
    )
  const text = summary === null ? undefined : valueText(chart.unit, summary)
  return (
    <>
      <p className="report-figure">
        {text !== undefined && (
          <>
            <b className="tn">{text}</b>{' '}
            <span className="muted">{headlineWords[chart.summary]}</span>
          </>
        )}
        {change !== undefined && <span className="muted"> {change} on the time before</span>}
      </p>
      {thenError && (
        <p className="t12 muted">The time before cannot be shown. {thenError.message}.</p>
      )}
      {isTable && <ReportTable {...{ chart, sheet }} interval={data.interval} isSeries />}
      {/* The picture stays drawn while its table is shown: it can be saved all the same. */}
      <div hidden={isTable}>
        <Suspense fallback={<span className="skel report-skeleton" aria-hidden />}>
          <ReportPlot
            {...{ chart, earlier }}
            answer={data}
            label={`${chart.title}, ${spanText(range.from, range.to)}${text === undefined ? '' : `: ${text} ${headlineWords[chart.summary]}`}`}
          />
        </Suspense>
      </div>
      {note}
    </>
  )
}

const emptyWords = ({ source }: Chart): string =>
  source.from === 'samples'
    ? 'The server is measured once a minute while it runs.'
    : source.from === 'usage'
      ? 'Figures appear here up to two minutes after the project is used.'
      : 'Figures appear here when something happens.'

type ChartAsked = {
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
const chartQuery = ({ projectRef, chart, range, interval, services = [] }: ChartAsked) =>
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

type ReportTableProps = { chart: Chart; sheet: Sheet; interval: number; isSeries: boolean }

/** The figures behind a chart, or those of a chart that is a table. */
function ReportTable({ chart, sheet, interval, isSeries }: ReportTableProps) {
  // The newest first, as people look for it.
  const rows = isSeries ? sheet.rows.toReversed() : sheet.rows
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is to be reached by keyboard
    <section className="report-table" aria-label={`${chart.title}: table`} tabIndex={0}>
      <table className="tbl dense">
        <thead>
          <tr>
            {sheet.columns.map(({ name, unit }) => (
              <th key={name} scope="col" className={unit === 'text' ? undefined : 'num'}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows have no name of their own, and never move
            <tr key={number}>
              {row.map((cell, at) => {
                const { name, unit } = sheet.columns[at] ?? { name: '', unit: 'text' }
                const isTime = isSeries && at === 0 && typeof cell === 'number'
                return (
                  <td key={name} className={unit === 'text' ? 'report-words' : 'num'}>
                    {isTime ? pointText(cell, interval) : valueText(unit, cell)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
