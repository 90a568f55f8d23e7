import { ArrowDown, X } from 'lucide-react'
import type { IndexColumn } from '#contract/ddl/indexes'
import { Button } from '../../../ui/controls/Button.tsx'
import { Field } from '../../../ui/controls/Field.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Select } from '../../../ui/controls/Select.tsx'

type Props = {
  columns: readonly IndexColumn[]
  offered: readonly { name: string; format: string }[]
  /** Each column can go up or down. */
  ordered: boolean
  most: number
  onChange: (columns: IndexColumn[]) => void
}

/** The columns of an index, in the order in which they count. */
export function IndexColumnsField({ columns, offered, ordered, most, onChange }: Props) {
  const rest = offered.filter(({ name }) => columns.every((column) => column.name !== name))
  const full = columns.length >= most
  return (
    <Field
      label="Columns"
      help={
        full ? `An index has at most ${most} columns.` : 'List columns in the order you search.'
      }
    >
      {(control) => (
        <div className="form-stack">
          {columns.map((column, at) => (
            <div className="row" key={column.name}>
              <span className="mono grow ell">{column.name}</span>
              {ordered && (
                <Button
                  aria-pressed={column.descending === true}
                  onClick={() =>
                    onChange(columns.with(at, { ...column, descending: !column.descending }))
                  }
                >
                  {column.descending ? 'Descending' : 'Ascending'}
                </Button>
              )}
              {at < columns.length - 1 && (
                <IconButton
                  icon={ArrowDown}
                  label={`Move ${column.name} down`}
                  onClick={() => onChange(swapped(columns, at))}
                />
              )}
              <IconButton
                icon={X}
                label={`Leave ${column.name} out`}
                onClick={() => onChange(columns.filter((one) => one !== column))}
              />
            </div>
          ))}
          {!full && rest.length > 0 && (
            <Select
              {...control}
              label="Column"
              placeholder="Add a column"
              value={undefined}
              options={rest.map(({ name, format }) => ({
                value: name,
                label: name,
                detail: format,
              }))}
              onChange={(name) => onChange([...columns, { name }])}
            />
          )}
        </div>
      )}
    </Field>
  )
}

function swapped(columns: readonly IndexColumn[], at: number): IndexColumn[] {
  return columns.flatMap((column, i) => {
    const next = columns[at + 1]
    if (i === at + 1) return []
    return i === at && next ? [next, column] : [column]
  })
}
