import type { Role } from '#contract/database/database-object-shapes'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { isPlatformRole } from './platform-roles.ts'
import { flagWords } from './role-flags.ts'

export const roleColumns = (onOpen: (role: Role) => void): Column<Role>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name,
    cell: (role) => (
      <Button variant="ghost" onClick={() => onOpen(role)}>
        <span className="mono">{role.name}</span>
      </Button>
    ),
  },
  {
    id: 'whose',
    head: 'Whose',
    width: '120px',
    wideOnly: true,
    sortBy: ({ name }) => isPlatformRole(name),
    cell: ({ name }) => (isPlatformRole(name) ? <span className="muted">Platform</span> : 'Yours'),
  },
  {
    id: 'may',
    head: 'May',
    cell: (role) => (
      <span className="badges">
        {flagWords
          .filter(({ flag, quiet }) => !quiet && role[flag])
          .map(({ flag, word, grave }) => (
            <Badge key={flag} tone={grave ? 'warning' : 'neutral'}>
              {word}
            </Badge>
          ))}
      </span>
    ),
  },
  {
    id: 'connections',
    head: 'Connections',
    numeric: true,
    width: '120px',
    sortBy: (role) => role.active_connections,
    cell: ({ active_connections: now, connection_limit: limit }) =>
      limit < 0 ? now : `${now} of ${limit}`,
  },
]
