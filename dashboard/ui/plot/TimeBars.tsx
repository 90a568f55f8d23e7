import { useCallback } from 'react'
import uPlot from 'uplot'
import { Plot, type Drawing, type PlotColours } from './Plot.tsx'
import './time-bars.css'

export type TimeSeries<Bar> = {
  name: string
  colour: `--${string}`
  of: (bar: Bar) => number | null
}

type Props<Bar> = {
  label: string
  /** One for each part of the time, of the same length, the oldest first. */
  bars: readonly Bar[]
  /** When a bar begins. */
  began: (bar: Bar) => string
  /** What is drawn, each in front of the one before it, of which it is a part. Keep it and `began` out of the component. */
  series: readonly TimeSeries<Bar>[]
  /** Behind each number, as " ms". */
  unit?: string
}

/** Bars over time, as high as what they stand for; in front of them what is a part of it. */
export function TimeBars<Bar>({ label, bars, began, series, unit = '' }: Props<Bar>) {
  const draw = useCallback(
    (colours: PlotColours): Drawing => {
      const at = bars.map((bar) => Date.parse(began(bar)) / 1000)
      const columns = series.map(({ of }) => bars.map((bar) => of(bar) ?? null))
      return { options: optionsOf(at, series, unit, colours), data: [at, ...columns] }
    },
    [bars, began, series, unit],
  )
  const max = Math.max(0, ...bars.map((bar) => series[0]?.of(bar) ?? 0))
  const words = `${label}: at most ${max}${unit} in one of ${bars.length} parts`
  return <Plot className="time-bars" label={words} draw={draw} heightOf={height} />
}

const height = () => 160
const wholeSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6, 1e7, 1e8]

function optionsOf(
  at: readonly number[],
  series: readonly Pick<TimeSeries<never>, 'name' | 'colour'>[],
  unit: string,
  { colour, axis }: PlotColours,
): Drawing['options'] {
  const paths = uPlot.paths.bars?.({ size: [0.7, 24] })
  const part = (at[1] ?? 0) - (at[0] ?? 0)
  return {
    legend: { show: false },
    scales: {
      // Bars at the ends need room for their halves.
      x: { time: true, range: (_, least, last) => [least - part, last + part] },
      // Without any the line is at the bottom and not in the middle.
      y: { range: (_, __, max) => [0, Math.max(1, (max ?? 0) * 1.1)] },
    },
    cursor: { points: { size: 7 }, drag: { x: false, y: false } },
    axes: [
      { ...axis },
      {
        ...axis,
        size: 64,
        // Without a unit they are counts.
        ...(unit === '' && { incrs: wholeSteps }),
        values: (_, ticks) => ticks.map((tick) => `${tick}${unit}`),
      },
    ],
    series: [
      {},
      ...series.map(({ name, colour: of }) => ({
        label: name,
        fill: colour(of),
        width: 0,
        points: { show: false },
        ...(paths ? { paths } : {}),
      })),
    ],
  }
}
