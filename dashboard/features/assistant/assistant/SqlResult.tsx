import { CircleAlert, LockKeyhole, MessageCircleQuestion } from 'lucide-react'
import type { BlockResult, SqlSnippet } from '../../../modules/assistant/assistant-state.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { RowsTable } from '../../../modules/sql/RowsTable.tsx'
import { wantsChanges } from '../../../modules/assistant/block-result.ts'

type Props = {
  result: BlockResult
  allowed: boolean
  onAllow: () => void
  /** Asks about the failure; the query goes along. */
  onExplain: (text: string, query: SqlSnippet) => void
}

/** What a run brought: rows, a command's own words, or why it did not run. */
export function SqlResult({ result, allowed, onAllow, onExplain }: Props) {
  if (result.error && wantsChanges(result))
    return (
      <div className="assistant-result" role="alert">
        <p className="row assistant-refused">
          <Icon of={LockKeyhole} size="s" />
          <span className="grow">
            This did not run: it does more than read, and SQL from an answer can only read.
          </span>
        </p>
        <p className="t12 muted">{result.error.message}</p>
        <Button onClick={onAllow}>{allowed ? 'Run the change…' : 'Allow changes…'}</Button>
      </div>
    )
  if (result.error) {
    const { message, code } = result.error
    return (
      <div className="assistant-result" role="alert">
        <p className="row err">
          <Icon of={CircleAlert} size="s" />
          <span className="grow">
            {message} <span className="mono">{code}</span>
          </span>
        </p>
        <Button
          icon={MessageCircleQuestion}
          onClick={() =>
            onExplain(`This query failed with “${message}” (${code}). Why, and what works?`, {
              name: 'Failed query',
              sql: result.sql,
            })
          }
        >
          Ask about this error
        </Button>
      </div>
    )
  }
  return (
    <div className="assistant-result">
      {result.columns.length > 0 && <RowsTable {...result} />}
      <p className="t12 muted assistant-count">{summary(result)}</p>
    </div>
  )
}

function summary({ command, count, columns, rows, ms }: BlockResult): string {
  const time = `${ms} ms`
  if (columns.length === 0)
    return [command, count, time].filter((part) => part !== null).join(' · ')
  const total = count ?? rows.length
  const words = total === 1 ? '1 row' : `${total} rows`
  return rows.length < total
    ? `${words}, the first ${rows.length} shown · ${time}`
    : `${words} · ${time}`
}
