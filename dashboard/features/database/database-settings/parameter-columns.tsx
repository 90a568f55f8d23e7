import type { ParameterGroup } from '#contract/database/database-parameters'
import type { Parameter } from '#contract/database/database-server'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { parameterText } from './parameter-text.ts'

export type ParameterRow = Parameter & { group: ParameterGroup; about: string }

export const parameterColumns = (onOpen: (row: Parameter) => void): Column<ParameterRow>[] => [
  {
    id: 'name',
    head: 'Parameter',
    sortBy: ({ name }) => name,
    cell: ({ name, about }) => (
      <div className="two-lines">
        <span className="mono">{name}</span>
        <span className="muted ell" title={about}>
          {about}
        </span>
      </div>
    ),
  },
  {
    id: 'group',
    head: 'Kind',
    width: '110px',
    wideOnly: true,
    sortBy: ({ group }) => group,
    cell: ({ group }) => <span className="muted">{group}</span>,
  },
  {
    id: 'value',
    head: 'Value',
    width: '170px',
    cell: ({ setting, unit }) => (
      <span className="mono ell">{parameterText(setting, unit) || '(empty)'}</span>
    ),
  },
  {
    id: 'from',
    head: 'Set by',
    width: '130px',
    sortBy: ({ role_value: ofRole, database_value: own, roles }) =>
      ofRole === null && own === null ? roles.length : -1,
    cell: ({ role_value: ofRole, database_value: own, context, pending_restart: pending }) => (
      <span className="badges">
        {ofRole === null && own === null && <span className="muted">Server</span>}
        {ofRole === null && own !== null && <Badge tone="info">Database</Badge>}
        {ofRole !== null && <Badge tone="info">Role postgres</Badge>}
        {pending && <Badge tone="warning">Restart pending</Badge>}
        {context === 'postmaster' && !pending && <span className="faint">restart</span>}
      </span>
    ),
  },
  {
    id: 'act',
    head: 'Action',
    hideHead: true,
    width: '80px',
    numeric: true,
    cell: (row) => (
      <Button
        aria-label={`${row.may_set ? 'Change' : 'View'} ${row.name}`}
        onClick={() => onOpen(row)}
      >
        {row.may_set ? 'Change' : 'View'}
      </Button>
    ),
  },
]
