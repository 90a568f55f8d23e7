import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import type { EventTrigger } from '#contract/database/database-triggers'
import { modeNames } from '../../../modules/objects/triggers.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { MenuSeparator } from '../../../ui/floats/MenuSeparator.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'

type Actions = {
  lock: (trigger: EventTrigger) => string | undefined
  onEdit: (trigger: EventTrigger) => void
  onDrop: (trigger: EventTrigger) => void
}

export const eventTriggerColumns = ({ lock, onEdit, onDrop }: Actions): Column<EventTrigger>[] => [
  {
    id: 'name',
    head: 'Name',
    width: '26%',
    sortBy: ({ name }) => name,
    cell: ({ name, extension }) => (
      <span className="object-name">
        <span className="mono ell">{name}</span>
        {extension && <Badge>{extension}</Badge>}
      </span>
    ),
  },
  {
    id: 'event',
    head: 'Event',
    sortBy: ({ event }) => event,
    cell: ({ event, tags }) => (
      <span className="mono object-sql" title={tags.join(', ')}>
        {event}
        {tags.length > 0 && <span className="faint"> {tags.join(', ')}</span>}
      </span>
    ),
  },
  {
    id: 'function',
    head: 'Function',
    wideOnly: true,
    sortBy: ({ function_name }) => function_name,
    cell: ({ function_schema, function_name }) => (
      <span className="mono">
        {function_schema}.{function_name}
      </span>
    ),
  },
  {
    id: 'owner',
    head: 'Owner',
    wideOnly: true,
    sortBy: ({ owner }) => owner,
    cell: ({ owner }) => <span className="mono">{owner}</span>,
  },
  {
    id: 'enabled',
    head: 'Enabled',
    width: '112px',
    sortBy: ({ enabled_mode }) => modeNames[enabled_mode],
    cell: ({ enabled_mode }) => (
      <Badge dot tone={enabled_mode === 'DISABLED' ? 'neutral' : 'success'}>
        {modeNames[enabled_mode]}
      </Badge>
    ),
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '44px',
    cell: (trigger) => (
      <Menu
        label={`Actions for ${trigger.name}`}
        align="end"
        trigger={<IconButton icon={Ellipsis} label={`Actions for ${trigger.name}`} />}
      >
        <MenuItem icon={Pencil} disabledReason={lock(trigger)} onSelect={() => onEdit(trigger)}>
          Edit
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={Trash2}
          danger
          disabledReason={lock(trigger)}
          onSelect={() => onDrop(trigger)}
        >
          Delete
        </MenuItem>
      </Menu>
    ),
  },
]
