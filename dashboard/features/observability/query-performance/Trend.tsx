import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TrendPoint } from '#contract/observability/query-performance'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { count, duration } from './figures.ts'
import { trendQuery } from './queries.ts'

type Measure = 'calls' | 'time' | 'mean'
const measures: { value: Measure; label: string }[] = [
  { value: 'time', label: 'Time' },
  { value: 'calls', label: 'Calls' },
  { value: 'mean', label: 'Mean' },
]
const valueOf: Record<Measure, (point: TrendPoint) => number> = {
  calls: ({ calls }) => calls,
  time: ({ time }) => time,
  mean: ({ calls, time }) => (calls > 0 ? time / calls : 0),
}
/** More bars than this are too thin to point at. */
const mostBars = 120

/** How a statement did between the looks of the collector: a bar for each. */
export function Trend({ projectRef, queryid }: { projectRef: string; queryid: string }) {
  const query = useQuery(trendQuery(projectRef, queryid))
  const [measure, setMeasure] = useState<Measure>('time')
  const points = query.data?.points.slice(-mostBars)
  const values = points?.map(valueOf[measure]) ?? []
  const highest = Math.max(...values, Number.MIN_VALUE)
  const shown = (value: number) => (measure === 'calls' ? count(value) : duration(value))
  return (
    <section className="panel-part">
      <h3 className="trend-head">
        Trend
        <Segmented label="Measure" options={measures} value={measure} onChange={setMeasure} />
      </h3>
      {query.error && !points ? (
        <ErrorNote what="trend" error={query.error} onRetry={() => void query.refetch()} />
      ) : points === undefined ? (
        <Skeleton width="100%" />
      ) : points.length === 0 ? (
        <p className="help">
          The busiest statements are measured every 15 minutes; two measurements make a bar.
        </p>
      ) : (
        <>
          {/* What the bars say in numbers stands below them. */}
          <div className="trend" aria-hidden>
            {points.map((point, at) => (
              <span
                key={point.at}
                style={{ '--high': `${((values[at] ?? 0) / highest) * 100}%` }}
                data-tip={`${exactTime(new Date(point.at))}: ${shown(values[at] ?? 0)}`}
              />
            ))}
          </div>
          <p className="help trend-foot">
            <span>{exactTime(new Date(points[0]?.at ?? ''))}</span>
            <span>
              {points.length} {points.length === 1 ? 'look' : 'looks'}, at most {shown(highest)}
            </span>
          </p>
        </>
      )}
    </section>
  )
}
