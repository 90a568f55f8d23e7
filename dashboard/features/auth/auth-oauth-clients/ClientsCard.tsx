import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { AppWindow, Plus } from 'lucide-react'
import { useState } from 'react'
import { authOauthClients, type AuthOauthClient } from '#contract/auth/auth-oauth-clients'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { clientColumns, type Deed } from './client-columns.tsx'
import { ClientDialog } from './ClientDialog.tsx'
import { DeleteClientDialog } from './DeleteClientDialog.tsx'
import { NewSecretDialog } from './NewSecretDialog.tsx'
import { authConfigQuery, clientsQuery } from './queries.ts'
import { SecretDialog, type NewSecret } from './SecretDialog.tsx'

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
