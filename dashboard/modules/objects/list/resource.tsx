import type { UseQueryOptions } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint'
import type { CallError } from '../../../api/client.ts'
import type { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import type { IconType } from '../../../ui/Icon.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import type { Asked } from '../ReviewChange.tsx'

/** What a page keeps in the address. */
export type Texts = Readonly<Partial<Record<string, string>>>

/** A choice that narrows the list; `all` is in no address. */
export type Choice = {
  name: string
  label: string
  options: readonly { value: string; label: string }[]
}

/** What stands above a list, as data. */
type Head = {
  title: string
  help: string
  /** Of the list, where the title is not it. */
  label?: string
  icon: IconType
  /** Where its objects are: a page of those in a schema asks which. */
  within: 'schema' | 'database'
  /** The search field: its label, and its name in the address. */
  find: { label: string; name: 'find' | 'q' }
  choices?: readonly Choice[]
}

/** The page as it is now: what a description decides by, and what it can do. */
export type Place<Row, More = undefined> = {
  of: Head
  projectRef: string
  /** Whose objects are listed, where they are those of one schema. */
  schema: string
  search: Texts
  onSearch: (search: Texts) => void
  /** What is searched for, in lower case. */
  text: string
  /** All that there are, whatever is searched for; undefined while loading. */
  rows: readonly Row[] | undefined
  more: More
  why: ReturnType<typeof useDenials>
  /** Why nothing is changed in this schema. */
  locked: string | undefined
  /** Why none can be made here. */
  denied: string | undefined
  /** The button that makes one. */
  create: ReactNode
  ask: (asked: Asked) => void
  /** Shows a panel over the page; it sees the page as it goes on. */
  open: (panel: (place: Place<Row, More>) => ReactNode) => void
  close: () => void
}

export type Slot<Row, More> = (place: Place<Row, More>) => ReactNode

/** A page of database/ that lists objects, as a description; ObjectsPage.tsx is what all of them share. */
export type Resource<Row, More = undefined, Data = Row[]> = Head & {
  query: (ref: string, schema: string) => UseQueryOptions<Data, CallError>
  rowsOf: (data: Data, schema: string) => readonly Row[]
  keyOf: (row: Row) => string
  /** The rows that are searched for. */
  narrow: (rows: readonly Row[], place: Place<Row, More>) => readonly Row[]
  columns: (place: Place<Row, More>) => readonly Column<Row>[]
  rowHeight?: 60
  /** An EmptyState: nothing there, or nothing found. */
  empty: Slot<Row, More>
  /** What a change needs; it has changed what these tell. */
  needs: Endpoint
  forgets: readonly Endpoint[]
  create?: { label: string; panel: Slot<Row, More> }
  /** What else the page asks for. */
  useMore?: (projectRef: string, rows: readonly Row[] | undefined) => More
  /** Why none can be made, beside permissions and schema. */
  refusal?: (more: More) => string | undefined
  /** At the right of the title, where it is more than the button that makes one. */
  actions?: Slot<Row, More>
  /** Before the schema. */
  tabs?: Slot<Row, More>
  above?: Slot<Row, More>
  below?: Slot<Row, More>
}

/** Narrows a list to rows whose text has what is searched for. */
export const byText =
  <Row, More>(textOf: (row: Row) => string): Resource<Row, More>['narrow'] =>
  (rows, { text }) =>
    rows.filter((row) => textOf(row).toLowerCase().includes(text))

type Words = {
  /** As "event trigger". */
  one: string
  /** What a search looks at: "its name or parts". */
  searched: string
  /** What it means that there is none. */
  none: (schema: string) => string
}

/** A list that is empty: nothing found, or nothing there. */
export const emptyList =
  <Row, More>({ one, searched, none }: Words): Slot<Row, More> =>
  ({ of, text, search, schema, create }) =>
    text ? (
      <EmptyState icon={SearchX} title={`No ${one} matches`}>
        Nothing{of.within === 'schema' && ` in ${schema}`} has “{search[of.find.name]?.trim()}” in{' '}
        {searched}.
      </EmptyState>
    ) : (
      <EmptyState
        icon={of.icon}
        title={`No ${(of.label ?? of.title).toLowerCase()} yet`}
        action={create}
      >
        {none(schema)}
      </EmptyState>
    )

/** Nothing has what is searched for in its name, or the choices leave nothing. */
export const noneFound = <Row, More>(
  { of, search, onSearch }: Place<Row, More>,
  title: string,
  children: ReactNode,
) => (
  <EmptyState
    icon={of.icon}
    title={title}
    action={
      <Button onClick={() => onSearch(search['schema'] ? { schema: search['schema'] } : {})}>
        Show all
      </Button>
    }
  >
    {children}
  </EmptyState>
)
