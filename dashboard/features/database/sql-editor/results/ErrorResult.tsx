import { CircleAlert, Sparkles } from 'lucide-react'
import type { SqlError } from '#contract/database/sql/sql-query'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { askAssistant } from '../editor/ask-assistant.ts'
import type { Place } from '../editor/error-place.ts'
import { useWorkspace } from '../use-workspace.ts'
import { CodeWell } from '../editor/CodeWell.tsx'

type Props = {
  error: SqlError
  /** Where it is in the editor, if that text is still there. */
  place: Place | undefined
  /** Where the statement begins in what ran, for an error that has no place. */
  line: number
  cancelled: boolean
  /** What ran. */
  query: { name: string; sql: string }
  onGoTo: (place: Place) => void
}

/** What Postgres refused, and where. */
export function ErrorResult({ error, place, line, cancelled, query, onGoTo }: Props) {
  const { ref } = useWorkspace()
  const where = place ?? { line: error.line ?? line, column: error.column ?? 1 }
  return (
    <div className="sql-error scroll" role="alert">
      <header>
        <Icon of={CircleAlert} />
        <h2 className="grow">{cancelled ? 'Cancelled' : error.message}</h2>
        {!cancelled && (
          <Button icon={Sparkles} onClick={() => void askAssistant(ref, error, query)}>
            Ask the assistant
          </Button>
        )}
        <CopyButton text={error.formattedError} what="error" />
      </header>
      <p className="t12 muted">
        <span className="mono">{error.code}</span> at line {where.line}, column {where.column}
        {error.position !== undefined && `, position ${error.position} of what ran`}
        {place && (
          <Button variant="ghost" onClick={() => onGoTo(place)}>
            Go to line {place.line}
          </Button>
        )}
      </p>
      <CodeWell label="Postgres error">{error.formattedError.trimEnd()}</CodeWell>
      {error.code === '57014' && !cancelled && (
        <p className="muted">
          The statement took longer than Settings allow. Increase the timeout there. For very long
          ones, connect with psql: the connection string is on the project's home page.
        </p>
      )}
    </div>
  )
}
