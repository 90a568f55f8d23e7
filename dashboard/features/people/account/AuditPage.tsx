import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText, SearchX } from 'lucide-react'
import { useState } from 'react'
import { accountAuditDays, type AccountAuditEntry } from '#contract/people/account'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { PagedTable } from '../../../ui/lists/PagedTable.tsx'
import { auditQuery, type AuditFilter } from './account-queries.ts'
import { auditColumns } from './audit-columns.tsx'
import { AuditEntryPanel } from './AuditEntryPanel.tsx'
import { DayField } from '../../../ui/controls/DayField.tsx'
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
