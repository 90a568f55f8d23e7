import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { RefreshCw, ScrollText, SearchX } from 'lucide-react'
import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import type { AuthAuditEntry } from '#contract/auth/auth-records'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { type Column, PagedTable } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { DayField } from '../../../ui/controls/DayField.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Select } from '../../../ui/controls/Select.tsx'
import { auditActor, auditSubject, auditWords, actionLabel, auditActions } from './audit-words.ts'
import { auditQuery } from './queries.ts'
import type { AuditFilter } from './search.ts'
import '../../../ui/lists/list-page.css'
import './auth-users.css'

type Props = {
  projectRef: string
  filter: AuditFilter
  onFilter: (filter: AuditFilter) => void
}

/** /project/{ref}/auth/audit-logs: what the auth service has written down. */
export function AuditLogsPage({ projectRef, filter, onFilter }: Props) {
  const query = useInfiniteQuery({
    ...auditQuery(projectRef, filter),
    placeholderData: keepPreviousData,
  })
  const [open, setOpen] = useState<AuthAuditEntry>()
  const pages = query.data?.pages
  const since = pages?.[0]?.since
  return (
    <Page>
      <PageHead
        title="Audit logs"
        help={
          since
            ? `Actions by users and changes to users since ${exactTime(new Date(since))}, which is as far back as your plan goes.`
            : 'Actions by users and changes to users.'
        }
        actions={
          <Button icon={RefreshCw} busy={query.isRefetching} onClick={() => void query.refetch()}>
            Refresh
          </Button>
        }
      />
      <AuditFilters filter={filter} since={since} onFilter={onFilter} />
      <PagedTable
        label="Audit logs"
        columns={auditColumns(setOpen)}
        rows={pages?.flatMap(({ entries }) => entries)}
        keyOf={({ id }) => id}
        query={query}
        empty={
          Object.values(filter).some(Boolean) ? (
            <EmptyState
              icon={SearchX}
              title="Nothing found"
              action={<Button onClick={() => onFilter({})}>Clear filters</Button>}
            >
              No entries match these filters.
            </EmptyState>
          ) : (
            <EmptyState
              icon={ScrollText}
              title="No entries yet"
              action={<Button onClick={() => void query.refetch()}>Check again</Button>}
            >
              Sign-ups, sign-ins and changes to users appear here.
            </EmptyState>
          )
        }
      />
      <AuditEntryPanel projectRef={projectRef} entry={open} onClose={() => setOpen(undefined)} />
    </Page>
  )
}

const auditColumns = (onOpen: (entry: AuthAuditEntry) => void): Column<AuthAuditEntry>[] => [
  {
    id: 'action',
    head: 'Action',
    cell: (entry) => (
      <button type="button" className="link users-open" onClick={() => onOpen(entry)}>
        {auditWords(entry)}
      </button>
    ),
  },
  {
    id: 'actor',
    head: 'Who',
    cell: (entry) => <span className="users-text ell">{auditActor(entry)}</span>,
  },
  {
    id: 'subject',
    head: 'User',
    wideOnly: true,
    cell: (entry) => <span className="users-text ell muted">{auditSubject(entry)}</span>,
  },
  {
    id: 'ip',
    head: 'IP address',
    wideOnly: true,
    cell: ({ ip_address: ip }) => <span className="mono t12 muted">{ip}</span>,
  },
  {
    id: 'when',
    head: 'When',
    numeric: true,
    width: '104px',
    cell: ({ created_at: at }) => (
      <span className="faint">
        <Time at={at} />
      </span>
    ),
  },
]

type AuditEntryPanelProps = {
  projectRef: string
  entry: AuthAuditEntry | undefined
  onClose: () => void
}

/** Everything that was written down about one action. */
function AuditEntryPanel({ projectRef, entry, onClose }: AuditEntryPanelProps) {
  return (
    <SidePanel
      open={entry !== undefined}
      size="large"
      onClose={onClose}
      title={entry ? auditWords(entry) : 'Entry'}
    >
      {entry && <Entry projectRef={projectRef} entry={entry} />}
    </SidePanel>
  )
}

const nobody = '00000000-0000-0000-0000-000000000000'

function Entry({ projectRef, entry }: { projectRef: string; entry: AuthAuditEntry }) {
  const actor = entry.payload['actor_id']
  const facts = [
    ['When', exactTime(new Date(entry.created_at))],
    ['Action', String(entry.payload['action'])],
    ['Who', auditActor(entry)],
    ['User', auditSubject(entry) || 'The one who did it'],
    ['IP address', entry.ip_address || 'Not known'],
  ]
  return (
    <>
      <dl className="defs">
        {facts.map(([name, value]) => (
          <div key={name} className="users-fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {typeof actor === 'string' && actor !== nobody && (
        <p>
          <Link
            className="link"
            to="/project/$ref/auth/users"
            params={{ ref: projectRef }}
            search={{ user: actor }}
          >
            Open who did it
          </Link>
        </p>
      )}
      <CodeBlock code={JSON.stringify(entry, null, 2)} language="js" what="entry" />
    </>
  )
}

type AuditFiltersProps = {
  filter: AuditFilter
  /** From when on entries are shown; undefined while that is not known. */
  since: string | undefined
  onFilter: (filter: AuditFilter) => void
}

/** Chosen first of all, and shown while nothing is chosen. */
const any = ''
const dayOf = (time: Date) => time.toLocaleDateString('sv')

/** What, who and when: all of it stands in the address bar. */
function AuditFilters({ filter, since, onFilter }: AuditFiltersProps) {
  const { action, actor = '', from = '', to = '', user } = filter
  const [typed, setTyped] = useState(actor)
  const [today] = useState(() => dayOf(new Date()))
  const oldest = since ? dayOf(new Date(since)) : ''
  const change = (part: AuditFilter) => onFilter({ ...filter, ...part })
  const actions =
    action && !auditActions.includes(action) ? [...auditActions, action] : auditActions
  return (
    <Form
      error={undefined}
      pending={false}
      className="narrow-bar"
      onSubmit={() => change({ actor: typed })}
    >
      <div className="narrow-select">
        <Select
          size="tool"
          label="Action"
          value={action ?? any}
          options={[
            { value: any, label: 'Any action' },
            ...actions.map((name) => ({ value: name, label: actionLabel(name), detail: name })),
          ]}
          onChange={(next) => change({ action: next })}
        />
      </div>
      <SearchField
        label="User: full email, phone number or ID"
        width={260}
        value={typed}
        onChange={(next) => {
          setTyped(next)
          if (next === '') change({ actor: undefined })
        }}
      />
      <Button type="submit">Find</Button>
      <DayField
        label="From"
        value={from}
        min={oldest}
        max={to || today}
        onChange={(next) => change({ from: next })}
      />
      <DayField
        label="To"
        value={to}
        min={from || oldest}
        max={today}
        onChange={(next) => change({ to: next })}
      />
      {(action || actor || from || to || user) && (
        <Button
          variant="ghost"
          onClick={() => {
            setTyped('')
            onFilter({})
          }}
        >
          Clear
        </Button>
      )}
      {user && (
        <span className="help">
          About one user: <span className="mono">{user.slice(0, 13)}…</span>
        </span>
      )}
    </Form>
  )
}
