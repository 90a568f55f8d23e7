import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Button } from '../../ui/controls/Button.tsx'
import { ColumnRow } from './ColumnRow.tsx'
import { typeOptions } from './column-types.ts'
import { draftColumn, type DraftColumn } from './draft-table.ts'
import { typesQuery } from './table-queries.ts'
import { enumsOf } from './enums-of.ts'

type Props = {
  projectRef: string
  columns: readonly DraftColumn[]
  problems: Record<string, string>
  /** Only a new table has an order to choose. */
  ordered: boolean
  onChange: (columns: DraftColumn[]) => void
}

export function ColumnsEditor({ projectRef, columns, problems, ordered, onChange }: Props) {
  const { data: types = [] } = useQuery(typesQuery(projectRef))
  const options = typeOptions(types)
  const alone = columns.filter(({ key }) => key).length === 1
  const place = (id: string, to: number) => {
    const moved = columns.find((column) => column.id === id)
    if (!moved || to < 0 || to >= columns.length) return
    onChange(columns.filter((column) => column !== moved).toSpliced(to, 0, moved))
  }
  return (
    <fieldset className="columns-editor">
      <legend className="section-title">Columns</legend>
      {columns.map((column, at) => (
        <ColumnRow
          key={column.id}
          column={column}
          types={options}
          enums={enumsOf(types, column.type)}
          problem={problems[column.id]}
          alone={alone}
          onChange={(next) =>
            onChange(columns.map((one) => (one === column ? { ...one, ...next } : one)))
          }
          onRemove={() => onChange(columns.filter((one) => one !== column))}
          onPlace={ordered ? (id) => place(id, at) : undefined}
          onStep={ordered ? (step) => place(column.id, at + step) : undefined}
        />
      ))}
      <Button icon={Plus} onClick={() => onChange([...columns, draftColumn()])}>
        Add column
      </Button>
    </fieldset>
  )
}
