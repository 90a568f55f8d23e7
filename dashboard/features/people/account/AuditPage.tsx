import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { accountAuditDays, type AccountAuditEntry } from '#contract/people/account'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { actionWords } from '../../../session/organization/audit-words.ts'
import { DayField } from '../../../ui/controls/DayField.tsx'
import { type Column, PagedTable } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { auditQuery, type AuditFilter } from './queries.ts'
import { dayOf } from './tokens/token-expiry.ts'
import './account.css'

/** The first and the last day that there can be entries of. */
const days = () => ({
  oldest: dayOf(new Date(Date.now() - accountAuditDays * 24 * 3600_000)),
  today: dayOf(new Date()),
})

type Props = { filter: AuditFilter; onFilter: (filter: AuditFilter) => void }

/** /account/audit: what one did in the last days. */
export function AuditPage({ filter, onFilter }: Props) {
  const query = useInfiniteQuery({ ...auditQuery(filter), placeholderData: keepPreviousData })
  const [open, setOpen] = useState<AccountAuditEntry>()
  const entries = query.data?.pages.flatMap(({ result }) => result)
  const filtered = Boolean(filter.from ?? filter.to ?? filter.find)
  const [{ oldest, today }] = useState(days)
  const change = (part: AuditFilter) => onFilter({ ...filter, ...part })
  return (
    <Page>
      <PageHead
        title="Audit log"
        help={`What you changed in the last ${accountAuditDays} days, here and in your organizations.`}
        actions={
          <>
            <SearchField
              label="Find an action"
              value={filter.find ?? ''}
              onChange={(find) => change({ find })}
            />
            <DayField
              label="From"
              value={filter.from ?? ''}
              min={oldest}
              max={filter.to || today}
              onChange={(from) => change({ from })}
            />
            <DayField
              label="To"
              value={filter.to ?? ''}
              min={filter.from || oldest}
              max={today}
              onChange={(to) => change({ to })}
            />
          </>
        }
      />
      <PagedTable
        label="Audit log"
        columns={auditColumns(setOpen)}
        rows={entries}
        keyOf={({ id }) => id}
        query={query}
        empty={
          filtered ? (
            <EmptyState
              icon={SearchX}
              title="Nothing found"
              action={<Button onClick={() => onFilter({})}>Clear filters</Button>}
            >
              No changes of yours match these filters.
            </EmptyState>
          ) : (
            <EmptyState icon={ScrollText} title="Nothing yet">
              Changes that you make appear here.
            </EmptyState>
          )
        }
      />
      <AuditEntryPanel entry={open} onClose={() => setOpen(undefined)} />
    </Page>
  )
}

type AuditEntryPanelProps = { entry: AccountAuditEntry | undefined; onClose: () => void }

/** Everything that is known of one action. */
function AuditEntryPanel({ entry, onClose }: AuditEntryPanelProps) {
  return (
    <SidePanel
      open={entry !== undefined}
      onClose={onClose}
      title={entry && (actionWords(entry.action.name) ?? entry.action.name)}
    >
      {entry && <Details entry={entry} />}
    </SidePanel>
  )
}

function Details({
  entry: { action, actor, target, change, occurred_at },
}: {
  entry: AccountAuditEntry
}) {
  const [call] = action.metadata
  const facts = [
    ['When', exactTime(new Date(occurred_at))],
    ['Action', action.name],
    ...(call ? [['Call', `${call.method} ${call.route}`]] : []),
    ['Target', target.description],
    ['IP address', actor.metadata[0]?.ip ?? 'Unknown'],
  ]
  return (
    <div className="form-stack">
      <dl className="facts-list">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono t12">{value}</dd>
          </div>
        ))}
      </dl>
      {Object.keys(change).length > 0 && (
        <div className="labelled">
          <span>What changed</span>
          <CodeBlock code={JSON.stringify(change, null, 2)} language="js" what="change" />
        </div>
      )}
    </div>
  )
}

const auditColumns = (onOpen: (entry: AccountAuditEntry) => void): Column<AccountAuditEntry>[] => [
  {
    id: 'action',
    head: 'Action',
    cell: (entry) => (
      <button type="button" className="link plain-link" onClick={() => onOpen(entry)}>
        {actionWords(entry.action.name) ?? <span className="mono">{entry.action.name}</span>}
      </button>
    ),
  },
  {
    id: 'target',
    head: 'Target',
    wideOnly: true,
    cell: ({ target }) => <span className="mono t12 ell">{target.description}</span>,
  },
  {
    id: 'organization',
    head: 'Organization',
    wideOnly: true,
    cell: ({ target: { metadata } }) =>
      metadata.org_slug ? (
        <Link className="link" to="/org/$slug" params={{ slug: metadata.org_slug }}>
          {metadata.org_slug}
        </Link>
      ) : (
        <span className="faint">Your account</span>
      ),
  },
  {
    id: 'ip',
    head: 'IP address',
    wideOnly: true,
    cell: ({ actor }) => <span className="mono t12">{actor.metadata[0]?.ip ?? ''}</span>,
  },
  {
    id: 'when',
    head: 'When',
    numeric: true,
    width: '120px',
    cell: ({ occurred_at: at }) => (
      <span className="faint">
        <Time at={at} />
      </span>
    ),
  },
]
