import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { LucideIcon } from 'lucide-react'
import { Table, type Column } from '../../ui/lists/Table.tsx'

type Props<Row> = {
  /** As "Event triggers". */
  label: string
  /** As "event trigger". */
  one: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  error: Error | null
  onRetry: () => void
  find: string
  /** What a search looks at, and what that is in words: "its name or parts". */
  textOf: (row: Row) => string
  searched: string
  /** Where the list is from. */
  schema?: string
  icon: LucideIcon
  /** What it means that there is none. */
  none: ReactNode
  /** The button that makes one, for an empty list. */
  create: ReactNode
}

/** A list of the database's objects: searched as somebody types, and empty in two different ways. */
export function ObjectTable<Row>(props: Props<Row>) {
  const { label, one, columns, rows, keyOf, error, onRetry, find, textOf } = props
  const wanted = find.trim().toLowerCase()
  return (
    <div className="card">
      <Table
        label={label}
        columns={columns}
        rows={rows?.filter((row) => textOf(row).toLowerCase().includes(wanted))}
        keyOf={keyOf}
        error={error}
        onRetry={onRetry}
        empty={
          wanted ? (
            <EmptyState icon={SearchX} title={`No ${one} matches`}>
              Nothing{props.schema && ` in ${props.schema}`} has “{find.trim()}” in {props.searched}
              .
            </EmptyState>
          ) : (
            <EmptyState
              icon={props.icon}
              title={`No ${label.toLowerCase()} yet`}
              action={props.create}
            >
              {props.none}
            </EmptyState>
          )
        }
      />
    </div>
  )
}
