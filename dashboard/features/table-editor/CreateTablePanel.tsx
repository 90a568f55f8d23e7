import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { pgMeta } from '#contract/pg-meta'
import { forget } from '../../api/client.ts'
import { useDatabaseCall } from '../../session/database.ts'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Form } from '../../ui/Form.tsx'
import { SidePanel } from '../../ui/SidePanel.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { ColumnFields } from './ColumnFields.tsx'
import {
  baseTypes,
  draftColumn,
  draftTable,
  newTableOf,
  problemsOf,
  type DraftColumn,
} from './new-table.ts'
import { typesQuery } from './queries.ts'

type Props = {
  projectRef: string
  schema: string
  onClose: () => void
  onCreated: (id: number) => void
}

export function CreateTablePanel({ projectRef, schema, onClose, onCreated }: Props) {
  const [table, setTable] = useState(draftTable)
  const [tried, setTried] = useState(false)
  const { data: types = [] } = useQuery(typesQuery(projectRef))
  const create = useDatabaseCall(pgMeta.createTable, {
    onSuccess: async (made) => {
      toast.success(`${made.name} is created`)
      await forget(pgMeta.entities)
      onCreated(made.id)
    },
  })
  const problems = problemsOf(table)
  const shown = tried ? problems : {}
  const typeOptions = [
    ...baseTypes.map(([value, detail]) => ({ value: value as string, label: value, detail })),
    ...types
      .filter(({ enums }) => enums.length > 0)
      .map(({ format, enums }) => ({
        value: format,
        label: format,
        detail: enums.join(', '),
        group: 'Enums',
      })),
  ]
  const change = (id: string, next: Partial<DraftColumn>) =>
    setTable((now) => ({
      ...now,
      columns: now.columns.map((column) => (column.id === id ? { ...column, ...next } : column)),
    }))

  function submit() {
    setTried(true)
    if (Object.keys(problems).length > 0) return
    create.mutate({ ref: projectRef, ...newTableOf(schema, table) })
  }

  return (
    <SidePanel
      open
      size="xlarge"
      onClose={onClose}
      title={
        <>
          New table in <span className="mono">{schema}</span>
        </>
      }
      shell={(inside) => (
        <Form error={undefined} pending={create.isPending} onSubmit={submit}>
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="form" variant="primary" busy={create.isPending}>
            Create table
          </Button>
        </>
      }
    >
      {create.error && <Alert variant="danger" title={create.error.message} />}
      <TextField
        label="Name"
        mono
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the panel was opened to name a table
        autoFocus
        error={shown.name}
        value={table.name}
        onChange={(event) => setTable({ ...table, name: event.target.value })}
      />
      <TextField
        label="Description"
        autoComplete="off"
        help="One line for the people who come after you."
        value={table.comment}
        onChange={(event) => setTable({ ...table, comment: event.target.value })}
      />
      <Checkbox
        label={
          <>
            Row level security
            <span className="choice-help">
              Nobody reads or writes through the API until a policy allows it.
            </span>
          </>
        }
        checked={table.secured}
        onChange={(event) => setTable({ ...table, secured: event.target.checked })}
      />
      {!table.secured && (
        <Alert
          variant="warning"
          title="Anyone with the project's public key can read and change every row"
        >
          Keep row level security on unless the whole table is meant to be public.
        </Alert>
      )}
      <fieldset className="new-columns">
        <legend className="section-title">Columns</legend>
        {table.columns.map((column) => (
          <ColumnFields
            key={column.id}
            column={column}
            types={typeOptions}
            problem={shown[column.id]}
            onChange={(next) => change(column.id, next)}
            onRemove={() =>
              setTable({ ...table, columns: table.columns.filter(({ id }) => id !== column.id) })
            }
          />
        ))}
        <Button
          icon={Plus}
          onClick={() => setTable({ ...table, columns: [...table.columns, draftColumn()] })}
        >
          Add column
        </Button>
      </fieldset>
    </SidePanel>
  )
}
