import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Change } from '#contract/ddl/change'
import { createTable } from '#contract/ddl/tables/create-table'
import { duplicateTable } from '#contract/ddl/tables/duplicate-table'
import { editTable } from '#contract/ddl/tables/edit-table'
import type { RoleAccess, TableShape } from '#contract/ddl/tables/table-shape'
import { Alert } from '../../ui/Alert.tsx'
import { Checkbox } from '../../ui/controls/Checkbox.tsx'
import { TextField } from '../../ui/controls/TextField.tsx'
import { toast } from '../../ui/floats/toast.ts'
import { ReviewChange } from '../objects/ReviewChange.tsx'
import { draftOf, draftTable, wantedOf, type DraftTable, problemsOf } from './draft-table.ts'
import { PanelShell, LoadingPanel } from './PanelShell.tsx'
import { ofTables, idOfTable, shapeQuery, startQuery } from './table-queries.ts'
import { TableForm } from './TableForm.tsx'
import './tables.css'

export type TablePanelProps = {
  projectRef: string
  schema: string
  what: { kind: 'create' } | { kind: 'edit' | 'duplicate'; id: number }
  onClose: () => void
  /** With the id of the table that was made or changed. */
  onDone: (id: number) => void
}

/** Makes, changes or copies a table. What it is about to do is shown as SQL first. */
export function TablePanel({ what, ...props }: TablePanelProps) {
  switch (what.kind) {
    case 'create':
      return <NewTable {...props} />
    case 'edit':
      return <EditTable {...props} id={what.id} />
    case 'duplicate':
      return <DuplicatePanel {...props} id={what.id} />
  }
}

type Common = Omit<TablePanelProps, 'what'>

function NewTable(props: Common) {
  const { projectRef, schema, onClose } = props
  const start = useQuery({ ...startQuery(projectRef, schema), staleTime: Infinity })
  if (!start.data) return <LoadingPanel title="New table" query={start} onClose={onClose} />
  const { access } = start.data
  const make = (draft: DraftTable) => {
    const { columns, ...table } = wantedOf(draft)
    return createTable({ ...table, columns: columns.map(({ was: _was, ...one }) => one) }, access)
  }
  return (
    <OpenPanel
      {...props}
      title={
        <>
          New table in <span className="mono">{schema}</span>
        </>
      }
      verb="Create table"
      start={draftTable(schema, start.data)}
      before={undefined}
      given={access}
      make={make}
      id={undefined}
    />
  )
}

function EditTable({ id, ...props }: Common & { id: number }) {
  // What the form began with is what the change is compared with, however long the form is open.
  const shape = useQuery({ ...shapeQuery(props.projectRef, id), refetchOnWindowFocus: false })
  const [begun, setBegun] = useState<TableShape>()
  if (shape.data && !shape.isFetching && !begun) setBegun(shape.data)
  if (!begun) return <LoadingPanel title="Edit table" query={shape} onClose={props.onClose} />
  return (
    <OpenPanel
      {...props}
      title={
        <>
          Edit <span className="mono">{begun.name}</span>
        </>
      }
      verb="Save table"
      start={draftOf(begun)}
      before={begun}
      make={(draft) => editTable(begun, wantedOf(draft, begun))}
      id={id}
    />
  )
}

type OpenProps = Common & {
  title: ReactNode
  verb: string
  start: DraftTable
  before: TableShape | undefined
  given?: readonly RoleAccess[]
  make: (draft: DraftTable) => Change
  id: number | undefined
}

function OpenPanel({
  projectRef,
  title,
  verb,
  start,
  before,
  given,
  make,
  id,
  ...rest
}: OpenProps) {
  const { onClose, onDone } = rest
  const [draft, setDraft] = useState(start)
  const [tried, setTried] = useState(false)
  const [change, setChange] = useState<Change>()
  const problems = problemsOf(draft)
  const kept = new Set(draft.columns.map(({ was }) => was?.name))
  const lost = before?.columns.filter(({ name }) => !kept.has(name)).map(({ name }) => name) ?? []

  function submit() {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    const made = make(draft)
    if (made.statements.length > 0) return setChange(made)
    toast.success('Nothing was changed')
    onClose()
  }
  async function done() {
    const name = draft.name.trim()
    toast.success(id === undefined ? `${name} is created` : `${name} is saved`)
    const made = id ?? (await idOfTable(projectRef, draft.schema, name))
    if (made === undefined) onClose()
    else onDone(made)
  }

  return (
    <>
      <PanelShell title={title} verb={verb} onClose={onClose} onSubmit={submit}>
        <TableForm
          projectRef={projectRef}
          draft={draft}
          isNew={id === undefined}
          given={given}
          problems={tried ? problems : {}}
          onChange={setDraft}
        />
      </PanelShell>
      <ReviewChange
        projectRef={projectRef}
        change={change}
        title={verb}
        verb={verb}
        danger={lost.length > 0}
        onClose={() => setChange(undefined)}
        changes={ofTables}
        onDone={done}
      >
        {lost.length > 0 && (
          <Alert variant="danger" title={`${lost.join(', ')}: every value is deleted`}>
            A column that is dropped cannot be brought back.
          </Alert>
        )}
      </ReviewChange>
    </>
  )
}

type Props = {
  projectRef: string
  schema: string
  id: number
  onClose: () => void
  onDone: (id: number) => void
}

/** A copy of a table under another name. */
function DuplicatePanel({ projectRef, schema, id, onClose, onDone }: Props) {
  const shape = useQuery(shapeQuery(projectRef, id))
  const start = useQuery(startQuery(projectRef, shape.data?.schema ?? schema))
  if (!shape.data || !start.data)
    return (
      <LoadingPanel title="Duplicate table" query={shape.error ? shape : start} onClose={onClose} />
    )
  return (
    <OpenDuplicate
      projectRef={projectRef}
      table={shape.data}
      given={start.data.access}
      onClose={onClose}
      onDone={onDone}
    />
  )
}

type OpenDuplicateProps = Omit<Props, 'schema' | 'id'> & { table: TableShape; given: RoleAccess[] }

function OpenDuplicate({ projectRef, table, given, onClose, onDone }: OpenDuplicateProps) {
  const [name, setName] = useState(`${table.name}_copy`)
  const [comment, setComment] = useState(table.comment ?? '')
  const [withRows, setWithRows] = useState(false)
  const [change, setChange] = useState<Change>()
  const newName = name.trim()
  async function done() {
    toast.success(`${newName} is created`)
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
        changes={ofTables}
        onDone={done}
      />
    </>
  )
}
