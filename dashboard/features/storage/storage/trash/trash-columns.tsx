import { CopyPlus, Ellipsis, RotateCcw, Trash2 } from 'lucide-react'
import { storageTrash, type TrashItem } from '#contract/storage/storage-trash'
import { bytesText } from '../../../../ui/text/number.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../../ui/floats/MenuItem.tsx'
import { choiceColumn } from '../../../../ui/lists/choice-column.tsx'
import type { Column } from '../../../../ui/lists/Table.tsx'
import { Time } from '../../../../ui/text/Time.tsx'
import { leftText, shownName, whoText } from './trash-words.ts'

export type TrashAct = 'restore' | 'restore-as' | 'purge'
type Props = {
  items: readonly TrashItem[]
  chosen: ReadonlySet<string>
  onChosen: (ids: ReadonlySet<string>) => void
  onAct: (act: TrashAct, item: TrashItem) => void
  why: (endpoint: (typeof storageTrash)[keyof typeof storageTrash]) => string | undefined
  now: Date
}

export const trashColumns = ({ now, ...props }: Props): Column<TrashItem>[] => [
  choiceColumn({
    rows: props.items,
    label: 'Select all shown',
    nameOf: ({ name }) => name,
    chosen: props.chosen,
    onChosen: props.onChosen,
  }),
  {
    id: 'name',
    head: 'Name',
    cell: ({ name, bucket }) => (
      <span className="two-lines">
        <span className="mono ell trash-name" title={shownName(name)}>
          {shownName(name)}
        </span>
        <span className="muted ell">{bucket}</span>
      </span>
    ),
  },
  {
    id: 'size',
    head: 'Size',
    width: '90px',
    numeric: true,
    wideOnly: true,
    cell: ({ size }) => (size === null ? '' : bytesText(size)),
  },
  {
    id: 'owner',
    head: 'Owner',
    width: '150px',
    wideOnly: true,
    cell: ({ owner_id: owner }) =>
      owner === null ? (
        <span className="muted">None</span>
      ) : (
        <span className="mono ell" title={owner}>
          {owner}
        </span>
      ),
  },
  {
    id: 'deleted',
    head: 'Deleted',
    width: '200px',
    wideOnly: true,
    cell: (item) => (
      <span className="two-lines">
        <Time at={item.deleted_at} />
        <span className="muted ell" title={whoText(item)}>
          by {whoText(item)}
        </span>
      </span>
    ),
  },
  {
    id: 'left',
    head: 'Left',
    width: '92px',
    cell: ({ expires_at: at }) => leftText(at, now),
  },
  actionColumn(props),
]

const actionColumn = ({ onAct, why }: Pick<Props, 'onAct' | 'why'>): Column<TrashItem> => ({
  id: 'actions',
  head: 'Actions',
  hideHead: true,
  width: '48px',
  numeric: true,
  cell: (item) => (
    <Menu
      label={`Actions for ${item.name}`}
      align="end"
      trigger={<IconButton icon={Ellipsis} label={`Actions for ${item.name}`} />}
    >
      <MenuItem
        icon={RotateCcw}
        disabledReason={why(storageTrash.restore)}
        onSelect={() => onAct('restore', item)}
      >
        Restore
      </MenuItem>
      <MenuItem
        icon={CopyPlus}
        disabledReason={why(storageTrash.restore)}
        onSelect={() => onAct('restore-as', item)}
      >
        Restore as
      </MenuItem>
      <MenuItem
        icon={Trash2}
        danger
        disabledReason={why(storageTrash.purge)}
        onSelect={() => onAct('purge', item)}
      >
        Delete forever
      </MenuItem>
    </Menu>
  ),
})
