import type { AccessToken } from '#contract/people/access-tokens'
import { Badge } from '../../../../ui/text/Badge.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import type { Column } from '../../../../ui/lists/Table.tsx'
import { Time } from '../../../../ui/text/Time.tsx'

const isOver = (at: string) => Date.parse(at) <= Date.now()

export const tokenColumns = (onRevoke: (token: AccessToken) => void): Column<AccessToken>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ name, token_alias: alias }) => (
      <>
        <span className="med ell">{name}</span>
        <span className="choice-help">
          <span className="mono">{alias}</span>
        </span>
      </>
    ),
  },
  {
    id: 'used',
    head: 'Last used',
    wideOnly: true,
    width: '140px',
    sortBy: ({ last_used_at: at }) => (at ? Date.parse(at) : 0),
    cell: ({ last_used_at: at }) => (at ? <Time at={at} /> : <span className="faint">Never</span>),
  },
  {
    id: 'expires',
    head: 'Expires',
    width: '140px',
    sortBy: ({ expires_at: at }) => (at ? Date.parse(at) : Number.MAX_SAFE_INTEGER),
    cell: ({ expires_at: at }) => {
      if (!at) return <span className="faint">Never</span>
      return isOver(at) ? <Badge tone="warning">Expired</Badge> : <Time at={at} />
    },
  },
  {
    id: 'created',
    head: 'Created',
    width: '140px',
    wideOnly: true,
    sortBy: ({ created_at: at }) => Date.parse(at),
    cell: ({ created_at: at }) => <Time at={at} />,
  },
  {
    id: 'revoke',
    head: 'Actions',
    hideHead: true,
    width: '96px',
    numeric: true,
    cell: (token) => (
      <Button aria-label={`Revoke ${token.name}`} onClick={() => onRevoke(token)}>
        Revoke
      </Button>
    ),
  },
]
