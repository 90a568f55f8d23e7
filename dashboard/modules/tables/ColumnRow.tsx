import { ChevronDown, ChevronRight, GripVertical, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/controls/IconButton.tsx'
import type { Option } from '../../ui/controls/options.ts'
import { TextField } from '../../ui/controls/TextField.tsx'
import { ColumnMore, ColumnMarks, DefaultField } from './ColumnFields.tsx'
import { adviceOn } from './column-types.ts'
import type { DraftColumn } from './draft-table.ts'
import { TypeField } from './TypeField.tsx'

type Props = {
  column: DraftColumn
  types: readonly Option[]
  enums: readonly string[]
  problem: string | undefined
  alone: boolean
  onChange: (next: Partial<DraftColumn>) => void
  onRemove: () => void
  /** Takes the place of the column with this id; undefined where the order is the table's. */
  onPlace: ((id: string) => void) | undefined
  onStep: ((step: 1 | -1) => void) | undefined
}

const dragType = 'application/x-plinth-column'

/** One column in the form of a table. */
export function ColumnRow({ column, types, enums, problem, alone, onChange, ...moves }: Props) {
  const { onRemove, onPlace, onStep } = moves
  const [open, setOpen] = useState(false)
  const [over, setOver] = useState(false)
  const called = column.name || 'this column'
  return (
    <div
      className={cx('column-row', over && 'drop-here')}
      onDragOver={(event) => {
        if (!onPlace || !event.dataTransfer.types.includes(dragType)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        const id = event.dataTransfer.getData(dragType)
        if (id && id !== column.id) onPlace?.(id)
      }}
    >
      <div className={cx('column-fields', onStep && 'movable')}>
        {onStep && (
          <button
            type="button"
            className="column-grip"
            draggable
            aria-label={`Move ${called}: arrow keys, or drag`}
            onDragStart={(event) => event.dataTransfer.setData(dragType, column.id)}
            onKeyDown={(event) => {
              const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
              if (!step) return
              event.preventDefault()
              onStep(step)
            }}
          >
            <Icon of={GripVertical} size="s" />
          </button>
        )}
        <TextField
          label="Name"
          mono
          autoComplete="off"
          error={problem}
          value={column.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <TypeField
          types={types}
          value={column.type}
          isArray={column.isArray}
          help={adviceOn(column.type)}
          onChange={(type) => onChange({ type })}
        />
        <DefaultField
          column={column}
          enums={enums}
          onChange={(value) => onChange({ default: value })}
        />
        <IconButton
          className="column-button"
          size="form"
          icon={open ? ChevronDown : ChevronRight}
          label={open ? `Less about ${called}` : `More about ${called}`}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
        <IconButton
          className="column-button"
          size="form"
          icon={Trash2}
          label={`Remove ${called}`}
          onClick={onRemove}
        />
      </div>
      <ColumnMarks column={column} alone={alone} onChange={onChange} />
      {open && <ColumnMore column={column} onChange={onChange} />}
    </div>
  )
}
