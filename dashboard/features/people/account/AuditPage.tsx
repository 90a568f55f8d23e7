import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { accountAuditDays, type AccountAuditEntry } from '#contract/people/account'
import { AuditLog, DayRange } from '../../../modules/audit/AuditLog.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { auditQuery, type AuditFilter } from './queries.ts'
import './account.css'

type Props = { filter: AuditFilter; onFilter: (filter: AuditFilter) => void }

/** /account/audit: what one did in the last days. */
export function AuditPage({ filter, onFilter }: Props) {
  const query = useInfiniteQuery({ ...auditQuery(filter), placeholderData: keepPreviousData })
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
            <DayRange days={accountAuditDays} range={filter} onRange={change} />
          </>
        }
      />
      <AuditLog
        columns={columns}
        entries={query.data?.pages.flatMap(({ result }) => result)}
        query={query}
        factsOf={() => []}
        filtered={Boolean(filter.from ?? filter.to ?? filter.find)}
        onClear={() => onFilter({})}
        nothingFound="No changes of yours match these filters."
        nothingYet="Changes that you make appear here."
      />
    </Page>
  )
}

const columns: Column<AccountAuditEntry>[] = [
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
        <Link className="link over" to="/org/$slug" params={{ slug: metadata.org_slug }}>
          {metadata.org_slug}
        </Link>
      ) : (
        <span className="faint">Your account</span>
      ),
  },
]
