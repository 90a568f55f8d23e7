import { Checkbox } from '../../ui/controls/Checkbox.tsx'
import { canBeIdentity } from './column-types.ts'
import type { DraftColumn } from './draft-table.ts'

type Props = {
  column: DraftColumn
  /** A key of one column is unique by itself. */
  alone: boolean
  onChange: (next: Partial<DraftColumn>) => void
}

/** What is yes or no about a column. */
export function ColumnMarks({ column, alone, onChange }: Props) {
  const byIndex = column.was?.unique === true && column.was.unique_name === null
  const onlyKey = column.key && alone
  return (
    <div className="column-marks">
      <Checkbox
        label="Primary key"
        checked={column.key}
        onChange={({ target }) =>
          onChange({ key: target.checked, ...(target.checked ? { nullable: false } : {}) })
        }
      />
      <Checkbox
        label="Allow NULL"
        checked={column.nullable && !column.key && !column.identity}
        disabled={column.key || column.identity !== null}
        onChange={({ target }) => onChange({ nullable: target.checked })}
      />
      <Checkbox
        label={byIndex ? 'Unique, by an index' : 'Unique'}
        checked={column.unique || onlyKey}
        disabled={onlyKey || byIndex}
        onChange={({ target }) => onChange({ unique: target.checked })}
      />
      <Checkbox
        label="List of values"
        checked={column.isArray}
        disabled={column.identity !== null}
        onChange={({ target }) => onChange({ isArray: target.checked })}
      />
      {canBeIdentity(column.type) && !column.isArray && (
        <Checkbox
          label="Identity"
          checked={column.identity !== null}
          onChange={({ target }) =>
            onChange({
              identity: target.checked ? 'BY DEFAULT' : null,
              ...(target.checked ? { nullable: false, default: '' } : {}),
            })
          }
        />
      )}
    </div>
  )
}
