import uPlot from 'uplot'
import type { Chart } from '#contract/observability/report-charts'
import type { ReportAnswer } from '#contract/observability/reports'
import type { Drawing, PlotColours } from '../../ui/plot/Plot.tsx'
import { numberText } from '../../ui/text/number.ts'
import { colourOf, valueText } from './figures.ts'

type Values = (number | null)[]
const total = (series: ReportAnswer['series'], point: number): number | null => {
  const values = series.map(({ values: own }) => own[point] ?? null)
  return values.every((value) => value === null)
    ? null
    : values.reduce<number>((all, value) => all + (value ?? 0), 0)
}

/** As uPlot draws it. Bars stand on one another: the sum of all is drawn first, and each smaller sum over it. */
export function drawingOf(
  chart: Chart,
  answer: ReportAnswer,
  then: ReportAnswer | undefined,
  { colour, axis }: PlotColours,
): Drawing {
  const { series, at, interval } = answer
  const x = at.map((ms) => ms / 1000)
  const isStacked = chart.kind === 'bars'
  const shown = series.map(({ name, values }, place) => ({ name, values, place }))
  const drawn: { values: Values; options: uPlot.Series }[] = isStacked
    ? shown.toReversed().map(({ values, name, place }) => ({
        values: values.map((_, point) => total(series.slice(0, place + 1), point)),
        options: {
          label: name,
          fill: colour(colourOf(place)),
          stroke: colour(colourOf(place)),
          width: 0,
          paths: bars,
          points: { show: false },
          value: (_, __, ___, point) => said(chart, values, point),
        },
      }))
    : shown.map(({ values, name, place }) => ({
        values,
        options: {
          label: name,
          stroke: colour(colourOf(place)),
          width: 2,
          points: { show: lonePoints(values) },
          value: (_, __, ___, point) => said(chart, values, point),
        },
      }))
  for (const { name, values } of beforeOf(chart, answer, then))
    drawn.push({
      values,
      options: {
        label: name,
        stroke: colour('--text-muted'),
        width: 1,
        dash: [5, 4],
        points: { show: false },
        value: (_, __, ___, point) => said(chart, values, point),
      },
    })
  return {
    options: {
      scales: {
        x: {
          time: true,
          range: () => [
            (x[0] ?? 0) - (isStacked ? interval / 2 : 0),
            (x.at(-1) ?? 0) + interval / 2,
          ],
        },
        y: { range: (_, __, most) => [0, most > 0 ? most * 1.08 : 1] },
      },
      cursor: { points: { size: 7 }, drag: { x: false, y: false } },
      axes: [
        { ...axis, values: times },
        {
          ...axis,
          size: 64,
          // Steps that are whole numbers of the unit in which they are said.
          ...(chart.unit === 'bytes' && { incrs: byteSteps }),
          values: (_, splits) => splits.map((split) => axisText(chart, split)),
        },
      ],
      series: [{ label: 'Time' }, ...drawn.map(({ options }) => options)],
    },
    data: [x, ...drawn.map(({ values }) => values)],
  }
}

/** Of lines each by itself; of what is stacked all of it together. */
function beforeOf(
  chart: Chart,
  { at }: ReportAnswer,
  then: ReportAnswer | undefined,
): { name: string; values: Values }[] {
  if (!then) return []
  const fit = (values: Values) => at.map((_, point) => values[point] ?? null)
  if (chart.kind === 'bars')
    return [{ name: 'Before', values: at.map((_, point) => total(then.series, point)) }]
  return then.series.map(({ name, values }) => ({ name: `${name} before`, values: fit(values) }))
}

const said = (chart: Chart, values: Values, point: number | null): string =>
  valueText(chart.unit, point === null ? null : (values[point] ?? null))

/** A line of few points, or with a point that has none beside it, is not to be seen. */
const lonePoints = (values: Values): boolean =>
  values.length <= 40 ||
  values.some(
    (value, at) =>
      value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null,
  )

const byteSteps = Array.from({ length: 50 }, (_, power) => 2 ** power)
const axisText = ({ unit }: Chart, split: number): string =>
  unit === 'ms' && split < 1000 ? `${numberText(split, 2)} ms` : valueText(unit, split)

const bars = uPlot.paths.bars?.({ size: [0.8, 60] })

const day = 24 * 3600
/** Days before months and 24 hours, as everywhere here. */
const times: (string | number | null)[][] = [
  [day, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [0.001, '{HH}:{mm}:{ss}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
]
