import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

type Day = { day: string; count: number }
type Props = { label: string; days: readonly Day[] }

/** A bar for each day. It follows the size of its place and the theme. */
export function DayChart({ label, days }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const [theme, setTheme] = useState(0)
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme((before) => before + 1))
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const size = () => ({ width: Math.max(160, element.clientWidth), height: 160 })
    const at = days.map(({ day }) => Date.parse(`${day}T00:00:00Z`) / 1000)
    const data: uPlot.AlignedData = [at, days.map(({ count }) => count)]
    const plot = new uPlot({ ...optionsOf(label), ...size() }, data, element)
    const observer = new ResizeObserver(() => plot.setSize(size()))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [days, label, theme])
  const counts = days.map(({ count }) => count)
  const words = `${label} per day: at most ${Math.max(0, ...counts)}, on the last day ${counts.at(-1) ?? 0}`
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the picture is a canvas that the library puts inside
  return <div ref={place} className="users-plot" role="img" aria-label={words} />
}

const day = 24 * 3600

function optionsOf(label: string): Omit<uPlot.Options, 'width' | 'height'> {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colour('--text-muted'),
    font: `12px ${colour('--font-text') || 'sans-serif'}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1, size: 4 },
  }
  const fill = colour('--chart-1')
  const paths = uPlot.paths.bars?.({ size: [0.7, 48] })
  return {
    // The days are those of the database, whatever the zone of the browser.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    legend: { show: false },
    scales: {
      // Bars at the ends need room for their halves.
      x: { time: true, range: (_, least, most) => [least - 0.6 * day, most + 0.6 * day] },
      // Without any the line is at the bottom and not in the middle.
      y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] },
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
