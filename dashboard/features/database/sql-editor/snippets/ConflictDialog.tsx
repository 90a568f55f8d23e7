import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'
import type { Saved, Values } from '../running/query-values.ts'
import { CodeWell } from '../editor/CodeWell.tsx'

type Props = {
  mine: Values
  theirs: Saved
  onClose: () => void
  onKeepMine: () => void
  onCopy: () => void
  onTakeTheirs: () => void
}

/** Two versions of one query, and what to do about it. Closing decides nothing: both stay. */
export function ConflictDialog({ mine, theirs, onClose, onKeepMine, onCopy, onTakeTheirs }: Props) {
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
