import { Maximize2 } from 'lucide-react'
import { Button } from '../controls/Button.tsx'
import { IconButton } from '../controls/IconButton.tsx'
import { Keys } from '../text/Keys.tsx'
import type { ColumnView, EditorKind } from './grid-types.ts'

type Props = {
  column: ColumnView
  /** Takes a value and ends the editing. */
  onValue: (text: string | null) => void
  /** Puts a value into the field. */
  onType: (text: string) => void
  onSpread: (() => void) | undefined
  onExpand: (() => void) | undefined
}

const pickers: Partial<Record<EditorKind, 'date' | 'time' | 'datetime-local'>> = {
  date: 'date',
  time: 'time',
  moment: 'datetime-local',
}
const now: Partial<Record<EditorKind, { label: string; value: string }>> = {
  date: { label: 'Today', value: 'today' },
  time: { label: 'Now', value: 'now' },
  moment: { label: 'Now', value: 'now' },
}

/** Values that cannot be typed, and how to save or cancel what was typed. */
export function EditorFoot({ column, onValue, onType, onSpread, onExpand }: Props) {
  const { editor = 'text' } = column
  const picker = pickers[editor]
  const present = now[editor]
  return (
    <div className="cell-editor-foot">
      {column.nullable && (
        <Button variant="ghost" onClick={() => onValue(null)}>
          NULL
        </Button>
      )}
      {editor === 'text' && column.problem?.('') === undefined && (
        <Button variant="ghost" onClick={() => onValue('')}>
          Empty
        </Button>
      )}
      {present && (
        <Button variant="ghost" onClick={() => onValue(present.value)}>
          {present.label}
        </Button>
      )}
      {picker && (
        <input
          className="moment-picker"
          type={picker}
          step={picker === 'date' ? undefined : 1}
          aria-label={`Pick ${column.name}`}
          onChange={({ target }) => target.value && onType(target.value.replace('T', ' '))}
        />
      )}
      {editor === 'uuid' && (
        <Button variant="ghost" onClick={() => onValue(crypto.randomUUID())}>
          Random
        </Button>
      )}
      {onSpread && (
        <Button variant="ghost" onClick={onSpread}>
          Format
        </Button>
      )}
      <span className="grow" />
      {onExpand && (
        <IconButton icon={Maximize2} iconSize="s" label="Open in a panel" onClick={onExpand} />
      )}
      <Keys of="enter" />
      <span>Save</span>
      <Keys of="Esc" />
      <span>Cancel</span>
    </div>
  )
}
