import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import uPlot from 'uplot'
import type { FunctionUsage } from '#contract/functions/functions'
import type { UsageRange } from '#contract/projects/project-home'
import { rangeWords, shortRangeChoices } from '../../../session/organization/usage-range.ts'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { numberText, percentText, timeText } from '../../../ui/text/number.ts'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Plot, type Drawing, type PlotColours } from '../../../ui/plot/Plot.tsx'
import { usageQuery } from './queries.ts'
import './functions.css'

type Bar = FunctionUsage['bars'][number]
const calls = [
  { name: 'Invocations', colour: '--chart-1', of: (bar: Bar) => bar.invocations },
  { name: 'Errors', colour: '--danger', of: (bar: Bar) => bar.errors },
] as const
const times = [
  { name: 'Execution time', colour: '--chart-2', of: (bar: Bar) => bar.p95_ms },
] as const

const processor = [{ name: 'CPU time', colour: '--chart-3', of: (bar: Bar) => bar.cpu_ms }] as const
const memory = [{ name: 'Memory', colour: '--chart-4', of: (bar: Bar) => bar.memory_mb }] as const

type Props = {
  projectRef: string
  slug: string
  range: UsageRange
  onRange: (range: UsageRange) => void
}

/** /project/{ref}/functions/{slug}: how often it is called, how often that fails, how long it takes and what it uses. */
export function OverviewPage({ projectRef, slug, range, onRange }: Props) {
  const { data, error, refetch } = useQuery(usageQuery(projectRef, slug, range))
  if (error) return <ErrorNote what="the figures" error={error} onRetry={() => void refetch()} />
  return (
    <div className="sections">
      <div className="function-range">
        <p className="muted">{rangeWords[range]}</p>
        <Segmented label="Range" options={shortRangeChoices} value={range} onChange={onRange} />
      </div>
      {data ? <Figures usage={data} /> : <Skeleton width="60%" />}
    </div>
  )
}

function Figures({ usage }: { usage: FunctionUsage }) {
  const { invocations, errors, p50_ms: half, p95_ms: max } = usage
  const time = (ms: number | null) => (ms === null ? '–' : timeText(ms))
  const figures = [
    ['Invocations', numberText(invocations)],
    ['Errors', errors === 0 ? '0' : `${numberText(errors)} (${percentText(errors / invocations)})`],
    ['Median time', time(half)],
    ['95th percentile', time(max)],
  ] as const
  return (
    <>
      <dl className="function-figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Card title="Invocations">
        <UsageChart label="Invocations" bars={usage.bars} series={calls} unit="" />
      </Card>
      <Card title="Execution time, 95th percentile">
        <UsageChart label="Execution time" bars={usage.bars} series={times} unit=" ms" />
      </Card>
      <Card title="CPU time">
        <UsageChart label="CPU time" bars={usage.bars} series={processor} unit=" ms" />
      </Card>
      <Card title="Memory, highest">
        <UsageChart label="Memory" bars={usage.bars} series={memory} unit=" MB" />
      </Card>
    </>
  )
}

type UsageBar = FunctionUsage['bars'][number]
type UsageChartProps = {
  label: string
  bars: readonly UsageBar[]
  /** What is drawn, each in front of the one before it. */
  series: readonly { name: string; colour: `--${string}`; of: (bar: UsageBar) => number | null }[]
  unit: string
}

/** Bars over time, as high as what they stand for; in front of them what is a part of it. */
function UsageChart({ label, bars, series, unit }: UsageChartProps) {
  const draw = useCallback(
    (colours: PlotColours): Drawing => {
      const at = bars.map(({ began_at: began }) => Date.parse(began) / 1000)
      const columns = series.map(({ of }) => bars.map((bar) => of(bar) ?? null))
      return { options: optionsOf(at, series, unit, colours), data: [at, ...columns] }
    },
    [bars, series, unit],
  )
  const max = Math.max(0, ...bars.map((bar) => series[0]?.of(bar) ?? 0))
  const words = `${label}: at most ${max}${unit} in one of ${bars.length} parts`
  return <Plot className="function-plot" label={words} draw={draw} heightOf={height} />
}

const height = () => 160

function optionsOf(
  at: readonly number[],
  series: UsageChartProps['series'],
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
