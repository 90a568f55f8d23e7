import { SearchX, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { api } from '#contract/api'
import type { OAuthApp } from '#contract/organizations/oauth-apps'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { AppName } from './AppName.tsx'
import { forgetApps } from './queries.ts'
import { scopesText } from './scope-texts.ts'

type Props = {
  slug: string
  query: { data: OAuthApp[] | undefined; error: Error | null; refetch: () => unknown }
  apps: OAuthApp[] | undefined
  typed: string
}

/** Apps of anybody that may act in this organization. */
export function AuthorizedList({ slug, query, apps, typed }: Props) {
  const reason = useDenials({ organizationSlug: slug })(api.oauthApps.revoke)
  const [asking, setAsking] = useState<OAuthApp>()
  const revoke = useCall(api.oauthApps.revoke, {
    onSuccess: async () => {
      toast.success(`${asking?.name ?? 'The app'} no longer has access`)
      setAsking(undefined)
      await forgetApps()
    },
  })
  return (
    <Card title="Authorized for this organization" padded={false}>
      <Table
        label="Authorized apps"
        columns={columns(reason, setAsking)}
        rows={apps}
        keyOf={({ id }) => id}
        rowHeight={60}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={
          query.data?.length === 0 ? (
            <EmptyState icon={ShieldCheck} title="No app has access">
              Apps that members authorize for this organization appear here.
            </EmptyState>
          ) : (
            <EmptyState icon={SearchX} title="No app found">
              No name or ID contains “{typed.trim()}”.
            </EmptyState>
          )
        }
      />
      <ConfirmDialog
        open={asking !== undefined}
        onClose={() => {
          setAsking(undefined)
          revoke.reset()
        }}
        title={`Revoke ${asking?.name}?`}
        verb="Revoke access"
        error={revoke.error?.message}
        pending={revoke.isPending}
        onConfirm={() => asking && revoke.mutate({ slug, id: asking.id })}
      >
        <p>
          The app loses its access to this organization immediately, no matter who authorized it. It
          can ask again.
        </p>
      </ConfirmDialog>
    </Card>
  )
}

const columns = (
  reason: string | undefined,
  onRevoke: (app: OAuthApp) => void,
): Column<OAuthApp>[] => [
  {
    id: 'name',
    head: 'Name',
    sortBy: ({ name }) => name.toLowerCase(),
    cell: (app) => <AppName app={app} />,
  },
  {
    id: 'scopes',
    head: 'Scopes',
    wideOnly: true,
    cell: ({ scopes }) => <span className="muted">{scopesText(scopes)}</span>,
  },
  {
    id: 'by',
    head: 'Authorized by',
    wideOnly: true,
    cell: ({ authorized_by: email }) => <span className="muted">{email}</span>,
  },
  {
    id: 'when',
    head: 'When',
    wideOnly: true,
    sortBy: ({ authorized_at: at }) => at,
    cell: ({ authorized_at: at }) => at && <span className="faint">{<Time at={at} />}</span>,
  },
  {
    id: 'revoke',
    head: 'Revoke',
    hideHead: true,
    numeric: true,
    cell: (app) => (
      <Button disabledReason={reason} onClick={() => onRevoke(app)}>
        Revoke
      </Button>
    ),
  },
]
