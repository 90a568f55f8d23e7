import type { ResultCell } from '#contract/sql-query'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { isCut, textOf } from './result-export.ts'
import { CodeWell } from './CodeWell.tsx'
import { numberText } from '../../ui/number.ts'

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
          This is the beginning of {numberText(cell.bytes)} bytes. Select a part of it, with
          substring for one, to see the rest.
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
