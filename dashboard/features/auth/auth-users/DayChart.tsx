import { useCallback } from 'react'
import uPlot from 'uplot'
import { Plot, type Drawing, type PlotColours } from '../../../ui/plot/Plot.tsx'

type Day = { day: string; count: number }
type Props = { label: string; days: readonly Day[] }

/** A bar for each day. */
export function DayChart({ label, days }: Props) {
  const draw = useCallback(
    (colours: PlotColours): Drawing => {
      const at = days.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 1000)
      return { options: optionsOf(label, colours), data: [at, days.map(({ count }) => count)] }
    },
    [days, label],
  )
  const counts = days.map(({ count }) => count)
  const words = `${label} per day: at most ${Math.max(0, ...counts)}, on the last day ${counts.at(-1) ?? 0}`
  return <Plot className="users-plot" label={words} draw={draw} heightOf={height} />
}

const height = () => 160
const day = 24 * 3600

function optionsOf(label: string, { colour, axis }: PlotColours): Drawing['options'] {
  const fill = colour('--chart-1')
  const paths = uPlot.paths.bars?.({ size: [0.7, 48] })
  return {
    // The days are those of the database, whatever the zone of the browser.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    legend: { show: false },
    scales: {
      // Bars at the ends need room for their halves.
      x: { time: true, range: (_, least, max) => [least - 0.6 * day, max + 0.6 * day] },
      // Without any the line is at the bottom and not in the middle.
      y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] },
    },
    cursor: { points: { size: 7 }, drag: { x: false, y: false } },
    axes: [
      { ...axis, values: [[day, '{D} {MMM}', null, null, null, null, null, null, 1]] },
      {
        ...axis,
        size: 56,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6],
      },
    ],
    series: [{}, { label, fill, width: 0, points: { show: false }, ...(paths ? { paths } : {}) }],
  }
}
