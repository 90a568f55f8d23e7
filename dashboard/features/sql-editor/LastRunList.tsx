import { Link } from '@tanstack/react-router'
import { StatusDot } from '../../ui/StatusDot.tsx'
import { durationText } from './duration.ts'
import { useLastRuns } from './last-runs.ts'
import { useWorkspace } from './use-workspace.ts'

/** What was run here lately, and how it went. */
export function LastRunList({ onChosen }: { onChosen: (() => void) | undefined }) {
  const { ref, lastRuns } = useWorkspace()
  const runs = useLastRuns(lastRuns)
  if (runs.length === 0) return null
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
      </ul>
    </section>
  )
}
