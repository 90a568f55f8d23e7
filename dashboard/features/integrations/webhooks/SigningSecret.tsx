import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { Hook } from '#contract/integrations/webhook-calls'
import { rotationHours, webhooks } from '#contract/integrations/webhooks'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { SecretText } from '../../../ui/text/SecretText.tsx'
import { forgetCalls } from './queries.ts'

type Props = { projectRef: string; hook: Hook }

/** The secret that signs the calls of a webhook: made, shown once, rotated and removed. */
export function SigningSecret({ projectRef, hook }: Props) {
  const denied = useDenials(useProject(projectRef))(webhooks.newSecret)
  const [asking, setAsking] = useState<'rotate' | 'remove'>()
  const of = { ref: projectRef, table_id: hook.table_id, name: hook.name }
  const done = async () => {
    setAsking(undefined)
    await forgetCalls()
  }
  const renew = useCall(webhooks.newSecret, { onSuccess: done })
  const remove = useCall(webhooks.removeSecret, { onSuccess: done })
  const error = renew.error ?? remove.error
  return (
    // A dialog that is answered here is a form of its own, and not the panel's to send.
    <section
      className="webhook-part"
      aria-label="Signature"
      onSubmit={(event) => event.stopPropagation()}
    >
      <h3>Signature</h3>
      <p className="help">
        {hook.signed
          ? 'Calls carry webhook-signature, by which a receiver knows that they come from this project.'
          : 'Calls are not signed: a receiver cannot tell who has sent them.'}
      </p>
      <p className="help">
        The platform keeps the secret outside the database, so it is not part of a migration and
        takes effect at once.
      </p>
      {renew.data && hook.signed && (
        <Alert variant="warning" title="Copy the secret now: it is not shown again">
          <SecretText secret={renew.data.secret} what="signing secret" />
        </Alert>
      )}
      {error && !asking && <Alert variant="danger" title={error.message} />}
      <div className="row">
        <Button
          icon={KeyRound}
          busy={renew.isPending}
          disabledReason={denied}
          onClick={() => (hook.signed ? setAsking('rotate') : renew.mutate(of))}
        >
          {hook.signed ? 'Rotate secret' : 'Create signing secret'}
        </Button>
        {hook.signed && (
          <Button variant="danger" disabledReason={denied} onClick={() => setAsking('remove')}>
            Remove secret
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asking === 'rotate'}
        onClose={() => setAsking(undefined)}
        title="Rotate the signing secret"
        verb="Rotate secret"
        error={renew.error?.message}
        pending={renew.isPending}
        onConfirm={() => renew.mutate(of)}
      >
        <p>
          For {rotationHours} hours calls are signed with both secrets, so that you can change the
          receiver. After that only the new one counts.
        </p>
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'remove'}
        onClose={() => setAsking(undefined)}
        title="Remove the signing secret"
        verb="Remove secret"
        error={remove.error?.message}
        pending={remove.isPending}
        onConfirm={() => remove.mutate(of)}
      >
        <p>Calls are no longer signed, and a receiver that checks signatures refuses them.</p>
      </ConfirmDialog>
    </section>
  )
}
