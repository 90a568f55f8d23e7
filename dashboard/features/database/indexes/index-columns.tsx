import { Code, Ellipsis, RefreshCw, Trash2 } from 'lucide-react'
import type { Index } from '#contract/database/database-object-shapes'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { bytesText } from '../../../ui/text/bytes.ts'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { heldBy } from './drop-words.tsx'
import type { IndexMark } from './index-marks.ts'
import { MarkBadges } from './MarkBadges.tsx'
import { numberText } from '../../../ui/text/number.ts'

type Parts = {
  marks: ReadonlyMap<number, IndexMark[]>
  /** Why nothing can be changed here. */
  why: string | undefined
  onOpen: (index: Index) => void
  onDrop: (index: Index) => void
  onRebuild: (index: Index) => void
}

export const indexColumns = (parts: Parts): Column<Index>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name,
    cell: (index) => (
      <Button variant="ghost" onClick={() => parts.onOpen(index)}>
        <span className="mono">{index.name}</span>
      </Button>
    ),
  },
  {
    id: 'table',
    head: 'Table',
    sortBy: ({ table }) => table,
    cell: ({ table }) => <span className="mono">{table}</span>,
  },
  {
    id: 'columns',
    head: 'On',
    wideOnly: true,
    cell: ({ index_attributes: attributes, access_method: method }) => (
      <span className="mono ell" title={attributes.map((one) => one.attribute_name).join(', ')}>
        <span className="faint">{method} </span>
        {attributes.map((one) => one.attribute_name).join(', ')}
      </span>
    ),
  },
  {
    id: 'marks',
    head: 'Marks',
    cell: (index) => (
      <span className="badges">
        {index.is_primary && <Badge>Primary key</Badge>}
        {index.is_unique && !index.is_primary && <Badge>Unique</Badge>}
        <MarkBadges marks={parts.marks.get(index.id) ?? []} />
      </span>
    ),
  },
  {
    id: 'size',
    head: 'Size',
    numeric: true,
    width: '90px',
    sortBy: ({ bytes }) => bytes,
    cell: ({ bytes }) => bytesText(bytes),
  },
  {
    id: 'scans',
    head: 'Scans',
    numeric: true,
    width: '90px',
    wideOnly: true,
    sortBy: ({ scans }) => scans,
    cell: ({ scans }) => numberText(scans),
  },
  {
    id: 'acts',
    head: 'Actions',
    hideHead: true,
    width: '44px',
    cell: (index) => (
      <Menu
        label={`Actions for ${index.name}`}
        align="end"
        trigger={<IconButton icon={Ellipsis} label={`Actions for ${index.name}`} />}
      >
        <MenuItem icon={Code} onSelect={() => parts.onOpen(index)}>
          View definition
        </MenuItem>
        <MenuItem
          icon={RefreshCw}
          disabledReason={parts.why}
          onSelect={() => parts.onRebuild(index)}
        >
          Rebuild
        </MenuItem>
        <MenuItem
          icon={Trash2}
          danger
          disabledReason={parts.why ?? heldBy(index)}
          onSelect={() => parts.onDrop(index)}
        >
          Drop index
        </MenuItem>
      </Menu>
    ),
  },
]
