import { CopyPlus, Ellipsis, RotateCcw, Trash2 } from 'lucide-react'
import { folderMark } from '#contract/storage/storage'
import { storageTrash, type TrashItem } from '#contract/storage/storage-trash'
import { bytesText, counted } from '../../../../ui/text/number.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../../ui/floats/MenuItem.tsx'
import { choiceColumn } from '../../../../ui/lists/choice-column.tsx'
import type { Column } from '../../../../ui/lists/Table.tsx'
import { Time } from '../../../../ui/text/Time.tsx'
import { folderOf } from '../files/paths.ts'

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

const hour = 60 * 60 * 1000

/** How long something can still be had back: days, or hours of the last one. */
export function leftText(expiresAt: string, now: Date): string {
  const hours = (new Date(expiresAt).getTime() - now.getTime()) / hour
  if (hours < 1) return 'Under an hour'
  return hours < 24 ? counted(Math.floor(hours), 'hour') : counted(Math.round(hours / 24), 'day')
}

const roles: Record<string, string> = {
  service_role: 'a secret key',
  authenticated: 'a signed-in user',
  anon: 'someone not signed in',
  postgres: 'SQL',
}
/** Who deleted something: a mail address or the id of a user stands for itself. */
const whoText = ({ deleted_by: who }: TrashItem): string =>
  who === null ? 'nobody knows' : (roles[who] ?? who)

/** The object that stands for an empty folder is shown as that folder. */
export const shownName = (name: string): string =>
  name === folderMark || name.endsWith(`/${folderMark}`) ? `${folderOf(name)}/` : name

/** Beside the one that has taken the name: `a/cat (restored).png`. */
export function otherName(name: string): string {
  const dot = name.lastIndexOf('.')
  const at = dot > name.lastIndexOf('/') + 1 ? dot : name.length
  return `${name.slice(0, at)} (restored)${name.slice(at)}`
}
