import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Change } from '#contract/ddl/change'
import { duplicateTable } from '#contract/ddl/tables/duplicate-table'
import type { RoleAccess, TableShape } from '#contract/ddl/tables/table-shape'
import { Alert } from '../../ui/Alert.tsx'
import { Checkbox } from '../../ui/controls/Checkbox.tsx'
import { TextField } from '../../ui/controls/TextField.tsx'
import { toast } from '../../ui/floats/toast.ts'
import { ReviewChange } from '../objects/ReviewChange.tsx'
import { PanelShell, LoadingPanel } from './PanelShell.tsx'
import { forgetTables, idOfTable, shapeQuery, startQuery } from './table-queries.ts'

type Props = {
  projectRef: string
  schema: string
  id: number
  onClose: () => void
  onDone: (id: number) => void
}

/** A copy of a table under another name. */
export function DuplicatePanel({ projectRef, schema, id, onClose, onDone }: Props) {
  const shape = useQuery(shapeQuery(projectRef, id))
  const start = useQuery(startQuery(projectRef, shape.data?.schema ?? schema))
  if (!shape.data || !start.data)
    return (
      <LoadingPanel title="Duplicate table" query={shape.error ? shape : start} onClose={onClose} />
    )
  return (
    <OpenPanel
      projectRef={projectRef}
      table={shape.data}
      given={start.data.access}
      onClose={onClose}
      onDone={onDone}
    />
  )
}

type OpenProps = Omit<Props, 'schema' | 'id'> & { table: TableShape; given: RoleAccess[] }

function OpenPanel({ projectRef, table, given, onClose, onDone }: OpenProps) {
  const [name, setName] = useState(`${table.name}_copy`)
  const [comment, setComment] = useState(table.comment ?? '')
  const [withRows, setWithRows] = useState(false)
  const [change, setChange] = useState<Change>()
  const newName = name.trim()
  async function done() {
    toast.success(`${newName} is created`)
    await forgetTables()
    const made = await idOfTable(projectRef, table.schema, newName)
    if (made === undefined) onClose()
    else onDone(made)
  }
  return (
    <>
      <PanelShell
        size="large"
        title={
          <>
            Duplicate <span className="mono">{table.name}</span>
          </>
        }
        verb="Duplicate table"
        onClose={onClose}
        onSubmit={() =>
          newName &&
          setChange(
            duplicateTable(table, {
              name: newName,
              comment: comment.trim() || null,
              withRows,
              given,
            }),
          )
        }
      >
        <TextField
          label="Name"
          mono
          autoComplete="off"
          error={newName ? undefined : 'A table needs a name'}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label="Description"
          autoComplete="off"
          value={comment}
          onChange={({ target }) => setComment(target.value)}
        />
        <Checkbox
          label={
            <>
              With all rows
              <span className="choice-help">
                Identity columns of the copy continue after the copied rows.
              </span>
            </>
          }
          checked={withRows}
          onChange={({ target }) => setWithRows(target.checked)}
        />
        {table.rls && (
          <Alert variant="info" title="Policies and triggers are not copied">
            Row level security stays on, so no one can reach the copy through the API until it has
            policies of its own.
          </Alert>
        )}
      </PanelShell>
      <ReviewChange
        projectRef={projectRef}
        change={change}
        title="Duplicate table"
        verb="Duplicate table"
        onClose={() => setChange(undefined)}
        onDone={done}
      />
    </>
  )
}
