import { Ellipsis, Pencil, ScrollText, Trash2 } from 'lucide-react'
import type { CustomType } from '#contract/database/database-types'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { MenuSeparator } from '../../../ui/floats/MenuSeparator.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { partsOf } from './type-parts.ts'

type Actions = {
  lock: (type: CustomType) => string | undefined
  onOpen: (type: CustomType) => void
  onDrop: (type: CustomType) => void
}

export const typeColumns = ({ lock, onOpen, onDrop }: Actions): Column<CustomType>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name,
    cell: (type) => (
      <span className="object-name">
        <Button variant="ghost" onClick={() => onOpen(type)}>
          <span className="mono ell">{type.name}</span>
        </Button>
        {type.extension && <Badge>{type.extension}</Badge>}
      </span>
    ),
  },
  {
    id: 'kind',
    head: 'Kind',
    width: '104px',
    sortBy: ({ kind }) => kind,
    cell: ({ kind }) => kind,
  },
  {
    id: 'parts',
    head: 'Made of',
    wideOnly: true,
    width: '46%',
    cell: (type) => (
      <span className="mono object-sql long" title={partsOf(type)}>
        {partsOf(type)}
      </span>
    ),
  },
  {
    id: 'used',
    head: 'Columns',
    numeric: true,
    width: '88px',
    sortBy: ({ used_by }) => used_by.length,
    cell: ({ used_by }) => (used_by.length >= 20 ? '20+' : used_by.length),
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '44px',
    cell: (type) => (
      <Menu
        label={`Actions for ${type.name}`}
        align="end"
        trigger={<IconButton icon={Ellipsis} label={`Actions for ${type.name}`} />}
      >
        {type.kind === 'enum' ? (
          <MenuItem icon={Pencil} disabledReason={lock(type)} onSelect={() => onOpen(type)}>
            Edit
          </MenuItem>
        ) : (
          <MenuItem icon={ScrollText} onSelect={() => onOpen(type)}>
            View definition
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={Trash2} danger disabledReason={lock(type)} onSelect={() => onDrop(type)}>
          Delete
        </MenuItem>
      </Menu>
    ),
  },
]
