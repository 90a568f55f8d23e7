import { Check, CloudOff, LoaderCircle, TriangleAlert } from 'lucide-react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { Tooltip } from '../../../../ui/floats/Tooltip.tsx'
import type { OpenQuery, SaveState } from '../open-query.ts'
import { useQueryView } from '../use-workspace.ts'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'
import type { Saved, Values } from '../running/query-values.ts'
import { CodeWell } from '../editor/CodeWell.tsx'

type Props = { query: OpenQuery; onReview: () => void }

/** Whether what is typed is on the server. */
export function SaveNote({ query, onReview }: Props) {
  const save = useQueryView(query, (view) => view.save)
  const isSaved = useQueryView(query, (view) => view.saved !== undefined)
  const unkept = useQueryView(query, (view) => view.unkept)
  return (
    <output className="sql-save t12 muted" data-save={save.kind}>
      <Words save={save} isSaved={isSaved} unkept={unkept} />
      {save.kind === 'failed' && <Button onClick={() => void query.save()}>Retry</Button>}
      {save.kind === 'conflict' && <Button onClick={onReview}>Review</Button>}
    </output>
  )
}

type Words = { save: SaveState; isSaved: boolean; unkept: boolean }

function Words({ save, isSaved, unkept }: Words) {
  switch (save.kind) {
    case 'saved':
      return isSaved ? (
        <>
          <Icon of={Check} size="s" />
          <span className="hide-narrow">Saved</span>
        </>
      ) : null
    case 'waiting':
    case 'saving':
      return (
        <>
          <Icon of={LoaderCircle} size="s" className="turning" />
          <span className="hide-narrow">Saving</span>
        </>
      )
    case 'failed':
      return (
        <Tooltip text={unkept ? `${save.message} Keep this tab open.` : save.message}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the reason is only in the tooltip */}
          <span className="st tone-danger" tabIndex={0}>
            <Icon of={CloudOff} size="s" />
            {unkept ? 'Not saved' : 'Kept in this browser'}
          </span>
        </Tooltip>
      )
    case 'conflict':
      return (
        <span className="st tone-warning">
          <Icon of={TriangleAlert} size="s" />
          Changed elsewhere
        </span>
      )
  }
}

type ConflictDialogProps = {
  mine: Values
  theirs: Saved
  onClose: () => void
  onKeepMine: () => void
  onCopy: () => void
  onTakeTheirs: () => void
}

/** Two versions of one query, and what to do about it. Closing decides nothing: both stay. */
export function ConflictDialog({
  mine,
  theirs,
  onClose,
  onKeepMine,
  onCopy,
  onTakeTheirs,
}: ConflictDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="This query was changed elsewhere"
      size="xlarge"
      footer={
        <>
          {/* First, so that work in the dialog begins at what loses nothing; shown last. */}
          <Button size="form" variant="primary" className="sql-last" onClick={onCopy}>
            Save mine as a copy
          </Button>
          <Button size="form" variant="danger-quiet" onClick={onTakeTheirs}>
            Take theirs
          </Button>
          <Button size="form" onClick={onKeepMine}>
            Keep mine
          </Button>
        </>
      }
    >
      <p>
        Another tab or person saved <b className="med">{theirs.name}</b> while you were writing.
        Nothing is overwritten until you choose.
      </p>
      <div className="sql-versions">
        <Version title="Mine, not saved" name={mine.name} sql={mine.sql} />
        <Version title={`Saved by ${theirs.owner}`} name={theirs.name} sql={theirs.sql} />
      </div>
    </Dialog>
  )
}

function Version({ title, name, sql }: { title: string; name: string; sql: string }) {
  return (
    <section className="stack" aria-label={title}>
      <p className="t12 muted">
        {title}: {name}
      </p>
      <CodeWell label={title}>{sql || 'Nothing'}</CodeWell>
    </section>
  )
}
