import { CalendarX, ServerOff } from 'lucide-react'
import { CallError } from '../../api/client.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorNote } from '../../ui/ErrorNote.tsx'

type FailedProps = {
  /** What could not be loaded, as "entries". */
  what: string
  error: Error
  onRetry: () => void
  onLastHour: () => void
}

/** Why a question about logs was not answered, and what can be done about it. */
export function LogsFailed({ what, error, onRetry, onLastHour }: FailedProps) {
  const reason = error instanceof CallError ? error.reason : undefined
  if (reason === 'logs_engine_missing') return <EngineMissing />
  if (reason === 'logs_not_kept')
    return (
      <EmptyState
        icon={CalendarX}
        title="Not kept for that long"
        action={<Button onClick={onLastHour}>Show the last hour</Button>}
      >
        {error.message}. Choose a later time range, or a plan that keeps logs longer.
      </EmptyState>
    )
  return <ErrorNote what={what} error={error} onRetry={onRetry} />
}

/** Instead of entries, where there is nothing to search them with. */
export function EngineMissing() {
  return (
    <EmptyState icon={ServerOff} title="Logs cannot be searched here">
      Entries are collected, but this platform has no search engine for them. Its operator can
      install the package <span className="mono">@duckdb/node-api</span> and restart it.
    </EmptyState>
  )
}
