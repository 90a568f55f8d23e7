import { ScrollText, SearchX } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import type { AuditEntry } from '#contract/organizations/audit'
import { actionWords } from '../../session/organization/audit-words.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { DayField } from '../../ui/controls/DayField.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SidePanel } from '../../ui/floats/SidePanel.tsx'
import { type Column, PagedTable } from '../../ui/lists/Table.tsx'
import { CodeBlock } from '../../ui/text/CodeBlock.tsx'
import { exactTime } from '../../ui/text/time.ts'
import { Time } from '../../ui/text/Time.tsx'
import './audit.css'

/** What every audit log has of an entry: an organization's, and a person's own. */
export type AuditLine = Pick<AuditEntry, 'id' | 'action' | 'change' | 'occurred_at'> & {
  actor: Pick<AuditEntry['actor'], 'metadata'>
  target: Pick<AuditEntry['target'], 'description'>
}
type Fact = readonly [name: string, value: string]

type Props<Entry extends AuditLine> = {
  /** Newest first; undefined while they are read. */
  entries: Entry[] | undefined
  query: ComponentProps<typeof PagedTable<Entry>>['query']
  /** Between what was done to what, and from where. */
  columns: Column<Entry>[]
  /** What is known of an entry besides when, what, to what and from where. */
  factsOf: (entry: Entry) => readonly Fact[]
  filtered: boolean
  onClear: () => void
  /** Why there is nothing, with filters and without. */
  nothingFound: string
  nothingYet: string
}

/** A list of what was done, and a panel with all that is known of one deed. */
export function AuditLog<Entry extends AuditLine>(props: Props<Entry>) {
  const { entries, query, columns, factsOf, filtered, onClear, nothingFound, nothingYet } = props
  const [open, setOpen] = useState<Entry>()
  return (
    <>
      <PagedTable
        label="Audit log"
        columns={[actionColumn<Entry>((entry) => setOpen(entry)), ...columns, ipColumn, whenColumn]}
        rows={entries}
        keyOf={({ id }) => id}
        query={query}
        empty={
          filtered ? (
            <EmptyState
              icon={SearchX}
              title="Nothing found"
              action={<Button onClick={onClear}>Clear filters</Button>}
            >
              {nothingFound}
            </EmptyState>
          ) : (
            <EmptyState icon={ScrollText} title="Nothing yet">
              {nothingYet}
            </EmptyState>
          )
        }
      />
      <SidePanel
        open={open !== undefined}
        size="large"
        onClose={() => setOpen(undefined)}
        title={open && (actionWords(open.action.name) ?? open.action.name)}
      >
        {open && <Details entry={open} facts={factsOf(open)} />}
      </SidePanel>
    </>
  )
}

function Details({ entry, facts }: { entry: AuditLine; facts: readonly Fact[] }) {
  const { action, actor, target, change, occurred_at: at } = entry
  const [call] = action.metadata
  const all: readonly Fact[] = [
    ['When', exactTime(new Date(at))],
    ['Action', action.name],
    ['Call', call ? `${call.method} ${call.route} (${call.status})` : 'None: internal change'],
    ['Target', target.description],
    ['IP address', actor.metadata[0]?.ip ?? 'Unknown'],
    ...facts,
  ]
  return (
    <>
      <Differences change={change} />
      <dl className="audit-facts">
        {all.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono t12">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="labelled">
        <span>Raw entry</span>
        <CodeBlock code={JSON.stringify(change, null, 2)} language="js" what="entry" />
      </div>
    </>
  )
}

/** What was changed, field by field; nothing where the entry does not say. */
function Differences({ change }: { change: AuditLine['change'] }) {
  const lines = differences(change)
  if (lines.length === 0) return null
  return (
    <div className="tbl-scroll">
      <table className="tbl rows-32" aria-label="What changed">
        <thead>
          <tr>
            <th>What</th>
            <th>Before</th>
            <th>After</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, before, after }) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="audit-value mono t12 muted">{before}</td>
              <td className="audit-value mono t12">{after}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const actionColumn = <Entry extends AuditLine>(onOpen: (entry: Entry) => void): Column<Entry> => ({
  id: 'action',
  head: 'Action',
  cell: (entry) => (
    <button type="button" className="link cover audit-open" onClick={() => onOpen(entry)}>
      {actionWords(entry.action.name) ?? <span className="mono">{entry.action.name}</span>}
    </button>
  ),
})

const ipColumn: Column<AuditLine> = {
  id: 'ip',
  head: 'IP address',
  wideOnly: true,
  cell: ({ actor }) => <span className="mono t12 muted">{actor.metadata[0]?.ip ?? ''}</span>,
}

const whenColumn: Column<AuditLine> = {
  id: 'when',
  head: 'When',
  numeric: true,
  width: '96px',
  cell: ({ occurred_at: at }) => (
    <span className="faint">
      <Time at={at} />
    </span>
  ),
}

type Difference = { name: string; before: string; after: string }

/** The fields that an entry says were changed, as texts side by side. */
export function differences(change: Record<string, unknown>): Difference[] {
  const [before, after] = [fieldsOf(change.before), fieldsOf(change.after)]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
    name,
    before: textOf(before[name]),
    after: textOf(after[name]),
  }))
}

const fieldsOf = (state: unknown): Record<string, unknown> =>
  typeof state === 'object' && state !== null && !Array.isArray(state) ? { ...state } : {}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '–'
  if (typeof value === 'string') return value === '' ? 'empty' : value
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ')
  return JSON.stringify(value)
}

type Range = { from?: string; to?: string }
type DayRangeProps = {
  /** How many days back there are entries. */
  days: number
  range: Range
  onRange: (part: Range) => void
}

const day = 24 * 3600_000
/** As a date field writes it, in the person's own zone. */
const dayOf = (time: number) => new Date(time).toLocaleDateString('sv')

/** The first and the last day to be shown, neither before there are entries nor the wrong way round. */
export function DayRange({ days, range: { from, to }, onRange }: DayRangeProps) {
  const [now] = useState(() => Date.now())
  const [oldest, today] = [dayOf(now - days * day), dayOf(now)]
  return (
    <>
      <DayField
        label="From"
        value={from ?? ''}
        min={oldest}
        max={to || today}
        onChange={(next) => onRange({ from: next })}
      />
      <DayField
        label="To"
        value={to ?? ''}
        min={from || oldest}
        max={today}
        onChange={(next) => onRange({ to: next })}
      />
    </>
  )
}
