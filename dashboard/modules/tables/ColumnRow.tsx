import { ChevronDown, ChevronRight, GripVertical, Sparkles, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Checkbox } from '../../ui/controls/Checkbox.tsx'
import { Field } from '../../ui/controls/Field.tsx'
import { SelectField } from '../../ui/controls/Select.tsx'
import { cx } from '../../ui/cx.ts'
import { Menu } from '../../ui/floats/Menu.tsx'
import { MenuItem } from '../../ui/floats/MenuItem.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/controls/IconButton.tsx'
import type { Option } from '../../ui/controls/options.ts'
import { TextField } from '../../ui/controls/TextField.tsx'
import { adviceOn, canBeIdentity, suggestedDefaults } from './column-types.ts'
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

type ColumnMoreProps = { column: DraftColumn; onChange: (next: Partial<DraftColumn>) => void }

const identities = [
  { value: 'BY DEFAULT', label: 'Auto-increment unless a value is given', detail: 'by default' },
  { value: 'ALWAYS', label: 'Always auto-increment', detail: 'always' },
] as const

/** The parts of a column that few need: description, check, generated values, kind of identity. */
export function ColumnMore({ column, onChange }: ColumnMoreProps) {
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
