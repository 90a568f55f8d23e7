import type { AuthAuditEntry } from '#contract/auth/auth-records'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { auditActor, auditSubject, auditWords } from './audit-words.ts'

export const auditColumns = (onOpen: (entry: AuthAuditEntry) => void): Column<AuthAuditEntry>[] => [
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
