import { closest, distance } from 'fastest-levenshtein'
import {
  meteredServices,
  type MeteredMetric,
  type MeteredService,
} from '#contract/billing/usage-metrics'
import type { SqlAnswer, SqlQuestion } from '#contract/observability/logs'
import {
  chartKeys,
  chartOf,
  isChartKey,
  metricsOf,
  type Chart,
  type ChartKey,
  type ChartSource,
  type SampleValue,
} from '#contract/observability/report-charts'
import {
  intervalIds,
  pointsOf,
  reportIntervals,
  reportPoints,
  usualInterval,
  type ReportAnswer,
  type ReportQuestion,
} from '#contract/observability/reports'
import { ApiError } from '#kit/errors'
import { emptyAnswer, filled, highest, spanOf, sum, type Series, type Span } from './answers.ts'
import { databaseAsks, tableOf } from './database-questions.ts'
import { logAsks, mostSeries, type LogAsk } from './log-questions.ts'
import { finestSamples, type SamplePoint, type SampleStore } from './samples-store.ts'

type Counted = { metric: MeteredMetric; point: number; value: number }
export type ReportNeeds = {
  logs: {
    /** @throws ApiError logs_not_kept with the plan that keeps them that long */
    check: (ref: string, from: string) => Promise<void>
    query: (ref: string, question: SqlQuestion) => Promise<SqlAnswer>
  }
  usage: {
    series: (ref: string, metrics: readonly MeteredMetric[], span: Span) => Promise<Counted[]>
    finest: (from: Date, now: Date) => number
  }
  /** The rows of our own SQL. @throws ApiError when the database refuses, or does not answer */
  runSql: (
    ref: string,
    sql: { query: string; login: 'plinth_read_only' },
  ) => Promise<Record<string, unknown>[]>
  /** Whether its server runs now. */
  isRunning: (ref: string) => Promise<boolean>
  /** Whether this installation measures servers. */
  measures: boolean
}
type Deps = ReportNeeds & { store: Pick<SampleStore, 'of'>; now: () => Date }

const near = (name: string, known: readonly string[]): string => {
  const found = closest(name, known)
  return distance(name, found) <= Math.max(2, name.length / 3) ? `. Did you mean "${found}"?` : ''
}

/** @throws ApiError not_found */
export function chartNamed(key: string): ChartKey {
  if (isChartKey(key)) return key
  throw new ApiError('not_found', `There is no chart "${key}"${near(key, chartKeys)}`)
}

/** @throws ApiError invalid_input */
export function servicesOf(chart: Chart, names: string | undefined): readonly MeteredService[] {
  const own = chart.source.from === 'logs' ? chart.source.services : undefined
  if (names === undefined) return own ?? meteredServices
  if (!chart.narrowed)
    throw new ApiError('invalid_input', 'services: This chart cannot be narrowed to services')
  return names.split(',').map((name) => {
    const known = meteredServices.find((service) => service === name)
    if (known) return known
    const words = `services: There is no service "${name}"${near(name, meteredServices)}`
    throw new ApiError('invalid_input', words)
  })
}

/** Which points are drawn. `finest`: seconds of the finest that there are. @throws ApiError invalid_input */
export function spanAsked(
  { from, to, interval }: Pick<ReportQuestion, 'from' | 'to' | 'interval'>,
  finest: number,
  now: Date,
): Span {
  const [begin, end] = [Date.parse(from), Math.min(Date.parse(to), now.getTime())]
  const ms = end - begin
  if (!(ms > 0)) throw new ApiError('invalid_input', 'to: The end must be after the beginning')
  if (interval && pointsOf(ms, interval) > reportPoints.most) {
    const enough = intervalIds.find((id) => pointsOf(ms, id) <= reportPoints.most)
    const words = enough ? `interval: At least ${enough} for this range` : 'from: Too long a range'
    throw new ApiError('invalid_input', words)
  }
  const wanted = reportIntervals[interval ?? usualInterval(ms)]
  const seconds =
    intervalIds.map((id) => reportIntervals[id]).find((each) => each >= Math.max(wanted, finest)) ??
    reportIntervals['1d']
  return spanOf(new Date(begin), new Date(end), seconds)
}

