import { GitCommitHorizontal } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { messageOf } from '../../../../api/client.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { useWorkspace, useQueryView } from '../use-workspace.ts'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { cx } from '../../../../ui/cx.ts'
import type { OpenQuery } from '../open-query.ts'
import { namesIn } from './parameter-values.ts'

const clock = (ms: number) =>
  new Date(ms).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })

/** The transaction that this query's runs are in, and the two ways to end it. */
export function TransactionBar({ queryId, isRunning }: { queryId: string; isRunning: boolean }) {
  const { transactions } = useWorkspace()
  const transaction = useSyncExternalStore(transactions.subscribe, () => transactions.of(queryId))
  const [ending, setEnding] = useState<'commit' | 'rollback'>()
  if (!transaction) return null
  const { state, until } = transaction
  const busy = isRunning ? 'A statement is still running' : undefined

  async function end(how: 'commit' | 'rollback') {
    setEnding(how)
    try {
      const committed = await transactions.end(queryId, how)
      if (how === 'rollback') toast.success('Rolled back')
      else if (committed) toast.success('Committed')
      else toast.warning('Rolled back: a statement of it had failed')
    } catch (error) {
      toast.error(messageOf(error), { id: 'sql-transaction' })
    } finally {
      setEnding(undefined)
    }
  }
  return (
    <div className="sql-transaction" data-state={state}>
      <Icon of={GitCommitHorizontal} />
      <output className="grow">{wordsOf(state, isRunning ? undefined : clock(until))}</output>
      {state === 'gone' ? (
        <Button onClick={() => transactions.dismiss(queryId)}>Dismiss</Button>
      ) : (
        <>
          <Button
            busy={ending === 'rollback'}
            disabledReason={busy}
            onClick={() => void end('rollback')}
          >
            Roll back
          </Button>
          <Button
            variant="primary"
            busy={ending === 'commit'}
            disabledReason={
              busy ??
              (state === 'failed' ? 'A statement failed: it can only be rolled back' : undefined)
            }
            onClick={() => void end('commit')}
          >
            Commit
          </Button>
        </>
      )}
    </div>
  )
}

function wordsOf(state: 'open' | 'failed' | 'gone', until: string | undefined): string {
  const rest = until ? ` If left idle, it is rolled back at ${until}.` : ''
  switch (state) {
    case 'open':
      return `A transaction is open: nothing is saved until you commit.${rest}`
    case 'failed':
      return `A statement failed, so this transaction can only be rolled back.${rest}`
    case 'gone':
      return 'The transaction has ended: uncommitted changes were rolled back.'
  }
}

type Props = {
  query: OpenQuery
  /** Names that a run was asked for without. */
  missing: readonly string[]
  onRun: () => void
}

/** A value for each `:name` of the text. They travel apart from it, so no quotes are needed around them. */
export function ParameterBar({ query, missing, onRun }: Props) {
  const { parameters } = useWorkspace()
  const names = useQueryView(query, (view) => namesIn(view.values.sql))
  const values = useSyncExternalStore(parameters.subscribe, () => parameters.of(query.id))
  if (names.length === 0) return null
  return (
    <form
      className="sql-parameters scroll"
      aria-label="Parameters"
      onSubmit={(event) => {
        event.preventDefault()
        onRun()
      }}
    >
      {names.map((name) => {
        const value = values[name]
        const isMissing = value === undefined && missing.includes(name)
        return (
          <div key={name} className="sql-parameter">
            <label className={cx('mono', isMissing && 'tone-danger')} htmlFor={`parameter-${name}`}>
              :{name}
            </label>
            <input
              id={`parameter-${name}`}
              className="in mono"
              autoComplete="off"
              aria-invalid={isMissing || undefined}
              placeholder={
                value === null ? 'NULL' : value === undefined ? 'no value yet' : 'empty text'
              }
              disabled={value === null}
              value={value ?? ''}
              onChange={(event) => parameters.set(query.id, name, event.target.value)}
            />
            <Checkbox
              label="NULL"
              aria-label={`${name} is NULL`}
              checked={value === null}
              onChange={(event) => parameters.set(query.id, name, event.target.checked ? null : '')}
            />
          </div>
        )
      })}
      {missing.some((name) => values[name] === undefined) && (
        <p className="t12 tone-danger" role="alert">
          Give every parameter a value, or choose NULL.
        </p>
      )}
      <button type="submit" hidden aria-hidden tabIndex={-1} />
    </form>
  )
}
