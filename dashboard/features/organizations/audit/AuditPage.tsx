import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { RefreshCw, ScrollText, SearchX, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { auditRetentionDays, type AuditEntry } from '#contract/organizations/audit'
import { api } from '#contract/api'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { useCall } from '../../../api/client.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { numberText } from '../../../ui/text/number.ts'
import { actionWords } from '../../../session/organization/audit-words.ts'
import { type Column, PagedTable } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { differences } from './differences.ts'
import { Filters } from './Filters.tsx'
import { auditQuery, type AuditFilter } from './queries.ts'
import './audit.css'

type Props = { slug: string; filter: AuditFilter; onFilter: (filter: AuditFilter) => void }

/** /org/{slug}/audit */
export function AuditPage(props: Props) {
  const { plan } = useOrganization(props.slug)
  const days = auditRetentionDays(plan.id)
  return days === null ? (
    <Upsell slug={props.slug} plan={plan.name} />
  ) : (
    <Log {...props} days={days} />
  )
}

function Log({ slug, filter, onFilter, days }: Props & { days: number }) {
  const query = useInfiniteQuery({ ...auditQuery(slug, filter), placeholderData: keepPreviousData })
  const [open, setOpen] = useState<AuditEntry>()
  const entries = query.data?.pages.flatMap(({ result }) => result)
  const filtered = Object.values(filter).some(Boolean)
  return (
    <Page>
      <PageHead
        title="Audit log"
        help={`Who changed what in this organization in the last ${days} days.`}
        actions={
          <>
            <VerifyButton slug={slug} />
            <Button icon={RefreshCw} busy={query.isRefetching} onClick={() => void query.refetch()}>
              Refresh
            </Button>
          </>
        }
      />
      <Filters slug={slug} days={days} filter={filter} onFilter={onFilter} />
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
              No entries match in this period.
            </EmptyState>
          ) : (
            <EmptyState icon={ScrollText} title="Nothing yet">
              Changes to this organization appear here.
            </EmptyState>
          )
        }
      />
      <EntryPanel entry={open} onClose={() => setOpen(undefined)} />
    </Page>
  )
}

/** What organizations below Team see in the log's place. */
function Upsell({ slug, plan }: { slug: string; plan: string }) {
  return (
    <Page>
      <PageHead title="Audit log" help="Who changed what in this organization." />
      <div className="card">
        <EmptyState
          icon={ScrollText}
          title="The audit log is available on the Team plan"
          action={
            <Link className="btn pri" to="/org/$slug/billing" params={{ slug }}>
              See plans
            </Link>
          }
        >
          This organization is on {plan}. Changes are still recorded: after an upgrade, you can read
          the last 28 days here, or 90 on Enterprise.
        </EmptyState>
      </div>
    </Page>
  )
}

/** Has the server compute the whole chain of entries anew. */
function VerifyButton({ slug }: { slug: string }) {
  const verify = useCall(api.audit.verify, {
    onSuccess: ({ intact, entries, broken_at: brokenAt }) => {
      if (intact) toast.success(`All ${numberText(entries)} entries are as they were written`)
      else
        toast.error(`Entry ${brokenAt} does not match the entries before it`, {
          id: 'audit-broken',
        })
    },
    onError: (error) => toast.error(error.message),
  })
  return (
    <Button icon={ShieldCheck} busy={verify.isPending} onClick={() => verify.mutate({ slug })}>
      Verify
    </Button>
  )
}

const auditColumns = (onOpen: (entry: AuditEntry) => void): Column<AuditEntry>[] => [
  {
    id: 'action',
    head: 'Action',
    cell: (entry) => (
      <button type="button" className="link cover audit-open" onClick={() => onOpen(entry)}>
        {actionWords(entry.action.name) ?? <span className="mono">{entry.action.name}</span>}
      </button>
    ),
  },
  {
    id: 'target',
    head: 'Target',
    wideOnly: true,
    cell: ({ target, change }) => (
      <span className="audit-target ell">
        {nameIn(change)} <span className="mono t12 faint">{target.description}</span>
      </span>
    ),
  },
  {
    id: 'actor',
    head: 'Who',
    cell: ({ actor }) => (
      <span className="audit-who ell">{actor.metadata[0]?.email ?? 'The platform'}</span>
    ),
  },
  {
    id: 'ip',
    head: 'IP address',
    wideOnly: true,
    cell: ({ actor }) => <span className="mono t12 muted">{actor.metadata[0]?.ip ?? ''}</span>,
  },
  {
    id: 'when',
    head: 'When',
    numeric: true,
    width: '96px',
    cell: ({ occurred_at: at }) => (
      <span className="faint">
        <Time at={at} />
      </span>
    ),
  },
]

/** What the changed thing is called, where the entry says it. */
function nameIn(change: AuditEntry['change']): string {
  for (const state of [change, change.after, change.before])
    if (typeof state === 'object' && state !== null && 'name' in state)
      return typeof state.name === 'string' ? state.name : ''
  return ''
}

type EntryPanelProps = { entry: AuditEntry | undefined; onClose: () => void }

/** Everything that is known of one action. */
function EntryPanel({ entry, onClose }: EntryPanelProps) {
  return (
    <SidePanel
      open={entry !== undefined}
      size="large"
      onClose={onClose}
      title={entry && (actionWords(entry.action.name) ?? entry.action.name)}
    >
      {entry && <Details entry={entry} />}
    </SidePanel>
  )
}

function Details({ entry }: { entry: AuditEntry }) {
  const { action, actor, target, change } = entry
  const [call] = action.metadata
  const facts: [string, string][] = [
    ['When', exactTime(new Date(entry.occurred_at))],
    ['Who', actor.metadata[0]?.email ?? 'The platform itself'],
    ['Action', action.name],
    ['Call', call ? `${call.method} ${call.route} (${call.status})` : 'None: internal change'],
    ['Target', target.description],
    ['IP address', actor.metadata[0]?.ip ?? 'Unknown'],
    ['Program', entry.user_agent || 'Unknown'],
    ['Request', entry.request_id ?? 'None'],
    ['Hash', entry.hash],
  ]
  const lines = differences(change)
  return (
    <>
      {lines.length > 0 && (
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
      )}
      <dl className="audit-facts">
        {facts.map(([name, value]) => (
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
