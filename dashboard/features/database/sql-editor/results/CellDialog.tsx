import type { ResultCell } from '#contract/database/sql/sql-query'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'
import { isCut, textOf } from './result-export.ts'
import { CodeWell } from '../editor/CodeWell.tsx'
import { numberText } from '../../../../ui/text/number.ts'

type Props = { name: string; type: string; cell: ResultCell; onClose: () => void }

/** One value, as much of it as was sent. */
export function CellDialog({ name, type, cell, onClose }: Props) {
  const text = textOf(cell)
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={
        <span className="row">
          <span className="mono">{name}</span>
          <span className="mono faint">{type}</span>
        </span>
      }
      footer={
        <Button size="form" onClick={onClose}>
          Done
        </Button>
      }
    >
      {isCut(cell) && typeof cell === 'object' && cell !== null && (
        <p className="muted">
          This is the start of {numberText(cell.bytes)} bytes. To see the rest, select a part of it,
          for example with substring.
        </p>
      )}
      <div className="sql-cell">
        <CodeWell label={`Value of ${name}`}>
          {text === null ? <i className="faint">NULL</i> : pretty(text, type)}
        </CodeWell>
        <CopyButton text={text ?? ''} what="value" />
      </div>
    </Dialog>
  )
}

/** JSON with its lines broken, when it is whole. */
function pretty(text: string, type: string): string {
  if (type !== 'json' && type !== 'jsonb') return text
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value, null, 2)
  } catch {
    return text
  }
}
