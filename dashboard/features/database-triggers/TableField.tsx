import { useQuery } from '@tanstack/react-query'
import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { Field } from '../../ui/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { OptionList } from '../../ui/OptionList.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { tablesQuery } from './queries.ts'

type Props = {
  projectRef: string
  schema: string
  table: string
  error: string | undefined
  onTable: (table: string) => void
}

const kinds = {
  table: undefined,
  partitioned_table: 'partitioned',
  view: 'view',
  materialized_view: 'materialized view',
  foreign_table: 'foreign table',
} as const

/** Chooses a table or view of a schema that may have thousands: what is typed is searched on the server. */
export function TableField({ projectRef, schema, table, error, onTable }: Props) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const { data } = useQuery(tablesQuery(projectRef, schema, typed))
  // Postgres knows no triggers of these.
  const entities = data?.entities.filter(({ kind }) => kind !== 'materialized_view') ?? []
  return (
    <Field label="Table" error={error}>
      {(control) => (
        <Popover
          fit
          label="Table"
          open={open}
          onOpenChange={setOpen}
          trigger={
            <button
              {...control}
              type="button"
              className="in sel f mono"
              aria-haspopup="listbox"
              aria-label={`Table: ${table || 'Choose'}`}
            >
              {table ? (
                <span className="ell grow">{table}</span>
              ) : (
                <span className="ph grow">Choose</span>
              )}
              <Icon of={ChevronsUpDown} size="xs" />
            </button>
          }
        >
          <OptionList
            label="Table"
            search={`Find a table of ${schema}`}
            options={entities.map(({ name, kind }) => ({
              value: name,
              label: name,
              detail: kinds[kind],
            }))}
            value={table}
            onType={setTyped}
            onSelect={(next) => {
              setOpen(false)
              setTyped('')
              onTable(next)
            }}
          />
        </Popover>
      )}
    </Field>
  )
}
