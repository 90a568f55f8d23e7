import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dropColumn } from '#contract/ddl/tables/drop-table'
import { Checkbox } from '../../ui/controls/Checkbox.tsx'
import { toast } from '../../ui/floats/toast.ts'
import { ReviewChange } from '../objects/ReviewChange.tsx'
import { ofTables, shapeQuery } from './table-queries.ts'

export type DropColumnProps = {
  projectRef: string
  tableId: number
  column: string
  onClose: () => void
  onDone: () => void
}

/** Asks before a column goes, with everything that is in it. */
export function DropColumnDialog({ projectRef, tableId, column, ...rest }: DropColumnProps) {
  const { onClose, onDone } = rest
  const { data: table } = useQuery(shapeQuery(projectRef, tableId))
  const [cascade, setCascade] = useState(false)
  if (!table) return null
  return (
    <ReviewChange
      projectRef={projectRef}
      change={dropColumn(table, column, cascade)}
      title={
        <>
          Delete column <span className="mono">{column}</span>
        </>
      }
      verb="Delete column"
      danger
      typeName={column}
      onClose={onClose}
      changes={ofTables}
      onDone={() => {
        toast.success(`${column} is deleted`)
        onDone()
      }}
    >
      <p>
        Every value of <span className="mono">{column}</span> in{' '}
        <span className="mono">{table.name}</span> is deleted, with the indexes and keys that it is
        part of. This cannot be undone.
      </p>
      <Checkbox
        label="Also delete dependent views and foreign keys"
        checked={cascade}
        onChange={({ target }) => setCascade(target.checked)}
      />
    </ReviewChange>
  )
}
