import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { History, SquareTerminal } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { sqlHistory, type SqlRun } from '#contract/database/sql/sql-history'
import { useCall } from '../../../../api/client.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../../ui/ErrorNote.tsx'
import { SearchField } from '../../../../ui/controls/SearchField.tsx'
import { SidePanel } from '../../../../ui/floats/SidePanel.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { StatusDot } from '../../../../ui/text/Status.tsx'
import { Time } from '../../../../ui/text/Time.tsx'
import { CodeWell } from '../editor/CodeWell.tsx'
import { durationText, rowsText } from '../results/result-words.ts'
import { runHistoryQuery } from './run-history.ts'
import { useWorkspace } from '../use-workspace.ts'

/** Everything that this person ran in the project: text, values, how long, how many rows. */
export function HistoryPanel({ onClose }: { onClose: () => void }) {
  const { ref } = useWorkspace()
  const [search, setSearch] = useState('')
  const list = useInfiniteQuery(runHistoryQuery(ref, useDeferredValue(search.trim())))
  const [isClearing, setClearing] = useState(false)
  const runs = list.data?.pages.flat() ?? []
  return (
    <SidePanel
      open
      size="large"
      onClose={onClose}
      title="Run history"
      footer={
        <Button
          disabledReason={runs.length === 0 && 'There are no runs to delete'}
          onClick={() => setClearing(true)}
        >
          Clear history
        </Button>
      }
    >
      <div className="sql-history">
        <p className="t12 muted">Only you see this. The last 500 runs are kept.</p>
        <SearchField
          label="Find a run"
          value={search}
          onChange={setSearch}
          width={300}
          keys={false}
        />
        {list.isPending && <Skeleton width={320} />}
        {list.error && (
          <ErrorNote what="the runs" error={list.error} onRetry={() => void list.refetch()} />
        )}
        {list.isSuccess && runs.length === 0 && (
          <EmptyState icon={History} title={search ? 'No run matches' : 'No runs yet'}>
            Queries that you run appear here with their values and result.
          </EmptyState>
        )}
        <ol>
          {runs.map((run) => (
            <HistoryRun key={run.id} run={run} onOpened={onClose} />
          ))}
        </ol>
        {list.hasNextPage && (
          <Button
            variant="ghost"
            className="wide"
            busy={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Load more
          </Button>
        )}
      </div>
      {isClearing && <ClearDialog onClose={() => setClearing(false)} />}
    </SidePanel>
  )
}

const tones = { running: 'working', done: 'success', failed: 'danger', cancelled: 'off' } as const
const words = { running: 'Running', done: '', failed: 'Failed', cancelled: 'Cancelled' }

function HistoryRun({ run, onOpened }: { run: SqlRun; onOpened: () => void }) {
  const { ref, queries } = useWorkspace()
  const navigate = useNavigate()
  const { name, sql, parameters, status, ms, rows, error, started_at } = run
  const values = Object.entries(parameters)

  function openIt() {
    const query = queries.create({ sql, name })
    void query.save()
    onOpened()
    void navigate({ to: '/project/$ref/sql/$id', params: { ref, id: query.id } })
  }
  return (
    <li>
      <p className="row">
        <StatusDot tone={tones[status]} />
        <span className="med ell">{name}</span>
        <span className="grow" />
        <span className="t12 muted tn">
          {[words[status], rows !== null && rowsText(rows), ms !== null && durationText(ms)]
            .filter(Boolean)
            .join(', ')}
        </span>
        <span className="t12 faint">
          <Time at={started_at} />
        </span>
      </p>
      <CodeWell label={`SQL of ${name}`}>
        {sql.length > 1000 ? `${sql.slice(0, 1000)}…` : sql}
      </CodeWell>
      {values.length > 0 && (
        <p className="t12 mono muted sql-history-values">
          {values
            .map(([key, value]) => `:${key} = ${value === null ? 'NULL' : `'${value}'`}`)
            .join('  ')}
        </p>
      )}
      {error && <p className="t12 tone-danger">{error}</p>}
      <p className="row">
        <Button variant="ghost" icon={SquareTerminal} onClick={openIt}>
          Open as a new query
        </Button>
        <CopyButton text={sql} what="SQL" />
      </p>
    </li>
  )
}

function ClearDialog({ onClose }: { onClose: () => void }) {
  const { ref } = useWorkspace()
  const clear = useCall(sqlHistory.clear, {
    changes: [sqlHistory.list],
    onSuccess: onClose,
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Clear the run history?"
      verb="Clear history"
      error={clear.error?.message}
      pending={clear.isPending}
      onConfirm={() => clear.mutate({ ref })}
    >
      <p>This deletes your run history in this project. Saved queries stay.</p>
    </ConfirmDialog>
  )
}
