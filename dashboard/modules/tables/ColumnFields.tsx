import { Sparkles } from 'lucide-react'
import { SelectField } from '../../ui/controls/Select.tsx'
import { TextField } from '../../ui/controls/TextField.tsx'
import { Checkbox } from '../../ui/controls/Checkbox.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { IconButton } from '../../ui/controls/IconButton.tsx'
import { Menu } from '../../ui/floats/Menu.tsx'
import { MenuItem } from '../../ui/floats/MenuItem.tsx'
import type { DraftColumn } from './draft-table.ts'
import { canBeIdentity, suggestedDefaults } from './column-types.ts'

type Props = { column: DraftColumn; onChange: (next: Partial<DraftColumn>) => void }

const identities = [
  { value: 'BY DEFAULT', label: 'Auto-increment unless a value is given', detail: 'by default' },
  { value: 'ALWAYS', label: 'Always auto-increment', detail: 'always' },
] as const

/** The parts of a column that few need: description, check, generated values, kind of identity. */
export function ColumnMore({ column, onChange }: Props) {
  // Postgres changes how a column is generated, but does not make one generated that has values of its own.
  const plain = column.was !== undefined && column.was.generated === null
  return (
    <div className="column-more">
      <TextField
        label="Description"
        autoComplete="off"
        value={column.comment}
        onChange={({ target }) => onChange({ comment: target.value })}
      />
      <TextField
        label="Check"
        mono
        autoComplete="off"
        placeholder={`length(${column.name || 'name'}) > 0`}
        help="SQL that must be true for every row."
        value={column.check}
        onChange={({ target }) => onChange({ check: target.value })}
      />
      <TextField
        label="Generated from"
        mono
        autoComplete="off"
        disabled={plain}
        placeholder={plain ? '' : 'price * amount'}
        help={
          plain
            ? 'Only a new column can be generated: this one already has values.'
            : 'SQL over the other columns. The database keeps the value up to date.'
        }
        value={column.generated}
        onChange={({ target }) => onChange({ generated: target.value })}
      />
      {column.identity && (
        <SelectField
          label="Identity"
          options={identities}
          value={column.identity}
          onChange={(identity) => onChange({ identity })}
        />
      )}
    </div>
  )
}

type ColumnMarksProps = {
  column: DraftColumn
  /** A key of one column is unique by itself. */
  alone: boolean
  onChange: (next: Partial<DraftColumn>) => void
}

/** What is yes or no about a column. */
export function ColumnMarks({ column, alone, onChange }: ColumnMarksProps) {
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

type DefaultFieldProps = {
  column: DraftColumn
  enums: readonly string[]
  help?: string
  onChange: (value: string) => void
}

/** A default: a value, or SQL. Behind the button are those that columns of the type often have. */
export function DefaultField({ column, enums, help, onChange }: DefaultFieldProps) {
  const taken = column.identity
    ? 'Auto-increment'
    : column.generated.trim()
      ? 'Generated'
      : undefined
  const suggestions = taken ? [] : suggestedDefaults(column.type, column.isArray, enums)
  return (
    <Field label="Default" help={help}>
      {(control) => (
        <div className="in f mono ends" aria-disabled={taken ? true : undefined}>
          <input
            type="text"
            {...control}
            autoComplete="off"
            disabled={taken !== undefined}
            placeholder={taken ?? 'NULL'}
            value={taken ? '' : column.default}
            onChange={(event) => onChange(event.target.value)}
          />
          {suggestions.length > 0 && (
            <Menu
              label="Suggested defaults"
              align="end"
              trigger={<IconButton icon={Sparkles} iconSize="s" label="Suggested defaults" />}
            >
              {suggestions.map(({ value, what }) => (
                <MenuItem key={value} onSelect={() => onChange(value)}>
                  <span className="mono">{value}</span>
                  <span className="choice-help">{what}</span>
                </MenuItem>
              ))}
            </Menu>
          )}
        </div>
      )}
    </Field>
  )
}
