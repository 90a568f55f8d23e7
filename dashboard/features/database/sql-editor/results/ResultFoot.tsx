import { useState } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CellDialog } from './CellDialog.tsx'
import { rowsText } from './duration.ts'
import type { StatementRun } from '../running/run-state.ts'
import { numberText } from '../../../../ui/text/number.ts'

type Props = {
  statement: StatementRun
  cell: { row: number; column: number } | undefined
  onRunWithoutLimit: () => void
}

/** How many rows there are, whether all of them, and the selected value. */
export function ResultFoot({ statement, cell, onRunWithoutLimit }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { received, arrived, limitedTo, cut, fields, rows, status } = statement
  const field = cell && fields?.[cell.column]
  const limited = limitedTo !== null && status === 'done' && received >= limitedTo
  return (
    <div className="foot">
      <output>{rowsText(arrived)}</output>
      {arrived > received && (
        <span className="tone-warning">
          The first {numberText(received)} are shown; Export has all of them
        </span>
      )}
      {limited && (
        <>
          <span>Limit of {limitedTo} added</span>
          <Button variant="ghost" onClick={onRunWithoutLimit}>
            Run without limit
          </Button>
        </>
      )}
      {cut && <span className="tone-warning">There were more: only these were sent</span>}
      <span className="grow" />
      {cell && field && (
        <Button variant="ghost" onClick={() => setOpen(true)}>
          Show value
        </Button>
      )}
      {isOpen && cell && field && (
        <CellDialog
          name={field.name}
          type={field.type}
          cell={rows[cell.row]?.[cell.column] ?? null}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
