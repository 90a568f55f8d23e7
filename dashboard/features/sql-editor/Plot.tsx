import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import type { SnippetChart } from '#contract/snippets'
import type { Series } from './chart.ts'

type Props = { series: Series; kind: SnippetChart['kind']; label: string }

const hues = [1, 2, 3, 4, 5]

/** The drawing itself. It follows the size of its place and the theme. */
export function Plot({ series, kind, label }: Props) {
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
    const size = () => ({
      width: Math.max(160, element.clientWidth),
      // The legend stands below the drawing.
      height: Math.max(120, element.clientHeight - 32),
    })
    const data: uPlot.AlignedData = [series.x, ...series.y.map(({ values }) => values)]
    const plot = new uPlot({ ...optionsOf(series, kind), ...size() }, data, element)
    const observer = new ResizeObserver(() => plot.setSize(size()))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [series, kind, theme])
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the picture is a canvas that the library puts inside
  return <div ref={place} className="sql-plot" role="img" aria-label={`Chart of ${label}`} />
}

function optionsOf(
  series: Series,
  kind: SnippetChart['kind'],
): Omit<uPlot.Options, 'width' | 'height'> {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(name).trim()
  const axis = {
    stroke: colour('--text-muted'),
    font: `12px ${colour('--font-text') || 'sans-serif'}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1, size: 4 },
  }
  const isLabel = series.kind === 'label'
  const labelAt = (place: number) => series.labels[place] ?? ''
  return {
    // What Postgres says is shown, whatever the zone of the browser.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: { x: { time: series.kind === 'time', ...rangeOf(series, kind) } },
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
