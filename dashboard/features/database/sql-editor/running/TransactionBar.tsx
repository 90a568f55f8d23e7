import { GitCommitHorizontal } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { messageOf } from '../../../../api/client.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { useWorkspace } from '../use-workspace.ts'

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
