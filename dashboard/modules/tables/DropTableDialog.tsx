import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dropTable } from '#contract/ddl/tables/drop-table'
import { pgMeta } from '#contract/database/pg-meta'
import { Checkbox } from '../../ui/controls/Checkbox.tsx'
import { toast } from '../../ui/floats/toast.ts'
import { databaseQuery } from '../../session/project/database.ts'
import { ReviewChange } from '../objects/ReviewChange.tsx'
import { ofTables } from './table-queries.ts'
import { numberText } from '../../ui/text/number.ts'

export type DropTableProps = {
  projectRef: string
  tableId: number
  onClose: () => void
  /** Leaves the page of the table. */
  onGone?: () => unknown
  onDone: () => void
}

/** Says what goes with a table, and asks for its name. */
export function DropTableDialog(props: DropTableProps) {
  const { projectRef, tableId, onClose, onGone, onDone } = props
  const { data: table } = useQuery({
    ...databaseQuery(pgMeta.entity, { ref: projectRef, id: tableId }),
    // It is about to be gone: what is read again with everything else does not ask for it.
    staleTime: 'static',
  })
  const [cascade, setCascade] = useState(false)
  if (!table) return null
  const rows = table.rows_estimate ? `, about ${numberText(table.rows_estimate)}` : ''
  return (
    <ReviewChange
      projectRef={projectRef}
      change={dropTable(table, cascade)}
      title={
        <>
          Delete table <span className="mono">{table.name}</span>
        </>
      }
      verb="Delete table"
      danger
      typeName={table.name}
      onClose={onClose}
      onAnswer={onGone}
      changes={ofTables}
      onDone={() => {
        toast.success(`${table.name} is deleted`)
        onDone()
      }}
    >
      <p>This deletes the table with all its rows. It cannot be undone.</p>
      <ul className="lost">
        <li>Every row in it{rows}</li>
        <li>Its policies, indexes and triggers</li>
        <li>Its place in the API: apps that read it stop working</li>
      </ul>
      <Checkbox
        label={
          <>
            Also what depends on it
            <span className="choice-help">
              Views that read it and foreign keys that point to it. Without this option, the
              database refuses if there are any.
            </span>
          </>
        }
        checked={cascade}
        onChange={({ target }) => setCascade(target.checked)}
      />
    </ReviewChange>
  )
}