const sampleNames: Record<SampleValue, string> = {
  cpu: 'Average',
  cpu_max: 'Highest minute',
  memory_bytes: 'Memory',
  connections: 'Connections',
  database_bytes: 'Databases',
  other_bytes: 'Write-ahead log',
  read_bytes: 'Read',
  written_bytes: 'Written',
  restarts: 'Restarts',
}
const serviceNames: Record<MeteredService, string> = {
  rest: 'REST',
  graphql: 'GraphQL',
  auth: 'Auth',
  storage: 'Storage',
  functions: 'Functions',
  realtime: 'Realtime',
}
/** By the service that they are of; those of no service by their own words. */
function metricName(metric: MeteredMetric): string {
  const service = meteredServices.find((one) => metric.endsWith(`_${one}`))
  if (service) return serviceNames[service]
  const own: Partial<Record<MeteredMetric, string>> = {
    egress_database: 'Database',
    egress_cached: 'Cached',
    function_invocations: 'Invocations',
    realtime_messages: 'Messages',
    realtime_connections: 'Connected',
    database_connections: 'Connections',
  }
  return own[metric] ?? metric
}

const measured = (values: (number | null)[], summary: Chart['summary']): number | null =>
  summary === 'sum' ? sum(values) : summary === 'highest' ? highest(values) : null

/** The figures of projects, chart by chart. */
export function createReports({ logs, usage, runSql, isRunning, measures, store, now }: Deps) {
  async function counted(
    ref: string,
    metrics: readonly MeteredMetric[],
    chart: Chart,
    span: Span,
  ): Promise<ReportAnswer> {
    const found = await usage.series(ref, metrics, span)
    const series = metrics.map((metric): Series => {
      const own = found.filter((one) => one.metric === metric)
      const values = filled(
        span,
        own.map(({ point, value }) => [point, value] as const),
        0,
      )
      return { name: metricName(metric), values, summary: measured(values, chart.summary) }
    })
    return { ...emptyAnswer(span), series }
  }

  async function sampled(
    ref: string,
    names: readonly SampleValue[],
    chart: Chart,
    span: Span,
  ): Promise<ReportAnswer> {
    if (!measures)
      return {
        ...emptyAnswer(span),
        absent: 'The database server is not part of this installation, which cannot measure it.',
      }
    const found = await store.of(ref, span)
    const of = (name: SampleValue, point: SamplePoint): number | null => {
      const value = point[name]
      return value !== null && chart.unit === 'percent' ? value * 100 : value
    }
    const series = names.map((name): Series => {
      const values = filled(
        span,
        found.map((point) => [point.point, of(name, point)] as const),
        null,
      )
      return { name: sampleNames[name], values, summary: measured(values, chart.summary) }
    })
    return { ...emptyAnswer(span), series }
  }

  async function asked(
    ref: string,
    source: ChartSource & { from: 'logs' },
    chart: Chart,
    { span, services }: { span: Span; services: readonly MeteredService[] },
  ): Promise<ReportAnswer> {
    const micros = { from: span.from.getTime() * 1000, step: span.seconds * 1_000_000 }
    const ask = logAsks[source.question]({ ...micros, services })
    const question = (sql: string): SqlQuestion => ({
      sql,
      dialect: 'columns',
      from: span.from.toISOString(),
      to: span.to.toISOString(),
    })
    const { rows, cut } = await logs.query(ref, question(ask.sql))
    const answer = { ...emptyAnswer(span), cut }
    if (ask.shape === 'table')
      return { ...answer, at: [], table: { columns: [...ask.columns], rows: rows.map(cells) } }
    if (ask.shape === 'long') return { ...answer, series: longSeries(rows, chart, span) }
    const whole =
      ask.whole === undefined || rows.length === 0
        ? undefined
        : (await logs.query(ref, question(ask.whole))).rows[0]
    return { ...answer, series: wideSeries(ask, rows, whole, { chart, span }) }
  }

  async function ofDatabase(
    ref: string,
    { question }: ChartSource & { from: 'database' },
    span: Span,
  ): Promise<ReportAnswer> {
    const answer = { ...emptyAnswer(span), at: [] }
    // Nobody is woken for a chart.
    if (!(await isRunning(ref)))
      return { ...answer, absent: 'The database is not running. Resume the project to see this.' }
    const ask = databaseAsks[question]
    const rows = await runSql(ref, { query: ask.query, login: 'plinth_read_only' })
    return { ...answer, table: tableOf(ask, rows) }
  }

  return {
    /** @throws ApiError not_found, invalid_input, logs_not_kept, and those of questions about logs */
    async chart(ref: string, asking: ReportQuestion): Promise<ReportAnswer> {
      const key = chartNamed(asking.chart)
      const chart = chartOf(key)
      const services = servicesOf(chart, asking.services)
      const { source } = chart
      const begin = new Date(asking.from)
      const finest =
        source.from === 'usage'
          ? usage.finest(begin, now())
          : source.from === 'samples'
            ? finestSamples(begin, now())
            : 0
      const span = spanAsked(asking, finest, now())
      await logs.check(ref, asking.from)
      switch (source.from) {
        case 'usage':
          return counted(ref, metricsOf(key, services), chart, span)
        case 'samples':
          return sampled(ref, source.values, chart, span)
        case 'logs':
          return asked(ref, source, chart, { span, services })
        case 'database':
          return ofDatabase(ref, source, span)
        default:
          return source satisfies never
      }
    },
  }
}
export type Reports = ReturnType<typeof createReports>

