import type { AuditEntry } from '#contract/organizations/audit'
import { actionWords } from '../../../session/organization/audit-words.ts'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'

export const auditColumns = (onOpen: (entry: AuditEntry) => void): Column<AuditEntry>[] => [
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
