import { useQuery } from '@tanstack/react-query'
import { ChevronsUpDown } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Field } from '../../ui/controls/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { OptionList } from '../../ui/lists/OptionList.tsx'
import { Popover } from '../../ui/floats/Popover.tsx'
import { Checkbox } from '../../ui/controls/Checkbox.tsx'
import { triggerTablesQuery } from './triggers.ts'

type Props = {
  projectRef: string
  schema: string
  table: string
  /** What of a schema can have it. */
  kinds: readonly (keyof typeof kindNames)[]
  error: string | undefined
  onTable: (table: string) => void
}

const kindNames = {
  table: undefined,
  partitioned_table: 'partitioned',
  view: 'view',
  materialized_view: 'materialized view',
  foreign_table: 'foreign table',
} as const

/** Chooses a table or something like it of a schema that may have thousands: what is typed is searched on the server. */
export function TableField({ projectRef, schema, table, kinds, error, onTable }: Props) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const { data } = useQuery(triggerTablesQuery(projectRef, schema, { search: typed, kinds }))
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
            options={(data?.entities ?? []).map(({ name, kind }) => ({
              value: name,
              label: name,
              detail: kindNames[kind],
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

type EventChecksProps<Event extends string> = {
  events: readonly Event[]
  chosen: readonly Event[]
  error: string | undefined
  onChange: (chosen: Event[]) => void
  children?: ReactNode
}

/** Chooses what a trigger fires at. */
export function EventChecks<Event extends string>(props: EventChecksProps<Event>) {
  const { events, chosen, error, onChange, children } = props
  return (
    <fieldset className="object-rows">
      <legend className="label">Events</legend>
      <div className="object-checks">
        {events.map((event) => (
          <Checkbox
            key={event}
            label={event}
            checked={chosen.includes(event)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, event] : chosen.filter((one) => one !== event))
            }
          />
        ))}
      </div>
      {error && (
        <p className="err" role="alert">
          {error}
        </p>
      )}
      {children}
    </fieldset>
  )
}
