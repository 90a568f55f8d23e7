import { Button } from '../Button.tsx'
import { Keys } from '../Keys.tsx'
import type { ColumnView } from './grid-types.ts'

type Props = { column: ColumnView; onValue: (text: string | null) => void }

/** Values that can not be typed, and how to keep or drop what was. */
export function EditorFoot({ column, onValue }: Props) {
  return (
    <div className="cell-editor-foot">
      {column.nullable && (
        <Button variant="ghost" onClick={() => onValue(null)}>
          NULL
        </Button>
      )}
      {column.editor === 'text' && (
        <Button variant="ghost" onClick={() => onValue('')}>
          Empty
        </Button>
      )}
      {column.editor === 'moment' && (
        <Button variant="ghost" onClick={() => onValue('now')}>
          Now
        </Button>
      )}
      <span className="grow" />
      <Keys of="enter" />
      <span>keep</span>
      <Keys of="Esc" />
      <span>drop</span>
    </div>
  )
}
