import { useQuery } from '@tanstack/react-query'
import { Plus, SearchX, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { oauthApps } from '#contract/organizations/oauth-apps'
import type { OAuthApp } from '#contract/organizations/oauth-apps'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { type Column, Table } from '../../../ui/lists/Table.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { useCall } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Time } from '../../../ui/text/Time.tsx'
import { AppName } from './AppName.tsx'
import { AppPanel } from './AppPanel.tsx'
import { PublishedList } from './PublishedList.tsx'
import { authorizedQuery, publishedQuery, ofApps } from './queries.ts'
import { scopesText } from './scope-texts.ts'
import { type NewSecret, SecretDialog } from './SecretDialog.tsx'
import './oauth-apps.css'

type Doing = { what: 'create' } | { what: 'edit' | 'rotate' | 'delete'; app: OAuthApp }

/** /org/{slug}/apps: apps that this organization publishes, and apps that it lets in. */
export function AppsPage({ slug }: { slug: string }) {
  const why = useDenials({ organizationSlug: slug })
  const published = useQuery(publishedQuery(slug))
  const authorized = useQuery(authorizedQuery(slug))
  const [typed, setTyped] = useState('')
  const [doing, setDoing] = useState<Doing>()
  const [secret, setSecret] = useState<NewSecret>()
  const search = typed.trim().toLowerCase()
  const matching = (apps: OAuthApp[] | undefined) =>
    apps?.filter(({ name, client_id: id }) => `${name} ${id}`.toLowerCase().includes(search))
  const close = () => setDoing(undefined)
  const shown = (made: NewSecret) => {
    close()
    setSecret(made)
  }
  const publish = (
    <Button
      variant="primary"
      icon={Plus}
      disabledReason={why(oauthApps.create)}
      onClick={() => setDoing({ what: 'create' })}
    >
      Publish app
    </Button>
  )
  return (
    <Page>
      <PageHead
        title="OAuth apps"
        help="Apps that act for people on this platform, with their consent."
        actions={
          <>
            <SearchField label="Find an app" value={typed} onChange={setTyped} />
            {publish}
          </>
        }
      />
      <div className="sections">
        <PublishedList
          query={published}
          apps={matching(published.data)}
          typed={typed}
          publish={publish}
          why={why}
          onChoose={(what, app) => setDoing({ what, app })}
        />
        <AuthorizedList
          slug={slug}
          query={authorized}
          apps={matching(authorized.data)}
          typed={typed}
        />
      </div>
      {doing?.what === 'create' && (
        <AppPanel slug={slug} app={undefined} onClose={close} onMade={shown} />
      )}
      {doing?.what === 'edit' && (
        <AppPanel slug={slug} app={doing.app} onClose={close} onMade={shown} />
      )}
      {doing?.what === 'rotate' && (
        <RotateDialog slug={slug} app={doing.app} onClose={close} onMade={shown} />
      )}
      {doing?.what === 'delete' && <DeleteAppDialog slug={slug} app={doing.app} onClose={close} />}
      {secret && <SecretDialog made={secret} onClose={() => setSecret(undefined)} />}
    </Page>
  )
}

type DeleteAppDialogProps = { slug: string; app: OAuthApp; onClose: () => void }

function DeleteAppDialog({ slug, app, onClose }: DeleteAppDialogProps) {
  const remove = useCall(oauthApps.remove, {
    changes: ofApps,
    onSuccess: () => {
      toast.success(`${app.name} is deleted`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${app.name}`}
      verb="Delete app"
      typeName={app.name}
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ slug, id: app.id })}
    >
      <p>This cannot be undone.</p>
      <ul className="lost">
        <li>Its client ID and secret stop working</li>
        <li>Every organization that authorized it loses it, and its tokens stop working at once</li>
      </ul>
    </ConfirmDialog>
  )
}

type RotateDialogProps = {
  slug: string
  app: OAuthApp
  onClose: () => void
  onMade: (made: NewSecret) => void
}

function RotateDialog({ slug, app, onClose, onMade }: RotateDialogProps) {
  const rotate = useCall(oauthApps.rotateSecret, {
    changes: ofApps,
    onSuccess: onMade,
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`New secret for ${app.name}?`}
      verb="Generate a new secret"
      error={rotate.error?.message}
      pending={rotate.isPending}
      onConfirm={() => rotate.mutate({ slug, id: app.id })}
    >
      <p>
        The secret <span className="mono">{app.client_secret_alias}</span> stops working at once:
        the app cannot get tokens until it has the new one. Its current tokens work until they
        expire.
      </p>
    </ConfirmDialog>
  )
}

type Props = {
  slug: string
  query: { data: OAuthApp[] | undefined; error: Error | null; refetch: () => unknown }
  apps: OAuthApp[] | undefined
  typed: string
}

/** Apps of anybody that may act in this organization. */
function AuthorizedList({ slug, query, apps, typed }: Props) {
  const reason = useDenials({ organizationSlug: slug })(oauthApps.revoke)
  const [asking, setAsking] = useState<OAuthApp>()
  const revoke = useCall(oauthApps.revoke, {
    changes: ofApps,
    onSuccess: () => {
      toast.success(`${asking?.name ?? 'The app'} no longer has access`)
      setAsking(undefined)
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
