import { useQuery } from '@tanstack/react-query'
import { GitCommitHorizontal } from 'lucide-react'
import { useState } from 'react'
import { git, type GitSource } from '#contract/projects/git'
import { q, useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card, WaitingCard } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { SecretText } from '../../../ui/text/SecretText.tsx'
import { GitDeployments } from './GitDeployments.tsx'
import { DeployForm, GitForm } from './GitForm.tsx'
import { ofGit } from './queries.ts'

type Props = {
  /** Of the project that they are branches of. */
  projectRef: string
  /** Why this person may not change it. */
  denied: string | undefined
}
type Asking = 'set' | 'deploy' | 'secret' | 'remove'

/** Commits of a git repository that are deployed to the project and its branches. */
export function GitCard({ projectRef, denied }: Props) {
  const query = useQuery(q(git.get, { ref: projectRef }))
  const [asking, setAsking] = useState<Asking>()
  /** Of the webhook: it is shown until the page is left. */
  const [secret, setSecret] = useState<string | null>(null)
  const close = () => setAsking(undefined)
  const renew = useCall(git.newSecret, {
    onSuccess: ({ secret: made }) => {
      setSecret(made)
      close()
    },
  })
  const remove = useCall(git.remove, {
    changes: ofGit,
    onSuccess: () => {
      setSecret(null)
      toast.success('The project does not deploy from git any more')
      close()
    },
  })
  const { data } = query
  if (!data)
    return (
      <WaitingCard
        title="Deploy from git"
        what="the repository"
        height={180}
        error={query.error}
        onRetry={() => query.refetch()}
      />
    )
  const { source, hook_url: hookUrl } = data
  const setUp = (
    <Button disabledReason={denied} onClick={() => setAsking('set')}>
      {source ? 'Edit' : 'Connect repository'}
    </Button>
  )
  return (
    <>
      <Card title="Deploy from git" padded={source !== null} end={source && setUp}>
        {source ? (
          <div className="form-stack">
            <Source source={source} hookUrl={hookUrl} />
            {secret !== null && (
              <Alert variant="warning" title="Copy the secret now: it is not shown again">
                <SecretText secret={secret} what="secret of the webhook" />
              </Alert>
            )}
            <div className="row branch-answers">
              <Button disabledReason={denied} onClick={() => setAsking('deploy')}>
                Deploy commit
              </Button>
              <Button disabledReason={denied} onClick={() => setAsking('secret')}>
                Rotate secret
              </Button>
              <Button
                variant="danger"
                disabledReason={denied}
                onClick={() => {
                  remove.reset()
                  setAsking('remove')
                }}
              >
                Disconnect
              </Button>
            </div>
          </div>
        ) : (
          <EmptyState icon={GitCommitHorizontal} title="No repository connected" action={setUp}>
            When your git host reports a new commit, its migrations and functions are deployed: the
            production branch to this project, others to the branches that name them.
          </EmptyState>
        )}
      </Card>
      {source && <GitDeployments projectRef={projectRef} />}
      {asking === 'set' && (
        <GitForm
          projectRef={projectRef}
          source={source}
          onSaved={(made) => {
            if (made !== null) setSecret(made)
            close()
          }}
          onClose={close}
        />
      )}
      {asking === 'deploy' && source && (
        <DeployForm projectRef={projectRef} source={source} onClose={close} />
      )}
      <ConfirmDialog
        open={asking === 'secret'}
        onClose={close}
        title="Rotate the secret of the webhook?"
        verb="Rotate secret"
        error={renew.error?.message}
        pending={renew.isPending}
        onConfirm={() => renew.mutate({ ref: projectRef })}
      >
        <p>
          The former secret stops working at once. Enter the new one in the webhook of your git
          host.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'remove'}
        onClose={close}
        title="Disconnect the repository?"
        verb="Disconnect"
        error={remove.error?.message}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ ref: projectRef })}
      >
        <p>
          New commits are not deployed any more, and the token and the secret are deleted. What was
          deployed stays.
        </p>
      </ConfirmDialog>
    </>
  )
}

function Source({ source, hookUrl }: { source: GitSource; hookUrl: string }) {
  const facts = [
    ['Archive address', source.archive_url],
    ['Access token', source.has_token ? 'Set' : 'None'],
    ['Folder', source.folder],
    ['Production branch', source.production_branch],
    ['Deploys as', source.set_by],
  ]
  return (
    <>
      <dl className="defs">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono branch-text">{value}</dd>
          </div>
        ))}
      </dl>
      <CopyText text={hookUrl} what="webhook URL" label="Webhook" />
      <p className="help">
        Add this webhook at your git host: content type application/json, the secret, pushes only.
      </p>
    </>
  )
}
