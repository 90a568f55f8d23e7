import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronsUpDown } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Icon } from '../../../ui/Icon.tsx'
import { OptionList } from '../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../ui/floats/Popover.tsx'
import { tablesQuery } from './queries.ts'

type Props = {
  projectRef: string
  schema: string
  /** Undefined while nobody knows it. */
  name: string | undefined
  onTable: (id: number) => void
}

/** Chooses a table or view of a schema. In a schema of thousands the server looks for what is typed. */
export function TablePicker({ projectRef, schema, name, onTable }: Props) {
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const { data } = useQuery({
    ...tablesQuery(projectRef, schema, open ? search : ''),
    placeholderData: keepPreviousData,
  })
  return (
    <div className="schema-select">
      <Popover
        fit
        label="Table"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            className="in sel"
            aria-haspopup="listbox"
            aria-label={`Table: ${name ?? 'Choose'}`}
          >
            <span className="ell mono">{name ?? 'Choose a table'}</span>
            <Icon of={ChevronsUpDown} size="xs" />
          </button>
        }
      >
        <OptionList
          label="Tables"
          search="Find a table"
          onType={setTyped}
          options={(data?.entities ?? []).map((one) => ({
            value: String(one.id),
            label: one.name,
          }))}
          value={undefined}
          onSelect={(id) => {
            setOpen(false)
            setTyped('')
            onTable(Number(id))
          }}
        />
      </Popover>
    </div>
  )
}
