import { useCallback } from 'react'
import { Plot, type Drawing, type PlotColours } from '../../../ui/plot/Plot.tsx'
import type { LogChart } from './result.ts'

/** A result over time, in the reader's zone. */
export function ResultChart({ chart }: { chart: LogChart }) {
  const draw = useCallback((colours: PlotColours) => drawingOf(chart, colours), [chart])
  const names = chart.series.map(({ name }) => name).join(', ')
  return (
    <Plot
      className="lx-chart"
      label={`Chart of ${names} by ${chart.time}`}
      draw={draw}
      heightOf={aboveLegend}
    />
  )
}

/** The legend stands below the drawing. */
const aboveLegend = (place: number) => Math.max(160, place - 32)

function drawingOf({ x, series }: LogChart, { colour, axis }: PlotColours): Drawing {
  return {
    options: {
      scales: {
        x: { time: true, ...(x.length === 1 && { range: aroundOne }) },
        y: { range: withZero },
      },
      cursor: { points: { size: 7 }, drag: { x: true, y: false } },
      axes: [
        { ...axis, values: times },
        { ...axis, size: 70 },
      ],
      series: [
        {},
        ...series.map(({ name }, at) => ({
          label: name,
          stroke: colour(`--chart-${(at % 5) + 1}`),
          width: 2,
          spanGaps: true,
          points: { show: x.length <= 60 },
        })),
      ],
    },
    data: [x, ...series.map(({ values }) => values)],
  }
}

/** Heights are compared from zero, with a little air above. */
const withZero = (_: unknown, least: number, most: number): [number, number] => {
  const [low, high] = [Math.min(0, least), Math.max(0, most)]
  return low === high ? [0, 1] : [low * 1.05, high * 1.05]
}

/** One moment would stand alone in years of nothing. */
const aroundOne = (_: unknown, least: number, most: number): [number, number] => [
  least - 60,
  most + 60,
]

const day = 24 * 3600
/** Days before months and 24 hours, as everywhere here: from how many seconds apart on, and what is said then. */
const times: (string | number | null)[][] = [
  [day, '{D} {MMM}', '\n{YYYY}', null, null, null, null, null, 1],
  [60, '{HH}:{mm}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
  [0.001, '{HH}:{mm}:{ss}', '\n{D} {MMM} {YYYY}', null, '\n{D} {MMM}', null, null, null, 1],
]
