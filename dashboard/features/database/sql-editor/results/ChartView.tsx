import { useMemo, useCallback } from 'react'
import { ChartColumn } from 'lucide-react'
import uPlot from 'uplot'
import type { SnippetChart } from '#contract/database/snippets'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { Select } from '../../../../ui/controls/Select.tsx'
import { Plot, type Drawing, type PlotColours } from '../../../../ui/plot/Plot.tsx'
import type { StatementRun } from '../running/run-state.ts'
import { numberText } from '../../../../ui/text/number.ts'
import { chartFor, maxPoints, seriesOf, heightsOf, type Series } from './chart.ts'
import { isNumeric } from './result-export.ts'

type Props = {
  statement: StatementRun
  saved: SnippetChart | null
  /** Why a choice is not kept with the query. */
  isForeign: boolean
  onChange: (chart: SnippetChart) => void
}

const kinds = [
  { value: 'bar', label: 'Bars' },
  { value: 'line', label: 'Line' },
  { value: 'area', label: 'Area' },
  { value: 'scatter', label: 'Scatter' },
] as const

/** A result as a drawing, and what of it is drawn. The choice is saved with the query. */
export function ChartView({ statement, saved, isForeign, onChange }: Props) {
  const { fields, rows, received } = statement
  const result = useMemo(() => ({ fields: fields ?? [], rows }), [fields, rows])
  const chart = chartFor(result, saved)
  const series = useMemo(
    () => (chart ? seriesOf(result, chart) : undefined),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the rows grow in place; `received` tells how far
    [result, chart, received],
  )
  if (!chart || !series)
    return (
      <EmptyState icon={ChartColumn} title="Nothing to draw">
        A chart needs a column of numbers.
      </EmptyState>
    )
  const numbers = result.fields.filter(({ type }) => isNumeric(type))
  const toggle = (name: string, on: boolean) => {
    const y = on ? [...chart.y, name].slice(0, 8) : chart.y.filter((other) => other !== name)
    if (y.length > 0) onChange({ ...chart, y })
  }
  return (
    <div className="sql-chart">
      <div className="sql-chart-choice scroll">
        <Segmented
          label="Kind of chart"
          options={kinds}
          value={chart.kind}
          onChange={(kind) => onChange({ ...chart, kind })}
        />
        <div>
          <h3>Below</h3>
          <Select
            label="Column below"
            size="tool"
            options={result.fields.map(({ name, type }) => ({
              value: name,
              label: name,
              detail: type,
            }))}
            value={chart.x}
            onChange={(x) => onChange({ ...chart, x })}
          />
        </div>
        <fieldset>
          <legend>Drawn</legend>
          {numbers.map(({ name }) => (
            <Checkbox
              key={name}
              label={<span className="mono">{name}</span>}
              checked={chart.y.includes(name)}
              onChange={(event) => toggle(name, event.target.checked)}
            />
          ))}
        </fieldset>
        <Checkbox
          label="Add up from the left"
          checked={chart.cumulative}
          onChange={(event) => onChange({ ...chart, cumulative: event.target.checked })}
        />
        <p className="t12 muted">
          {isForeign
            ? 'This query is not yours, so your choices here are not saved.'
            : 'Saved with the query.'}
        </p>
        {series.left > 0 && (
          <p className="t12 tone-warning">
            {numberText(series.left)} rows are not drawn: they have no value on the horizontal axis,
            or there are more than {numberText(maxPoints)}.
          </p>
        )}
      </div>
      <ResultPlot series={series} kind={chart.kind} label={`${chart.y.join(', ')} by ${chart.x}`} />
    </div>
  )
}

type ResultPlotProps = { series: Series; kind: SnippetChart['kind']; label: string }

const hues = [1, 2, 3, 4, 5]

/** The drawing of a result. */
function ResultPlot({ series, kind, label }: ResultPlotProps) {
  const draw = useCallback(
    (colours: PlotColours): Drawing => ({
      options: optionsOf(series, kind, colours),
      data: [series.x, ...series.y.map(({ values }) => values)],
    }),
    [series, kind],
  )
  return (
    <Plot className="sql-plot" label={`Chart of ${label}`} draw={draw} heightOf={aboveLegend} />
  )
}

/** The legend stands below the drawing. */
const aboveLegend = (place: number) => Math.max(120, place - 32)

function optionsOf(
  series: Series,
  kind: SnippetChart['kind'],
  { colour, axis }: PlotColours,
): Drawing['options'] {
  const isLabel = series.kind === 'label'
  const labelAt = (place: number) => series.labels[place] ?? ''
  return {
    // What Postgres says is shown, whatever the zone of the browser.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: { x: { time: series.kind === 'time', ...rangeOf(series, kind) }, y: heights(kind) },
    cursor: { points: { size: 7 }, drag: { x: true, y: false } },
    axes: [
      {
        ...axis,
        ...(isLabel
          ? {
              space: 70,
              values: (_: uPlot, places: number[]) =>
                places.map((at) => (Number.isInteger(at) ? short(labelAt(at)) : '')),
            }
          : series.kind === 'time'
            ? { values: times }
            : {}),
      },
      { ...axis, size: 70 },
    ],
    series: [
      isLabel ? { value: (_, at) => (at === null ? '' : labelAt(at)) } : {},
      ...series.y.map(({ name }, at) =>
        drawn(kind, name, colour(`--chart-${hues[at % hues.length]}`), at, series),
      ),
    ],
  }
}

const day = 24 * 3600
/** Days before months and 24 hours, as everywhere here: from how many seconds apart on, and what is said then. */
const times: uPlot.Axis.Values = [
  [365 * day, '{YYYY}', null, null, null, null, null, null, 1],
  [28 * day, '{MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [day, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [0.001, '{HH}:{mm}:{ss}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
]

const short = (text: string) => (text.length > 14 ? `${text.slice(0, 13)}…` : text)

const heights = (kind: SnippetChart['kind']): uPlot.Scale =>
  heightsOf(kind, null, null)
    ? { range: (_, least, most) => heightsOf(kind, least, most) ?? [least, most] }
    : {}

/** Bars at the ends need room for their halves. */
const rangeOf = ({ kind: below, x }: Series, kind: SnippetChart['kind']): Partial<uPlot.Scale> =>
  below === 'label' || (kind === 'bar' && x.length === 1)
    ? { range: (_, min, max) => [min - 0.6, max + 0.6] }
    : {}

function drawn(
  kind: SnippetChart['kind'],
  label: string,
  stroke: string,
  at: number,
  { y }: Series,
): uPlot.Series {
  const base = { label, stroke, width: 2, spanGaps: false }
  switch (kind) {
    case 'line':
      return base
    case 'area':
      return { ...base, fill: `color-mix(in oklab, ${stroke} 25%, transparent)` }
    case 'scatter':
      return { ...base, paths: () => null, points: { show: true, size: 6, fill: stroke } }
    case 'bar': {
      // Several columns stand beside each other.
      const align = y.length > 1 ? ((at % 2 === 0 ? -1 : 1) as -1 | 1) : 0
      const { bars } = uPlot.paths
      const paths = bars?.({ size: [0.7 / Math.min(2, y.length), 60], align })
      return {
        ...base,
        width: 0,
        fill: stroke,
        points: { show: false },
        ...(paths ? { paths } : {}),
      }
    }
  }
}
