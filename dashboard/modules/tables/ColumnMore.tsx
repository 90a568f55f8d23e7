import { SelectField } from '../../ui/controls/SelectField.tsx'
import { TextField } from '../../ui/controls/TextField.tsx'
import type { DraftColumn } from './draft-table.ts'

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
