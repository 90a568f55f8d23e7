import type { Chart } from '#contract/observability/report-charts'
import type { ReportAnswer, ReportUnit } from '#contract/observability/reports'
import { clockText, dayText } from '../logs/log-time.ts'
import { bytesText, numberText, percentText, timeText } from '../../ui/text/number.ts'

/** A value with its unit, as short as it is understood. */
export function valueText(unit: ReportUnit, value: number | string | null): string {
  if (value === null) return '–'
  if (typeof value === 'string') return value
  switch (unit) {
    case 'bytes':
      return bytesText(value)
    case 'ms':
      return timeText(value)
    case 'percent':
      return percentText(value / 100)
    case 'count':
    case 'text':
      return numberText(value, 1)
    default:
      return unit satisfies never
  }
}

/** When a point begins, in the reader's zone; days where they are enough. */
export const pointText = (at: number, interval: number): string =>
  interval >= 86_400 ? dayText(at) : `${dayText(at)} ${clockText(at)}`

/** What stands beside the title: of what is stacked all together, of lines the one that says most. */
export function headline(chart: Chart, { series }: ReportAnswer): number | null {
  if (chart.summary === 'none') return null
  if (chart.summary === 'sum') return series.reduce((all, { summary }) => all + (summary ?? 0), 0)
  if (chart.summary === 'overall') return series.find(({ name }) => name === 'p95')?.summary ?? null
  return series.reduce<number | null>(
    (most, { summary }) => (summary === null ? most : Math.max(most ?? summary, summary)),
    null,
  )
}
export const headlineWords: Record<Chart['summary'], string> = {
  sum: 'in total',
  highest: 'at most',
  overall: '95th percentile',
  none: '',
}

/** `+12%` against the time before; undefined where there is nothing to hold it against. */
export function changeText(now: number | null, then: number | null): string | undefined {
  if (now === null || then === null || then === 0) return undefined
  const change = Math.round((now / then - 1) * 100)
  return `${change > 0 ? '+' : change < 0 ? '−' : '±'}${numberText(Math.abs(change))}%`
}

/** Nothing that could be drawn. What was measured and is zero is something; a count of nothing is not. */
export const isEmpty = ({ source }: Chart, { series, table }: ReportAnswer): boolean =>
  table
    ? table.rows.length === 0
    : series.every(({ values }) =>
        values.every((value) => value === null || (value === 0 && source.from !== 'samples')),
      )

type Cell = string | number | null
export type Sheet = { columns: { name: string; unit: ReportUnit }[]; rows: Cell[][] }

/** A chart as a table: a row for each point, with the value of the time before beside each. Times are milliseconds. */
export function sheetOf(chart: Chart, answer: ReportAnswer, then?: ReportAnswer): Sheet {
  if (answer.table) return answer.table
  const earlier = then?.series ?? []
  const names = answer.series.map(({ name }) => ({ name, unit: chart.unit }))
  return {
    columns: [
      { name: 'Time', unit: 'text' },
      ...names,
      ...(then ? names.map(({ name, unit }) => ({ name: `${name} before`, unit })) : []),
    ],
    rows: answer.at.map((at, point) => [
      at,
      ...answer.series.map(({ values }) => values[point] ?? null),
      ...(then
        ? answer.series.map(
            ({ name }) => earlier.find((one) => one.name === name)?.values[point] ?? null,
          )
        : []),
    ]),
  }
}

/** As a file has it: times in ISO 8601, numbers as they are, and each head with its unit. */
export const csvRows = (sheet: Sheet, isSeries: boolean): Cell[][] => [
  sheet.columns.map(({ name, unit }) =>
    unit === 'text' || unit === 'count' ? name : `${name} (${unit})`,
  ),
  ...sheet.rows.map((row) =>
    row.map((cell, at) =>
      isSeries && at === 0 && typeof cell === 'number' ? new Date(cell).toISOString() : cell,
    ),
  ),
]

/** The colour of a series by its place. */
export const colourOf = (at: number): `--${string}` =>
  at % 6 === 5 ? '--success-mark' : `--chart-${(at % 6) + 1}`
