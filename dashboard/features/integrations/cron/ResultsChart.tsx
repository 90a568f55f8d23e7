import { useQuery } from '@tanstack/react-query'
import type { CronResults } from '#contract/integrations/cron'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { TimeBars } from '../../../ui/plot/TimeBars.tsx'
import { numberText } from '../../../ui/text/number.ts'
import { resultsQuery } from './queries.ts'

const began = ({ began_at: at }: CronResults) => at
const ended = ({ succeeded, failed }: CronResults) => succeeded + failed
const series = [
  { name: 'Succeeded', colour: '--chart-1', of: ended },
  { name: 'Failed', colour: '--danger', of: ({ failed }: CronResults) => failed },
] as const

type Props = { projectRef: string; /** One of the jobs; undefined: all. */ job?: string }

/** How the runs of the last day have ended, hour by hour. */
export function ResultsChart({ projectRef, job }: Props) {
  const { data, error, refetch } = useQuery(resultsQuery(projectRef, job))
  if (error && !data)
    return <ErrorNote what="The results" error={error} onRetry={() => void refetch()} />
  const bars = data?.bars ?? []
  const runs = bars.reduce((sum, bar) => sum + ended(bar), 0)
  const failed = bars.reduce((sum, bar) => sum + bar.failed, 0)
  return (
    <Card
      title="Runs of the last 24 hours"
      end={
        <span className="muted">
          {numberText(runs)} {runs === 1 ? 'run' : 'runs'}, {numberText(failed)} failed
        </span>
      }
    >
      <TimeBars label="Runs" bars={bars} began={began} series={series} />
    </Card>
  )
}
