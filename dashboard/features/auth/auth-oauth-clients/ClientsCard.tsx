import { useInfiniteQuery, useSuspenseQuery, infiniteQueryOptions } from '@tanstack/react-query'
import { AppWindow, Plus, Ellipsis, KeyRound, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  authOauthClients,
  type AuthOauthClient,
  authOauthClients as api,
} from '#contract/auth/auth-oauth-clients'
import { authConfig } from '#contract/auth/auth-config'
import type { Need } from '#contract/permissions'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Table, type Column } from '../../../ui/lists/Table.tsx'
import { useCall, call, q } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../ui/floats/Menu.tsx'
import { MenuItem } from '../../../ui/floats/MenuItem.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { ClientDialog, SecretDialog, type NewSecret } from './ClientDialog.tsx'

/** Whether the server is on stands among the settings of the auth service. */
const authConfigQuery = (ref: string) => q(authConfig.get, { ref })

const clientsQuery = (ref: string) =>
  infiniteQueryOptions({
    queryKey: [authOauthClients.list.name, { ref }],
    queryFn: ({ pageParam, signal }) =>
      call(authOauthClients.list, { ref, page: pageParam }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ next }) => next ?? undefined,
  })

type Doing = { deed: Deed; client: AuthOauthClient } | { deed: 'new'; client?: undefined }

/** The apps that sign people in with their account in this project. */
export function ClientsCard({ projectRef }: { projectRef: string }) {
  const { data: config } = useSuspenseQuery(authConfigQuery(projectRef))
  const isOn = config.OAUTH_SERVER_ENABLED
  const query = useInfiniteQuery({ ...clientsQuery(projectRef), enabled: isOn })
  const denied = useDenials(useProject(projectRef))
  const [doing, setDoing] = useState<Doing>()
  const [secret, setSecret] = useState<NewSecret>()
  const close = () => setDoing(undefined)
  const show = (made: NewSecret) => {
    close()
    setSecret(made)
  }
  const register = (
    <Button
      icon={Plus}
      disabledReason={
        denied(authOauthClients.create) ?? (isOn ? undefined : 'Switch the OAuth server on first')
      }
      onClick={() => setDoing({ deed: 'new' })}
    >
      Register app
    </Button>
  )
  const empty = (
    <EmptyState
      icon={AppWindow}
      title={isOn ? 'No apps yet' : 'The OAuth server is off'}
      action={isOn && register}
    >
      {isOn
        ? 'Register an app, and people can sign in to it with their account here.'
        : 'You can register apps once it is on and saved.'}
    </EmptyState>
  )
  return (
    <>
      <Card title="OAuth apps" padded={false} end={register}>
        <Table
          label="OAuth apps"
          columns={clientColumns({
            why: denied,
            onDeed: (deed, client) => setDoing({ deed, client }),
          })}
          rows={isOn ? query.data?.pages.flatMap(({ clients }) => clients) : []}
          keyOf={({ client_id: id }) => id}
          rowHeight={60}
          error={query.error}
          onRetry={() => void query.refetch()}
          pageSize={Number.MAX_SAFE_INTEGER}
          empty={empty}
        />
        {query.hasNextPage && (
          <div className="more">
            <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show older
            </Button>
          </div>
        )}
      </Card>
      {(doing?.deed === 'new' || doing?.deed === 'edit') && (
        <ClientDialog projectRef={projectRef} client={doing.client} onClose={close} onMade={show} />
      )}
      {doing?.deed === 'secret' && (
        <NewSecretDialog
          projectRef={projectRef}
          client={doing.client}
          onClose={close}
          onMade={show}
        />
      )}
      {doing?.deed === 'delete' && (
        <DeleteClientDialog projectRef={projectRef} client={doing.client} onClose={close} />
      )}
      {secret && <SecretDialog made={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

type DeleteClientDialogProps = { projectRef: string; client: AuthOauthClient; onClose: () => void }

function DeleteClientDialog({ projectRef, client, onClose }: DeleteClientDialogProps) {
  const remove = useCall(authOauthClients.remove, {
    changes: [authOauthClients.list],
    onSuccess: () => {
      onClose()
      toast.success(`${client.client_name} is deleted`)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${client.client_name}?`}
      verb="Delete app"
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref: projectRef, client_id: client.client_id })}
    >
      <p>
        No one can sign in to it with their account any more, and its sessions end. This cannot be
        undone.
      </p>
    </ConfirmDialog>
  )
}

type NewSecretDialogProps = {
  projectRef: string
  client: AuthOauthClient
  onClose: () => void
  onMade: (made: NewSecret) => void
}

function NewSecretDialog({ projectRef, client, onClose, onMade }: NewSecretDialogProps) {
  const rotate = useCall(authOauthClients.rotateSecret, { onSuccess: onMade })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`New secret for ${client.client_name}?`}
      verb="Generate a new secret"
      error={rotate.error?.message}
      pending={rotate.isPending}
      onConfirm={() => rotate.mutate({ ref: projectRef, client_id: client.client_id })}
    >
      <p>
        The current secret stops working at once. The app cannot get tokens until it has the new
        one.
      </p>
    </ConfirmDialog>
  )
}

type Deed = 'edit' | 'secret' | 'delete'
type Parts = {
  /** Why the reader may not. */
  why: (endpoint: { needs: Need }) => string | undefined
  onDeed: (deed: Deed, client: AuthOauthClient) => void
}

const clientColumns = ({ why, onDeed }: Parts): Column<AuthOauthClient>[] => [
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
