import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import { vault, type VaultKey } from '#contract/integrations/vault'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { forgetVault } from './queries.ts'

type Props = { projectRef: string; vaultKey: VaultKey }

/** With which key the secrets are encrypted, since when, and the change to another. */
export function KeyCard({ projectRef, vaultKey }: Props) {
  const denied = useDenials(useProject(projectRef))
  const [asking, setAsking] = useState(false)
  const rotate = useCall(vault.rotate, {
    onSuccess: async () => {
      setAsking(false)
      await forgetVault()
    },
  })
  const { rotating, failure, former } = vaultKey
  const go = () => rotate.mutate({ ref: projectRef })
  return (
    <div className="vault-key-card">
      <Card title="Encryption key">
        {failure !== null && (
          <Alert
            variant="warning"
            title="The rotation did not finish"
            action={
              <Button busy={rotate.isPending} disabledReason={denied(vault.rotate)} onClick={go}>
                Finish rotation
              </Button>
            }
          >
            {failure}. Every secret still opens.
          </Alert>
        )}
        <div className="vault-key">
          <div className="two-lines">
            <p className="mono t12">{vaultKey.id}</p>
            <p className="muted t12">
              In use since {exactTime(new Date(vaultKey.made_at))}. It is stored outside of the
              database and its backups.
              {former > 0 &&
                ` ${former} earlier ${former === 1 ? 'key is' : 'keys are'} kept for backups.`}
            </p>
          </div>
          <Button
            icon={RotateCw}
            busy={rotating}
            disabledReason={
              denied(vault.rotate) ??
              (failure === null ? undefined : 'Finish the last rotation first')
            }
            onClick={() => setAsking(true)}
          >
            {rotating ? 'Rotating' : 'Rotate key'}
          </Button>
        </div>
        <ConfirmDialog
          open={asking}
          onClose={() => setAsking(false)}
          title="Rotate the encryption key"
          verb="Rotate key"
          danger={false}
          error={rotate.error?.message}
          pending={rotate.isPending}
          onConfirm={go}
        >
          <p>
            All secrets are encrypted again with a new key. They can be read all the time; writing
            waits for a moment.
          </p>
          <p>
            Encrypted values that you have copied out of <code>vault.secrets</code> no longer open
            afterwards. Backups of this project still do when you restore them here.
          </p>
        </ConfirmDialog>
      </Card>
    </div>
  )
}
