import { useState } from 'react'
import { apiKeys } from '#contract/projects/api-keys'
import { useCall } from '../../../api/client.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetKeys } from './queries.ts'

type Props = {
  projectRef: string
  enabled: boolean
  /** There is a key that clients can use instead. */
  replaced: boolean
  denied: string | undefined
}

/** Ends both legacy keys at once, and takes that back. */
export function LegacySwitch({ projectRef, enabled, replaced, denied }: Props) {
  const [asking, setAsking] = useState(false)
  const set = useCall(apiKeys.setLegacy, {
    onSuccess: async (now) => {
      setAsking(false)
      toast.success(now.enabled ? 'Legacy API keys are enabled' : 'Legacy API keys are disabled')
      await forgetKeys()
    },
  })
  return (
    <Card
      title={enabled ? 'Disable legacy API keys' : 'Enable legacy API keys'}
      footer={
        <Button
          size="form"
          variant={enabled ? 'danger' : 'secondary'}
          disabledReason={denied}
          onClick={() => setAsking(true)}
        >
          {enabled ? 'Disable legacy keys' : 'Enable legacy keys'}
        </Button>
      }
    >
      <p className="muted">
        {enabled
          ? 'Disable the legacy keys once every client uses a publishable or secret key. You can enable them again.'
          : 'Enable the legacy keys if a forgotten client needs them until it has a new key.'}
      </p>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={enabled ? 'Disable legacy API keys' : 'Enable legacy API keys'}
        verb={enabled ? 'Disable legacy keys' : 'Enable legacy keys'}
        danger={enabled}
        error={set.error?.message}
        pending={set.isPending}
        onConfirm={() => set.mutate({ ref: projectRef, enabled: !enabled })}
      >
        {enabled ? (
          <>
            <p>
              Every client that sends the anon or service_role key is refused with 401 from its next
              request. This includes people who are signed in through such a client.
            </p>
            {!replaced && (
              <p>This project has no publishable or secret key: no client could reach it.</p>
            )}
          </>
        ) : (
          <p>The anon and service_role keys give access to this project again, as before.</p>
        )}
      </ConfirmDialog>
    </Card>
  )
}
