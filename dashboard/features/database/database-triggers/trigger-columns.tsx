import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import type { DatabaseTrigger } from '#contract/database/database-triggers'
import { modeNames } from '../../../modules/objects/triggers.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { MenuSeparator } from '../../../ui/floats/MenuSeparator.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { momentOf } from './trigger-draft.ts'

type Actions = {
  /** Why none can be changed. */
  lock: string | undefined
  onEdit: (trigger: DatabaseTrigger) => void
  onDrop: (trigger: DatabaseTrigger) => void
}

export const triggerColumns = (does: Actions): Column<DatabaseTrigger>[] => [
  {
    id: 'name',
    head: 'Name',
    width: '24%',
    sortBy: ({ name }) => name,
    cell: (trigger) => (
      <span className="object-name">
        <Button variant="ghost" disabledReason={does.lock} onClick={() => does.onEdit(trigger)}>
          <span className="mono ell">{trigger.name}</span>
        </Button>
        {trigger.constraint && <Badge>constraint</Badge>}
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
    id: 'moment',
    head: 'When',
    wideOnly: true,
    sortBy: momentOf,
    cell: (trigger) => (
      <span className="mono object-sql" title={momentOf(trigger)}>
        {momentOf(trigger)}
      </span>
    ),
  },
  {
    id: 'each',
    head: 'For each',
    wideOnly: true,
    width: '104px',
    sortBy: ({ orientation }) => orientation,
    cell: ({ orientation }) => orientation.toLowerCase(),
  },
  {
    id: 'function',
    head: 'Function',
    wideOnly: true,
    sortBy: ({ function_name }) => function_name,
    cell: ({ function_schema, function_name, schema }) => (
      <span className="mono">
        {function_schema === schema ? function_name : `${function_schema}.${function_name}`}
      </span>
    ),
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
        <MenuItem icon={Pencil} disabledReason={does.lock} onSelect={() => does.onEdit(trigger)}>
          Edit
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={Trash2}
          danger
          disabledReason={does.lock}
          onSelect={() => does.onDrop(trigger)}
        >
          Delete
        </MenuItem>
      </Menu>
    ),
  },
]
