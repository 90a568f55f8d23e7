import { Trash2 } from 'lucide-react'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import type { Option } from '../../ui/options.ts'
import { SelectField } from '../../ui/SelectField.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { canBeIdentity, type DraftColumn } from './new-table.ts'

type Props = {
  column: DraftColumn
  types: readonly Option[]
  problem: string | undefined
  onChange: (next: Partial<DraftColumn>) => void
  onRemove: () => void
}

/** One column of a table to be made. */
export function ColumnFields({ column, types, problem, onChange, onRemove }: Props) {
  const identity = column.is_identity && canBeIdentity(column.type)
  const called = column.name || 'this column'
  const box = (
    label: string,
    checked: boolean,
    change: (on: boolean) => void,
    disabled = false,
  ) => (
    <Checkbox
      label={label}
      checked={checked}
      disabled={disabled}
      onChange={(event) => change(event.target.checked)}
    />
  )
  return (
    <div className="new-column">
      <div className="new-column-fields">
        <TextField
          label="Name"
          mono
          autoComplete="off"
          error={problem}
          value={column.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <SelectField
          label="Type"
          options={types}
          value={column.type}
          onChange={(type) => onChange({ type })}
        />
        <TextField
          label="Default"
          mono
          autoComplete="off"
          disabled={identity}
          placeholder={identity ? 'counts up by itself' : 'NULL'}
          value={identity ? '' : column.default_value}
          onChange={(event) => onChange({ default_value: event.target.value })}
        />
        <IconButton
          className="new-column-remove"
          size="form"
          icon={Trash2}
          label={`Remove ${called}`}
          onClick={onRemove}
        />
      </div>
      <div className="new-column-marks">
        {box('Primary key', column.is_primary_key, (on) =>
          onChange({ is_primary_key: on, ...(on ? { is_nullable: false } : {}) }),
        )}
        {box(
          'Allow NULL',
          column.is_nullable,
          (on) => onChange({ is_nullable: on }),
          column.is_primary_key,
        )}
        {box(
          'Unique',
          column.is_unique,
          (on) => onChange({ is_unique: on }),
          column.is_primary_key,
        )}
        {canBeIdentity(column.type) &&
          box('Identity', column.is_identity, (on) => onChange({ is_identity: on }))}
      </div>
    </div>
  )
}
