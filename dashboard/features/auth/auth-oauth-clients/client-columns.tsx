import { Ellipsis, KeyRound, Pencil, Trash2 } from 'lucide-react'
import { authOauthClients as api, type AuthOauthClient } from '#contract/auth/auth-oauth-clients'
import type { Need } from '#contract/permissions'
import { Badge } from '../../../ui/text/Badge.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import type { Column } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'

export type Deed = 'edit' | 'secret' | 'delete'
type Parts = {
  /** Why the reader may not. */
  why: (endpoint: { needs: Need }) => string | undefined
  onDeed: (deed: Deed, client: AuthOauthClient) => void
}

export const clientColumns = ({ why, onDeed }: Parts): Column<AuthOauthClient>[] => [
  {
    id: 'name',
    head: 'App',
    cell: ({ client_name: name, client_id: id }) => (
      <>
        <span className="med ell">{name}</span>
        <span className="choice-help row">
          <span className="mono ell">{id}</span>
          <CopyButton text={id} what="client ID" />
        </span>
      </>
    ),
  },
  {
    id: 'kind',
    head: 'Kind',
    width: '150px',
    wideOnly: true,
    cell: ({ client_type: type, registration_type: by }) => (
      <>
        <Badge>{type === 'public' ? 'Public' : 'Confidential'}</Badge>
        {by === 'dynamic' && <span className="choice-help">registered itself</span>}
      </>
    ),
  },
  {
    id: 'created',
    head: 'Registered',
    width: '110px',
    wideOnly: true,
    cell: ({ created_at: at }) => <Time at={at} />,
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    numeric: true,
    width: '48px',
    cell: (client) => (
      <Menu
        label={`Actions of ${client.client_name}`}
        align="end"
        trigger={<IconButton icon={Ellipsis} label={`Actions of ${client.client_name}`} />}
      >
        <MenuItem
          icon={Pencil}
          disabledReason={why(api.update)}
          onSelect={() => onDeed('edit', client)}
        >
          Edit
        </MenuItem>
        <MenuItem
          icon={KeyRound}
          disabledReason={
            why(api.rotateSecret) ??
            (client.client_type === 'public' ? 'A public app has no secret' : undefined)
          }
          onSelect={() => onDeed('secret', client)}
        >
          New client secret
        </MenuItem>
        <MenuItem
          icon={Trash2}
          danger
          disabledReason={why(api.remove)}
          onSelect={() => onDeed('delete', client)}
        >
          Delete
        </MenuItem>
      </Menu>
    ),
  },
]
