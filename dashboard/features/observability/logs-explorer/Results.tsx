import { Download, ScrollText, SquareTerminal, TextSearch } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { SqlAnswer } from '#contract/observability/logs'
import { LogsFailed } from '../../../modules/logs/LogsFailed.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { counted, numberText } from '../../../ui/text/number.ts'
import { csvRows, chartOf } from './result.ts'
import { ResultTable } from './ResultTable.tsx'

/** The library that draws comes with the first chart. */
const ResultChart = lazy(() =>
  import('./ResultChart.tsx').then((m) => ({ default: m.ResultChart })),
)

type View = 'table' | 'chart'
const views = [
  { value: 'table', label: 'Table' },
  { value: 'chart', label: 'Chart' },
] as const

type Props = {
  answer: SqlAnswer | undefined
  error: Error | null
  isRefused: boolean
  isRunning: boolean
  wasAsked: boolean
  view: View
  onView: (view: View) => void
  onRetry: () => void
  onLastHour: () => void
}

/** What writes such files is loaded for the first one. */
async function download(name: string, answer: Parameters<typeof csvRows>[0]): Promise<void> {
  const { csvText } = await import('../../../ui/csv.ts')
  saveFile(name, csvText(csvRows(answer)), 'text/csv')
}

/** What the query answered, or why it did not. */
export function Results({ answer, error, isRefused, isRunning, wasAsked, ...props }: Props) {
  if (answer) return <Answer answer={answer} {...props} />
  if (isRefused)
    return (
      <EmptyState icon={TextSearch} title="The query is not valid">
        Correct the query and run it again.
      </EmptyState>
    )
  if (error) return <LogsFailed what="the results" error={error} {...props} />
  if (isRunning || wasAsked) return <ResultsSkeleton />
  return (
    <EmptyState icon={SquareTerminal} title="Run a query">
      Its rows appear here, up to 1,000 of them.
    </EmptyState>
  )
}

type AnswerProps = { answer: SqlAnswer; view: View; onView: (view: View) => void }

function Answer({ answer, view, onView }: AnswerProps) {
  const chart = useMemo(() => chartOf(answer), [answer])
  const [saved] = useState(() => new Date().toISOString().slice(0, 19).replaceAll(':', '-'))
  const { rows, columns, cut } = answer
  if (rows.length === 0)
    return (
      <EmptyState icon={ScrollText} title="No rows">
        Nothing in this time range matches the query.
      </EmptyState>
    )
  return (
    <section className="lx-results" aria-label="Results">
      <div className="lx-results-bar">
        <output className="t12 muted tn">
          {counted(rows.length, 'row')}
          {cut && `: the result was cut at ${numberText(rows.length)} rows`}
        </output>
        <span className="grow" />
        {chart && <Segmented label="Shown as" options={views} value={view} onChange={onView} />}
        <Button icon={Download} onClick={() => void download(`logs-${saved}.csv`, answer)}>
          Export CSV
        </Button>
      </div>
      {chart && view === 'chart' ? (
        <Suspense fallback={<ResultsSkeleton />}>
          <ResultChart chart={chart} />
        </Suspense>
      ) : (
        <ResultTable key={columns.join()} answer={answer} />
      )}
    </section>
  )
}

/** The same every time, so that nothing flickers. */
const lines = [62, 38, 74, 51, 45, 68, 33]

function ResultsSkeleton() {
  return (
    <div className="lx-wait" aria-busy>
      <progress className="sr" aria-label="Running the query" />
      {lines.map((width) => (
        <Skeleton key={width} width={`${width}%`} />
      ))}
    </div>
  )
}
