import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeName, type Change } from '#contract/ddl/change'
import { editTable } from '#contract/ddl/tables/edit-table'
import type { TableShape } from '#contract/ddl/tables/table-shape'
import { Alert } from '../../ui/Alert.tsx'
import { TextField } from '../../ui/controls/TextField.tsx'
import { toast } from '../../ui/floats/toast.ts'
import { ReviewChange } from '../objects/ReviewChange.tsx'
import { adviceOn, typeOptions } from './column-types.ts'
import { ColumnMore, ColumnMarks, DefaultField } from './ColumnRow.tsx'
import { draftColumn, draftOf, wantedOf, problemsOf } from './draft-table.ts'
import { KeysEditor } from './KeysEditor.tsx'
import { PanelShell, LoadingPanel } from './PanelShell.tsx'
import { ofTables, shapeQuery, typesQuery, enumsOf } from './table-queries.ts'
import { TypeField } from './TypeField.tsx'
import './tables.css'

export type ColumnPanelProps = {
  projectRef: string
  tableId: number
  /** Undefined: a new one. */
  column: string | undefined
  onClose: () => void
  onDone: () => void
}

/** One column: a new one, or what is to be changed about one that is there. */
export function ColumnPanel({ projectRef, tableId, column, onClose, onDone }: ColumnPanelProps) {
  const shape = useQuery({ ...shapeQuery(projectRef, tableId), refetchOnWindowFocus: false })
  const [begun, setBegun] = useState<TableShape>()
  if (shape.data && !shape.isFetching && !begun) setBegun(shape.data)
  if (!begun)
    return (
      <LoadingPanel
        title={column === undefined ? 'New column' : 'Edit column'}
        query={shape}
        onClose={onClose}
      />
    )
  const props = { projectRef, table: begun, column, onClose, onDone }
  return <OpenPanel {...props} />
}

type OpenProps = Omit<ColumnPanelProps, 'tableId'> & { table: TableShape }

function OpenPanel({ projectRef, table, column, onClose, onDone }: OpenProps) {
  const isNew = column === undefined
  const [draft, setDraft] = useState(() => {
    const start = draftOf(table)
    return isNew ? { ...start, columns: [...start.columns, draftColumn()] } : start
  })
  const [tried, setTried] = useState(false)
  const [change, setChange] = useState<Change>()
  const { data: types = [] } = useQuery(typesQuery(projectRef))
  const one = draft.columns.find(({ was }) => was?.name === column)
  const problems = problemsOf(draft)
  const shown = tried ? problems : {}
  const verb = isNew ? 'Add column' : 'Save column'
  if (!one) {
    return (
      <PanelShell
        title="Edit column"
        verb="Close"
        size="large"
        onClose={onClose}
        onSubmit={onClose}
      >
        <Alert variant="danger" title={`${table.name} has no column ${column ?? ''} any more`} />
      </PanelShell>
    )
  }
  const set = (next: Partial<typeof one>) =>
    setDraft({
      ...draft,
      columns: draft.columns.map((other) => (other === one ? { ...other, ...next } : other)),
    })
  const needsValues = isNew && !one.nullable && !one.default && !one.identity && !one.generated

  function submit() {
    setTried(true)
    if (!one || Object.keys(problems).length > 0) return
    const name = isNew
      ? changeName('add column', one.name, 'to', table.name)
      : changeName('edit column', column, 'of', table.name)
    const made = editTable(table, wantedOf(draft, table), name)
    if (made.statements.length > 0) return setChange(made)
    toast.success('Nothing was changed')
    onClose()
  }

  return (
    <>
      <PanelShell
        size="large"
        title={
          isNew ? (
            <>
              New column in <span className="mono">{table.name}</span>
            </>
          ) : (
            <>
              Edit <span className="mono">{column}</span>
            </>
          )
        }
        verb={verb}
        onClose={onClose}
        onSubmit={submit}
      >
        <TextField
          label="Name"
          mono
          autoComplete="off"
          error={shown[one.id]}
          value={one.name}
          onChange={({ target }) => set({ name: target.value })}
        />
        <TypeField
          types={typeOptions(types)}
          value={one.type}
          isArray={one.isArray}
          help={adviceOn(one.type)}
          onChange={(type) => set({ type })}
        />
        <DefaultField
          column={one}
          enums={enumsOf(types, one.type)}
          help="A value, or SQL such as now()."
          onChange={(value) => set({ default: value })}
        />
        <ColumnMarks
          column={one}
          alone={draft.columns.filter(({ key }) => key).length === 1}
          onChange={set}
        />
        {needsValues && (
          <Alert variant="warning" title="Existing rows have no value for this column">
            Give it a default or allow NULL, unless the table is empty.
          </Alert>
        )}
        <ColumnMore column={one} onChange={set} />
        <KeysEditor
          projectRef={projectRef}
          table={draft}
          problems={shown}
          onChange={(keys) => setDraft({ ...draft, keys })}
          of={one.id}
        />
      </PanelShell>
      <ReviewChange
        projectRef={projectRef}
        change={change}
        title={verb}
        verb={verb}
        onClose={() => setChange(undefined)}
        changes={ofTables}
        onDone={() => {
          toast.success(isNew ? `${one.name.trim()} is added` : `${one.name.trim()} is saved`)
          onDone()
        }}
      />
    </>
  )
}
