import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { RefreshCw, ScrollText, SearchX } from 'lucide-react'
import { useState } from 'react'
import { auditRetentionDays, type AuditEntry } from '#contract/organizations/audit'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { PagedTable } from '../../../ui/lists/PagedTable.tsx'
import { auditColumns } from './audit-columns.tsx'
import { EntryPanel } from './EntryPanel.tsx'
import { Filters } from './Filters.tsx'
import { auditQuery, type AuditFilter } from './queries.ts'
import { Upsell } from './Upsell.tsx'
import { VerifyButton } from './VerifyButton.tsx'
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
