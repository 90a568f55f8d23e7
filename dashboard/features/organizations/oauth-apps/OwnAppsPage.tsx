import { useQuery } from '@tanstack/react-query'
import { SearchX, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { oauthApps } from '#contract/organizations/oauth-apps'
import type { Output } from '#contract/endpoint'
import { useCall } from '../../../api/client.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { AppName } from './AppName.tsx'
import { ofApps, ownQuery } from './queries.ts'
import { scopesText } from './scope-texts.ts'
import './oauth-apps.css'

type Authorization = Output<typeof oauthApps.own>[number]

/** /account/apps: what one has let act in one's own place. */
export function OwnAppsPage() {
  const query = useQuery(ownQuery)
  const [typed, setTyped] = useState('')
  const [asking, setAsking] = useState<Authorization>()
  const revoke = useCall(oauthApps.revokeOwn, {
    changes: ofApps,
    onSuccess: ({ app }) => {
      toast.success(`${app.name} can no longer act for you`)
      setAsking(undefined)
    },
  })
  const search = typed.trim().toLowerCase()
  const found = query.data?.filter(({ app, organization }) =>
    `${app.name} ${organization.name}`.toLowerCase().includes(search),
  )
  return (
    <Page>
      <PageHead
        title="Authorized apps"
        help="Apps that you allow to act for you, each in one organization."
        actions={<SearchField label="Find an app" value={typed} onChange={setTyped} />}
      />
      <div className="card">
        <Table
          label="Authorized apps"
          columns={columns(setAsking)}
          rows={found}
          keyOf={({ id }) => id}
          rowHeight={60}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            query.data?.length === 0 ? (
              <EmptyState icon={ShieldCheck} title="No authorized apps">
                Apps that you authorize appear here, and you can revoke their access.
              </EmptyState>
            ) : (
              <EmptyState icon={SearchX} title="No app found">
                No name or organization contains “{typed.trim()}”.
              </EmptyState>
            )
          }
        />
      </div>
      <ConfirmDialog
        open={asking !== undefined}
        onClose={() => {
          setAsking(undefined)
          revoke.reset()
        }}
        title={`Revoke ${asking?.app.name}?`}
        verb="Revoke access"
        error={revoke.error?.message}
        pending={revoke.isPending}
        onConfirm={() => asking && revoke.mutate({ id: asking.id })}
      >
        <p>
          It can no longer act for you in {asking?.organization.name}. What others have authorized
          stays. It can ask again.
        </p>
      </ConfirmDialog>
    </Page>
  )
}

const columns = (onRevoke: (authorization: Authorization) => void): Column<Authorization>[] => [
  {
    id: 'name',
    head: 'App',
    sortBy: ({ app }) => app.name.toLowerCase(),
    cell: ({ app }) => <AppName app={app} />,
  },
  {
    id: 'organization',
    head: 'Organization',
    sortBy: ({ organization }) => organization.name.toLowerCase(),
    cell: ({ organization }) => organization.name,
  },
  {
    id: 'scopes',
    head: 'Scopes',
    wideOnly: true,
    cell: ({ scopes }) => <span className="muted">{scopesText(scopes)}</span>,
  },
  {
    id: 'when',
    head: 'Since',
    wideOnly: true,
    sortBy: ({ authorized_at: at }) => at,
    cell: ({ authorized_at: at }) => (
      <span className="faint">
        <Time at={at} />
      </span>
    ),
  },
  {
    id: 'revoke',
    head: 'Revoke',
    hideHead: true,
    numeric: true,
    cell: (authorization) => <Button onClick={() => onRevoke(authorization)}>Revoke</Button>,
  },
]
