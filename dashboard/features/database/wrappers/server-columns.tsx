import type { Server } from '#contract/database/database-server'
import { Button } from '../../../ui/controls/Button.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'

export const serverColumns = (onOpen: (server: Server) => void): Column<Server>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name,
    cell: (server) => (
      <Button variant="ghost" onClick={() => onOpen(server)}>
        <span className="mono">{server.name}</span>
      </Button>
    ),
  },
  {
    id: 'wrapper',
    head: 'Wrapper',
    sortBy: ({ wrapper }) => wrapper,
    cell: ({ wrapper }) => <span className="mono">{wrapper}</span>,
  },
  {
    id: 'where',
    head: 'Where',
    wideOnly: true,
    cell: ({ options }) => (
      <span className="mono ell">
        {[options['host'], options['dbname']].filter(Boolean).join(' / ')}
      </span>
    ),
  },
  {
    id: 'logins',
    head: 'Logins',
    numeric: true,
    width: '90px',
    cell: ({ mappings }) => mappings.length,
  },
  {
    id: 'tables',
    head: 'Tables',
    numeric: true,
    width: '90px',
    sortBy: ({ tables }) => tables.length,
    cell: ({ tables }) => tables.length,
  },
]
