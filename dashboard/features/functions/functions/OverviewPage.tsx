import { useQuery } from '@tanstack/react-query'
import type { FunctionUsage } from '#contract/functions/functions'
import type { UsageRange } from '#contract/projects/project-home'
import { rangeWords, shortRangeChoices } from '../../../session/organization/usage-range.ts'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { numberText, percentText, timeText } from '../../../ui/text/number.ts'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TimeBars } from '../../../ui/plot/TimeBars.tsx'
import { usageQuery } from './queries.ts'
import './functions.css'

type Bar = FunctionUsage['bars'][number]
const began = ({ began_at: at }: Bar) => at
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
        <TimeBars label="Invocations" bars={usage.bars} began={began} series={calls} />
      </Card>
      <Card title="Execution time, 95th percentile">
        <TimeBars
          label="Execution time"
          bars={usage.bars}
          began={began}
          series={times}
          unit=" ms"
        />
      </Card>
      <Card title="CPU time">
        <TimeBars label="CPU time" bars={usage.bars} began={began} series={processor} unit=" ms" />
      </Card>
      <Card title="Memory, highest">
        <TimeBars label="Memory" bars={usage.bars} began={began} series={memory} unit=" MB" />
      </Card>
    </>
  )
}
