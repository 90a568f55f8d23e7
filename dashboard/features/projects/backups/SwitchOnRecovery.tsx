import { useState } from 'react'
import { computeSizes } from '#contract/projects/compute-sizes'
import type { Project } from '#contract/projects/projects'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { RecoveryChoice } from './RecoveryChoice.tsx'
import { isLargeEnough, recoveryOffers } from './recovery-offers.ts'
import { setAddOn, useSetRecovery } from './use-recovery.ts'

/** Point in time recovery where it is off: what it is, what it needs and costs. */
export function SwitchOnRecovery({ project }: { project: Project }) {
  const { ref, organization_slug: organizationSlug, infra_compute_size: size } = project
  const [chosen, setChosen] = useState(recoveryOffers[0]?.identifier ?? '')
  const [asking, setAsking] = useState(false)
  const why = useDenials({ organizationSlug, projectRef: ref })
  const set = useSetRecovery(ref, {
    done: 'Point in time recovery is switched on',
    onDone: () => setAsking(false),
  })
  const large = isLargeEnough(size)
  const offer = recoveryOffers.find(({ identifier }) => identifier === chosen)
  const reason =
    why(setAddOn) ??
    (large ? undefined : `This project has the size ${computeSizes[size].label}: it needs Small`) ??
    (project.status === 'ACTIVE_HEALTHY' ? undefined : 'The database must be running')
  return (
    <Card
      title="Point in time recovery"
      footer={
        <Button
          size="form"
          variant="primary"
          disabledReason={reason}
          onClick={() => {
            set.reset()
            setAsking(true)
          }}
        >
          Switch on
        </Button>
      }
    >
      <div className="form-stack">
        <p>
          Everything that the database writes is kept beside its backups, so that you can restore
          any second of the last days, for example the one before a table was dropped. It starts
          when you switch it on and cannot reach back before that.
        </p>
        <dl className="defs">
          <dt>Plan</dt>
          <dd>Pro or above</dd>
          <dt>Compute</dt>
          <dd>
            Small or larger; this project has {computeSizes[size].label}
            {!large && '. A project gets its size when it is created'}
          </dd>
        </dl>
        <RecoveryChoice value={chosen} disabled={reason !== undefined} onChange={setChosen} />
      </div>
      {asking && offer && (
        <ConfirmDialog
          open
          onClose={() => setAsking(false)}
          title="Enable point in time recovery"
          verb="Switch on"
          danger={false}
          error={set.error?.message}
          pending={set.isPending}
          onConfirm={() => set.mutate(offer.identifier)}
        >
          <p>
            {offer.days} days cost {offer.price}, charged for the time that it is on. It starts with
            a backup that is made then, and cannot reach back before that. The database restarts:
            open connections end, and new ones are accepted in a moment.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
