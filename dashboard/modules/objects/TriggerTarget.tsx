import { useQuery, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ChevronsUpDown } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { EnabledMode } from '#contract/ddl/triggers'
import { pgMeta } from '#contract/database/pg-meta'
import { Field } from '../../ui/controls/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { OptionList } from '../../ui/lists/OptionList.tsx'
import { Popover } from '../../ui/floats/Popover.tsx'
import { Checkbox } from '../../ui/controls/Checkbox.tsx'
import { databaseQuery } from '../../session/project/database.ts'

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

/** They change by SQL behind our back: long enough that the page takes over what its loader has read. */
const shortly = 2_000

/** What is beyond the first part of a long list is found by its name. */
export const triggerTablesQuery = (
  ref: string,
  schema: string,
  { search = '', kinds }: { search?: string; kinds?: readonly string[] | undefined } = {},
) =>
  queryOptions({
    ...databaseQuery(
      pgMeta.entities,
      {
        ref,
        schema,
        limit: 100,
        ...(search ? { search } : {}),
        ...(kinds ? { kinds: kinds.join(',') } : {}),
      },
      shortly,
    ),
    placeholderData: keepPreviousData,
  })

/** How it is enabled, in words: what Postgres calls origin, replica, always, disabled. */
export const modeNames: Record<EnabledMode, string> = {
  ORIGIN: 'Enabled',
  ALWAYS: 'Always',
  REPLICA: 'Replica only',
  DISABLED: 'Disabled',
}

export const modes = [
  { value: 'ORIGIN', label: 'Enabled', detail: 'not for replicated rows' },
  { value: 'ALWAYS', label: 'Always', detail: 'also for replicated rows' },
  { value: 'REPLICA', label: 'Replica only', detail: 'only for replicated rows' },
  { value: 'DISABLED', label: 'Disabled', detail: 'never' },
] as const
