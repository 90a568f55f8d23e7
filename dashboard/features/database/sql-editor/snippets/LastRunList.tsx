import { Link } from '@tanstack/react-router'
import { Activity, History } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Icon } from '../../../../ui/Icon.tsx'
import { StatusDot } from '../../../../ui/text/StatusDot.tsx'
import { durationText } from '../results/duration.ts'
import { HistoryPanel } from './HistoryPanel.tsx'
import { useLastRuns } from '../running/last-runs.ts'
import { useWorkspace } from '../use-workspace.ts'

const RunningQueriesPanel = lazy(() =>
  import('../../../../modules/running/RunningQueriesPanel.tsx').then((m) => ({
    default: m.RunningQueriesPanel,
  })),
)

const panels = [
  { id: 'history', label: 'Run history', icon: History },
  { id: 'running', label: 'Running queries', icon: Activity },
] as const

/** What was run here lately, and how it went. */
export function LastRunList({ onChosen }: { onChosen: (() => void) | undefined }) {
  const { ref, lastRuns } = useWorkspace()
  const runs = useLastRuns(lastRuns)
  const [opened, setOpened] = useState<'history' | 'running'>()
  return (
    <section className="sql-last-runs" aria-label="Last runs">
      <h3>Last runs</h3>
      <ul>
        {runs.map(({ id, queryId, name, failed, ms }) => (
          <li key={id}>
            <Link to="/project/$ref/sql/$id" params={{ ref, id: queryId }} onClick={onChosen}>
              <StatusDot tone={failed ? 'danger' : 'success'} />
              <span className="ell grow">{name}</span>
              <span className="end tn">
                {failed ? 'error' : ms !== undefined && durationText(ms)}
              </span>
            </Link>
          </li>
        ))}
        {panels.map(({ id, label, icon }) => (
          <li key={id} className="sql-row">
            <button type="button" onClick={() => setOpened(id)}>
              <Icon of={icon} />
              <span className="ell grow">{label}</span>
            </button>
          </li>
        ))}
      </ul>
      <Suspense>
        {opened === 'running' && (
          <RunningQueriesPanel projectRef={ref} open onClose={() => setOpened(undefined)} />
        )}
      </Suspense>
      {opened === 'history' && (
        <HistoryPanel
          onClose={() => {
            setOpened(undefined)
            onChosen?.()
          }}
        />
      )}
    </section>
  )
}
