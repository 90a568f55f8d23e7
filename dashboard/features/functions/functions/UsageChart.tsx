import { useCallback } from 'react'
import uPlot from 'uplot'
import type { FunctionUsage } from '#contract/functions/functions'
import { Plot, type Drawing, type PlotColours } from '../../../ui/plot/Plot.tsx'

type Bar = FunctionUsage['bars'][number]
type Props = {
  label: string
  bars: readonly Bar[]
  /** What is drawn, each in front of the one before it. */
  series: readonly { name: string; colour: `--${string}`; of: (bar: Bar) => number | null }[]
  unit: string
}

/** Bars over time, as high as what they stand for; in front of them what is a part of it. */
export function UsageChart({ label, bars, series, unit }: Props) {
  const draw = useCallback(
    (colours: PlotColours): Drawing => {
      const at = bars.map(({ began_at: began }) => Date.parse(began) / 1000)
      const columns = series.map(({ of }) => bars.map((bar) => of(bar) ?? null))
      return { options: optionsOf(at, series, unit, colours), data: [at, ...columns] }
    },
    [bars, series, unit],
  )
  const most = Math.max(0, ...bars.map((bar) => series[0]?.of(bar) ?? 0))
  const words = `${label}: at most ${most}${unit} in one of ${bars.length} parts`
  return <Plot className="function-plot" label={words} draw={draw} heightOf={height} />
}

const height = () => 160

function optionsOf(
  at: readonly number[],
  series: Props['series'],
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
      y: { range: (_, __, most) => [0, Math.max(1, (most ?? 0) * 1.1)] },
    },
    cursor: { points: { size: 7 }, drag: { x: false, y: false } },
    axes: [
      { ...axis },
      { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => `${tick}${unit}`) },
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
