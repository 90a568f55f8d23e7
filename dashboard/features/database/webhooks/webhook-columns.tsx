import { Link } from '@tanstack/react-router'
import { Ellipsis, History, Pencil, Trash2 } from 'lucide-react'
import type { DatabaseTrigger } from '#contract/database/database-triggers'
import { modeNames } from '../../../modules/objects/triggers.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { MenuSeparator } from '../../../ui/floats/MenuSeparator.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { functionAt } from './function-address.ts'
import { toldBy } from './told.ts'
import { eventsOf, kindOf, urlOf } from './webhook-words.ts'

type Context = {
  projectRef: string
  /** The project's address, below which its functions are. */
  endpoint: string
  /** Why none can be changed. */
  lock: string | undefined
  onEdit: (webhook: DatabaseTrigger) => void
  onCalls: (webhook: DatabaseTrigger) => void
  onDrop: (webhook: DatabaseTrigger) => void
}

export const webhookColumns = (context: Context): Column<DatabaseTrigger>[] => [
  {
    id: 'name',
    head: 'Name',
    width: '24%',
    sortBy: ({ name }) => name,
    cell: (webhook) => (
      <span className="object-name">
        <Button
          variant="ghost"
          disabledReason={context.lock}
          onClick={() => context.onEdit(webhook)}
        >
          <span className="mono ell">{webhook.name}</span>
        </Button>
        {webhook.enabled_mode !== 'ORIGIN' && <Badge>{modeNames[webhook.enabled_mode]}</Badge>}
      </span>
    ),
  },
  {
    id: 'table',
    head: 'Table',
    sortBy: ({ table }) => table,
    cell: ({ table }) => <span className="mono">{table}</span>,
  },
  {
    id: 'events',
    head: 'Events',
    wideOnly: true,
    sortBy: eventsOf,
    cell: (webhook) => (
      <span className="mono object-sql" title={eventsOf(webhook)}>
        {eventsOf(webhook)}
      </span>
    ),
  },
  {
    id: 'kind',
    head: 'Calls',
    wideOnly: true,
    width: '124px',
    sortBy: (webhook) => kindOf(webhook, context.endpoint),
    cell: (webhook) => kindOf(webhook, context.endpoint),
  },
  {
    id: 'address',
    head: 'Address',
    wideOnly: true,
    sortBy: urlOf,
    cell: (webhook) => <Address {...context} webhook={webhook} />,
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '44px',
    cell: (webhook) => <Actions {...context} webhook={webhook} />,
  },
]

type CellProps = Context & { webhook: DatabaseTrigger }

function Address({ projectRef, endpoint, webhook }: CellProps) {
  const { method, url } = toldBy(webhook.function_args)
  const slug = functionAt(url, endpoint)
  return (
    <span className="mono object-sql" title={url}>
      <span className="muted">{method}</span>{' '}
      {slug === undefined ? (
        url
      ) : (
        <Link
          className="link"
          to="/project/$ref/functions/$functionSlug"
          params={{ ref: projectRef, functionSlug: slug }}
        >
          {slug}
        </Link>
      )}
    </span>
  )
}

function Actions({ webhook, lock, onCalls, onEdit, onDrop }: CellProps) {
  const label = `Actions for ${webhook.name}`
  return (
    <Menu label={label} align="end" trigger={<IconButton icon={Ellipsis} label={label} />}>
      <MenuItem icon={History} onSelect={() => onCalls(webhook)}>
        Calls
      </MenuItem>
      <MenuItem icon={Pencil} disabledReason={lock} onSelect={() => onEdit(webhook)}>
        Edit
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Trash2} danger disabledReason={lock} onSelect={() => onDrop(webhook)}>
        Delete
      </MenuItem>
    </Menu>
  )
}
