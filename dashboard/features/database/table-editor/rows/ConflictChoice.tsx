import type { Column } from '#contract/database/pg-meta-shapes'
import { Button } from '../../../../ui/controls/Button.tsx'
import { cellView, newCellView } from '../grid/grid-columns.ts'
import type { StagedOfTable } from './staged-context.ts'
import { keepMine, undoCell, type StagedCell } from './staged.ts'
import { ValueText } from '../values/ValueText.tsx'

type Props = {
  id: string
  column: Column
  cell: StagedCell
  /** The row itself was deleted. */
  gone: boolean
  onChange: StagedOfTable['change']
}

/** Somebody else was faster: whose value is it to be? */
export function ConflictChoice({ id, column, cell, gone, onChange }: Props) {
  const drop = () => onChange((now) => undoCell(now, id, column.name))
  if (gone) {
    return (
      <div className="conflict">
        <p className="t12 muted">The row was deleted after you loaded it.</p>
        <Button onClick={drop}>Discard my change</Button>
      </div>
    )
  }
  return (
    <div className="conflict">
      <p className="t12 muted">It was changed after you loaded it.</p>
      <div className="conflict-sides">
        <Button onClick={() => onChange((now) => keepMine(now, id, column.name))}>Keep mine</Button>
        <span className="mono ell">
          <ValueText view={newCellView(column, cell.to)} />
        </span>
        <Button onClick={drop}>Take theirs</Button>
        <span className="mono ell">
          <ValueText view={cellView(column, cell.theirs ?? null)} />
        </span>
      </div>
    </div>
  )
}
