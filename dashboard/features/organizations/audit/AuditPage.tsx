import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  infiniteQueryOptions,
} from '@tanstack/react-query'
import { RefreshCw, ScrollText, ShieldCheck } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { auditRetentionDays, type AuditEntry } from '#contract/organizations/audit'
import { audit as api } from '#contract/organizations/audit'
import { AuditLog, DayRange } from '../../../modules/audit/AuditLog.tsx'
import { actionWords, edgeOf } from '../../../session/organization/audit-words.ts'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import type { Option } from '../../../ui/controls/options.ts'
import { Select } from '../../../ui/controls/Select.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { useCall, q, call } from '../../../api/client.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { numberText } from '../../../ui/text/number.ts'
import type { Column } from '../../../ui/lists/Table.tsx'
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
      <AuditLog
        columns={columns}
        entries={query.data?.pages.flatMap(({ result }) => result)}
        query={query}
        factsOf={factsOf}
        filtered={Object.values(filter).some(Boolean)}
        onClear={() => onFilter({})}
        nothingFound="No entries match in this period."
        nothingYet="Changes to this organization appear here."
      />
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
  const verify = useCall(api.verify, {
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

const columns: Column<AuditEntry>[] = [
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
]

const factsOf = ({ actor, user_agent: program, request_id: request, hash }: AuditEntry) =>
  [
    ['Who', actor.metadata[0]?.email ?? 'The platform itself'],
    ['Program', program || 'Unknown'],
    ['Request', request ?? 'None'],
    ['Hash', hash],
  ] as const

/** What the changed thing is called, where the entry says it. */
function nameIn(change: AuditEntry['change']): string {
  for (const state of [change, change.after, change.before])
    if (typeof state === 'object' && state !== null && 'name' in state)
      return typeof state.name === 'string' ? state.name : ''
  return ''
}

type FiltersProps = {
  slug: string
  days: number
  filter: AuditFilter
  onFilter: (filter: AuditFilter) => void
}

/** Chosen first of all, and shown while nothing is chosen. */
const any = ''

/** Who, where, what and when: all of it stands in the address bar. */
function Filters({ slug, days, filter, onFilter }: FiltersProps) {
  const { data } = useQuery(q(api.filters, { slug }))
  const change = (part: AuditFilter) => {
    const kept = Object.entries({ ...filter, ...part }).filter(([, value]) => value)
    onFilter(Object.fromEntries(kept))
  }
  const lists = {
    user: [
      { value: any, label: 'Anyone' },
      ...(data?.users ?? []).map(({ id, email }) => ({ value: id, label: email })),
    ],
    project: [
      { value: any, label: 'Any project' },
      ...(data?.projects ?? []).map(({ ref, name }) => ({ value: ref, label: name, detail: ref })),
    ],
    action: [
      { value: any, label: 'Any action' },
      ...(data?.actions ?? []).map((name) => ({ value: name, label: actionWords(name) ?? name })),
    ],
  }
  return (
    <div className="audit-filters">
      <Select
        size="tool"
        label="Who"
        options={known(lists.user, filter.user)}
        value={filter.user ?? any}
        onChange={(user) => change({ user })}
      />
      <Select
        size="tool"
        label="Project"
        options={known(lists.project, filter.project)}
        value={filter.project ?? any}
        onChange={(project) => change({ project })}
      />
      <Select
        size="tool"
        label="Action"
        options={known(lists.action, filter.action)}
        value={filter.action ?? any}
        onChange={(action) => change({ action })}
      />
      <DayRange days={days} range={filter} onRange={change} />
      {Object.keys(filter).length > 0 && (
        <Button variant="ghost" onClick={() => onFilter({})}>
          Clear
        </Button>
      )}
    </div>
  )
}

/** What a link asks for can be chosen, also while the lists are being read or do not have it. */
const known = (options: Option[], value: string | undefined): Option[] =>
  value === undefined || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }]

/** What the address bar holds: days as YYYY-MM-DD, a user's id, a project's ref, the name of an action. */
type AuditFilter = {
  from?: string
  to?: string
  user?: string
  project?: string
  action?: string
}

const auditQuery = (slug: string, { from, to, user, project, action }: AuditFilter) => {
  const input = {
    slug,
    iso_timestamp_start: edgeOf(from, 'start'),
    iso_timestamp_end: edgeOf(to, 'end'),
    user,
    project,
    action,
  }
  return infiniteQueryOptions({
    queryKey: [api.list.name, input],
    queryFn: ({ pageParam, signal }) => call(api.list, { ...input, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  })
}