const cells = (row: readonly unknown[]) =>
  row.map((value) => (typeof value === 'string' || typeof value === 'number' ? value : null))
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

function wideSeries(
  { names }: LogAsk & { shape: 'wide' },
  rows: readonly (readonly unknown[])[],
  whole: readonly unknown[] | undefined,
  { chart, span }: { chart: Chart; span: Span },
): Series[] {
  return names.map((name, at) => {
    const values = filled(
      span,
      rows.map((row) => [numberOf(row[0]) ?? -1, numberOf(row[at + 1])] as const),
      chart.summary === 'sum' ? 0 : null,
    )
    const summary =
      chart.summary === 'overall' ? numberOf(whole?.[at + 1]) : measured(values, chart.summary)
    return { name, values, summary }
  })
}

/** Those with the most; what is left over is a series of its own. */
function longSeries(rows: readonly (readonly unknown[])[], chart: Chart, span: Span): Series[] {
  const byName = new Map<string, [number, number][]>()
  for (const [point, name, value] of rows) {
    const label = String(name)
    byName.set(label, [...(byName.get(label) ?? []), [numberOf(point) ?? -1, numberOf(value) ?? 0]])
  }
  const totalOf = (points: readonly [number, number][]) =>
    points.reduce((all, [, value]) => all + value, 0)
  const sorted = [...byName].toSorted(([, a], [, b]) => totalOf(b) - totalOf(a))
  const rest = new Map<number, number>()
  for (const [, points] of sorted.slice(mostSeries))
    for (const [point, value] of points) rest.set(point, (rest.get(point) ?? 0) + value)
  const shown: [string, Iterable<[number, number]>][] = sorted.slice(0, mostSeries)
  if (rest.size > 0) shown.push(['Others', rest])
  return shown.map(([name, points]) => {
    const values = filled(span, points, 0)
    return { name, values, summary: measured(values, chart.summary) }
  })
}
