import { useState } from 'react'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { RecoveryChoice } from './RecoveryChoice.tsx'
import { recoveryOffers } from './recovery-offers.ts'
import { removeAddOn, setAddOn, useEndRecovery, useSetRecovery } from './use-recovery.ts'

type Props = { projectRef: string; chosen: string }

/** For how long one can go back: another number of days, or none. */
export function RetentionCard({ projectRef, chosen }: Props) {
  const [wanted, setWanted] = useState(chosen)
  const [asking, setAsking] = useState<'change' | 'end'>()
  const why = useDenials(useProject(projectRef))
  const close = () => setAsking(undefined)
  const set = useSetRecovery(projectRef, { done: 'The retention is changed', onDone: close })
  const end = useEndRecovery(projectRef, {
    done: 'Point in time recovery is switched off',
    onDone: close,
  })
  const [now, then] = [chosen, wanted].map((id) =>
    recoveryOffers.find(({ identifier }) => identifier === id),
  )
  return (
    <Card
      title="Retention"
      footer={
        <>
          <Button
            size="form"
            variant="danger-quiet"
            disabledReason={why(removeAddOn)}
            onClick={() => {
              end.reset()
              setAsking('end')
            }}
          >
            Switch off
          </Button>
          <Button
            size="form"
            variant="primary"
            disabled={wanted === chosen}
            disabledReason={why(setAddOn)}
            onClick={() => {
              set.reset()
              setAsking('change')
            }}
          >
            Change retention
          </Button>
        </>
      }
    >
      <RecoveryChoice value={wanted} disabled={why(setAddOn) !== undefined} onChange={setWanted} />
      {asking === 'change' && now && then && (
        <ConfirmDialog
          open
          onClose={close}
          title="Change the retention"
          verb="Change retention"
          danger={then.days < now.days}
          error={set.error?.message}
          pending={set.isPending}
          onConfirm={() => set.mutate(then.identifier)}
        >
          <p>
            {then.days} days cost {then.price} from now on, instead of {now.price} for {now.days}.{' '}
            {then.days < now.days
              ? `What is older than ${then.days} days cannot be restored any more.`
              : 'The window grows day by day. What has already left it does not come back.'}
          </p>
        </ConfirmDialog>
      )}
      {asking === 'end' && (
        <ConfirmDialog
          open
          onClose={close}
          title="Disable point in time recovery"
          verb="Switch off"
          error={end.error?.message}
          pending={end.isPending}
          onConfirm={() => end.mutate(chosen)}
        >
          <p>
            You can then restore the database only from its backups. The database restarts: open
            connections end, and new ones are accepted in a moment. If you switch it on again, it
            starts over.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
