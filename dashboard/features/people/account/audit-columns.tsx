import { Link } from '@tanstack/react-router'
import type { AccountAuditEntry } from '#contract/people/account'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { actionWords } from '../../../session/organization/audit-words.ts'

export const auditColumns = (
  onOpen: (entry: AccountAuditEntry) => void,
): Column<AccountAuditEntry>[] => [
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
