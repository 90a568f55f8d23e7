import { Ellipsis } from 'lucide-react'
import type { SigningKey, SigningKeyStatus } from '#contract/projects/signing-keys'
import { Badge } from '../../../ui/text/Badge.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { kidOf, nameOfKey, statusWords } from './key-words.ts'

/** What can be asked of a key. */
export type Deed = 'rotate' | 'standby' | 'previously_used' | 'revoke' | 'delete'

const deeds: Record<SigningKeyStatus, readonly Deed[]> = {
  in_use: [],
  standby: ['rotate', 'previously_used'],
  previously_used: ['standby', 'revoke'],
  revoked: ['standby', 'delete'],
}
const verbs: Record<Deed, string> = {
  rotate: 'Rotate to this key',
  standby: 'Move to standby',
  previously_used: 'Move to previously used',
  revoke: 'Revoke key',
  delete: 'Delete key',
}

type Parts = {
  /** Why the reader may not, or why it cannot be done now. */
  why: (deed: Deed, key: SigningKey) => string | undefined
  onDeed: (deed: Deed, key: SigningKey) => void
}

export const keyColumns = ({ why, onDeed }: Parts): Column<SigningKey>[] => [
  {
    id: 'status',
    head: 'Status',
    width: '230px',
    cell: ({ status }) => (
      <>
        <Badge tone={statusWords[status].tone} dot>
          {statusWords[status].name}
        </Badge>
        <span className="choice-help">{statusWords[status].about}</span>
      </>
    ),
  },
  {
    id: 'key',
    head: 'Key',
    cell: (key) => (
      <>
        <span className="med">{nameOfKey(key)}</span>
        <span className="choice-help row">
          <span className="mono ell">{kidOf(key)}</span>
          <CopyButton text={kidOf(key)} what="key ID" />
        </span>
      </>
    ),
  },
  {
    id: 'since',
    head: 'Since',
    width: '110px',
    wideOnly: true,
    cell: ({ updated_at: at }) => <Time at={at} />,
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    width: '56px',
    numeric: true,
    cell: (key) => {
      const possible = deeds[key.status].filter((deed) => !(deed === 'delete' && key.is_legacy))
      if (possible.length === 0) return null
      const label = `Actions of the key ${statusWords[key.status].name.toLowerCase()}: ${nameOfKey(key)}`
      return (
        <Menu label={label} align="end" trigger={<IconButton icon={Ellipsis} label={label} />}>
          {possible.map((deed) => (
            <MenuItem
              key={deed}
              danger={deed === 'revoke' || deed === 'delete'}
              disabledReason={why(deed, key)}
              onSelect={() => onDeed(deed, key)}
            >
              {verbs[deed]}
            </MenuItem>
          ))}
        </Menu>
      )
    },
  },
]
