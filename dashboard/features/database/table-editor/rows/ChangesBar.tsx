import { Redo2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { Button } from '../../../../ui/controls/Button.tsx'
import { useCommands } from '../../../../ui/floats/commands.ts'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import type { CallError } from '../../../../api/client.ts'
import { refusedBy, type Refusal } from '../table-model.ts'
import { tableProblem } from '../use-table-rows.ts'
import type { countOf } from './staged.ts'

type Props = {
  counts: ReturnType<typeof countOf>
  pending: boolean
  canUndo: boolean
  canRedo: boolean
  onUndo: () => void
  onRedo: () => void
  onDiscard: () => void
  onReview: () => void
  onApply: () => void
}

export const changesText = (count: number) => (count === 1 ? '1 change' : `${count} changes`)

/** What is staged, and what to do with it. */
export function ChangesBar(props: Props) {
  const { counts, pending, canUndo, canRedo, onUndo, onRedo, onDiscard } = props
  const { onReview, onApply } = props
  const [asking, setAsking] = useState(false)
  const [discarding, setDiscarding] = useState(false)
  const conflicted = counts.conflicts > 0 && 'Resolve the conflicts in the review first'
  const start = () => (counts.deletes > 0 ? setAsking(true) : onApply())
  useCommands([
    {
      id: 'rows.apply',
      section: 'This page',
      name: 'Apply changes',
      keys: 'mod+s',
      everywhere: true,
      run: () => !conflicted && !pending && counts.all > 0 && start(),
    },
    {
      id: 'rows.undo',
      section: 'This page',
      name: 'Undo the last change',
      keys: 'mod+z',
      run: onUndo,
    },
    {
      id: 'rows.redo',
      section: 'This page',
      name: 'Redo the last change',
      keys: 'mod+shift+z',
      run: onRedo,
    },
  ])
  const rows = counts.deletes === 1 ? '1 row' : `${counts.deletes} rows`
  return (
    <div className="changes-bar" aria-live="polite">
      <ChangeSigns counts={counts} />
      <span className="grow" />
      <IconButton
        icon={Undo2}
        label="Undo the last change"
        disabledReason={!canUndo && 'There is nothing to undo'}
        onClick={onUndo}
      />
      <IconButton
        icon={Redo2}
        label="Redo the last change"
        disabledReason={!canRedo && 'There is nothing to redo'}
        onClick={onRedo}
      />
      <Button
        variant="ghost"
        disabledReason={counts.all === 0 && 'There is nothing to discard'}
        onClick={() => setDiscarding(true)}
      >
        Discard all
      </Button>
      <Button onClick={onReview}>Review</Button>
      <Button
        variant="primary"
        keys="mod+s"
        busy={pending}
        disabledReason={conflicted || (counts.all === 0 && 'There is nothing to apply')}
        onClick={start}
      >
        Apply {changesText(counts.all)}
      </Button>
      <ConfirmDialog
        open={discarding}
        onClose={() => setDiscarding(false)}
        title={`Discard ${changesText(counts.all)}?`}
        verb={`Discard ${changesText(counts.all)}`}
        error={undefined}
        pending={false}
        onConfirm={() => {
          setDiscarding(false)
          onDiscard()
        }}
      >
        <p>No changes were applied, so the table stays as it is.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Delete ${rows}?`}
        verb={`Apply ${changesText(counts.all)}`}
        error={undefined}
        pending={false}
        onConfirm={() => {
          setAsking(false)
          onApply()
        }}
      >
        <p>
          Applying permanently deletes {rows}, and rows in other tables that are set to be deleted
          with them.
        </p>
      </ConfirmDialog>
    </div>
  )
}

/** ~3 +1 -1 !1, with words for those who do not see the signs. */
export function ChangeSigns({ counts }: { counts: Props['counts'] }) {
  const parts = [
    { sign: '~', count: counts.updates, look: 'tone-warning', word: 'changed' },
    { sign: '+', count: counts.inserts, look: 'tone-success', word: 'new' },
    { sign: '\u2212', count: counts.deletes, look: 'tone-danger', word: 'to delete' },
    { sign: '!', count: counts.conflicts, look: 'tone-danger', word: 'in conflict' },
  ]
  return (
    <span className="change-signs">
      {parts
        .filter(({ count }) => count > 0)
        .map(({ sign, count, look, word }) => (
          <b key={sign} className={look}>
            <span aria-hidden>
              {sign}
              {count}
            </span>
            <span className="sr">
              {count} {word}
            </span>
          </b>
        ))}
    </span>
  )
}

type ChangesProblemProps = { entity: EntityDetail; error: CallError; refusal: Refusal | undefined }

/** Why nothing was saved: which row and which of its cells, and all that Postgres says about it. */
export function ChangesProblem({ entity, error, refusal }: ChangesProblemProps) {
  const { detail, hint } = refusedBy(error)
  const place = refusal && [refusal.name, ...refusal.columns].join(', ')
  return (
    <div className="changes-problem" role="alert">
      <p>
        {place !== undefined && <b>{place}: </b>}
        {tableProblem(error, entity)}
      </p>
      {detail !== undefined && <p className="muted">Detail: {detail}</p>}
      {hint !== undefined && <p className="muted">Hint: {hint}</p>}
    </div>
  )
}
