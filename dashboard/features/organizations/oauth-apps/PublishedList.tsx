import { AppWindow, Ellipsis, KeyRound, Pencil, SearchX, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { oauthApps } from '#contract/organizations/oauth-apps'
import type { OAuthApp } from '#contract/organizations/oauth-apps'
import type { Need } from '#contract/permissions'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { AppName } from './AppName.tsx'
import { scopesText } from './scope-texts.ts'

type Choice = 'edit' | 'rotate' | 'delete'
type Why = (endpoint: { needs: Need }) => string | undefined
type Props = {
  query: { data: OAuthApp[] | undefined; error: Error | null; refetch: () => unknown }
  apps: OAuthApp[] | undefined
  typed: string
  publish: ReactNode
  why: Why
  onChoose: (what: Choice, app: OAuthApp) => void
}

export function PublishedList({ query, apps, typed, publish, why, onChoose }: Props) {
  return (
    <Card title="Published by this organization" padded={false}>
      <Table
        label="Published apps"
        columns={columns(why, onChoose)}
        rows={apps}
        keyOf={({ id }) => id}
        rowHeight={60}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={
          query.data?.length === 0 ? (
            <EmptyState icon={AppWindow} title="No apps yet" action={publish}>
              Publish an app to let other organizations use it with the management API.
            </EmptyState>
          ) : (
            <EmptyState icon={SearchX} title="No app found">
              No name or ID contains “{typed.trim()}”.
            </EmptyState>
          )
        }
      />
    </Card>
  )
}

const columns = (why: Why, onChoose: Props['onChoose']): Column<OAuthApp>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name.toLowerCase(),
    cell: (app) => <AppName app={app} />,
  },
  {
    id: 'client',
    head: 'Client ID',
    cell: ({ client_id: id }) => (
      <span className="mono t12">
        <CopyButton text={id} what="client ID">
          {`${id.slice(0, 8)}…`}
        </CopyButton>
      </span>
    ),
  },
  {
    id: 'secret',
    head: 'Secret',
    wideOnly: true,
    cell: ({ client_secret_alias: alias }) =>
      alias === null ? <Badge>Public</Badge> : <span className="mono t12 muted">{alias}</span>,
  },
  {
    id: 'scopes',
    head: 'Scopes',
    wideOnly: true,
    cell: ({ scopes }) => <span className="muted">{scopesText(scopes)}</span>,
  },
  {
    id: 'created',
    head: 'Published',
    wideOnly: true,
    sortBy: ({ created_at: at }) => at,
    cell: ({ created_at: at }) => (
      <span className="faint">
        <Time at={at} />
      </span>
    ),
  },
  {
    id: 'actions',
    head: 'Actions',
    hideHead: true,
    numeric: true,
    width: '48px',
    cell: (app) => (
      <Menu
        label={`Actions for ${app.name}`}
        align="end"
        trigger={<IconButton icon={Ellipsis} label={`Actions for ${app.name}`} />}
      >
        <MenuItem
          icon={Pencil}
          disabledReason={why(oauthApps.update)}
          onSelect={() => onChoose('edit', app)}
        >
          Edit
        </MenuItem>
        <MenuItem
          icon={KeyRound}
          disabledReason={
            why(oauthApps.rotateSecret) ??
            (app.client_secret_alias === null ? 'A public app has no secret' : undefined)
          }
          onSelect={() => onChoose('rotate', app)}
        >
          New client secret
        </MenuItem>
        <MenuItem
          icon={Trash2}
          danger
          disabledReason={why(oauthApps.remove)}
          onSelect={() => onChoose('delete', app)}
        >
          Delete
        </MenuItem>
      </Menu>
    ),
  },
]
