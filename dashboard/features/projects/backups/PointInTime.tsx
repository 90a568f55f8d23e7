import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Backups } from '#contract/projects/backups'
import { computeSizes } from '#contract/projects/compute-sizes'
import type { Project } from '#contract/projects/projects'
import { billing } from '#contract/billing/billing'
import { projects as projectsApi } from '#contract/projects/projects'
import { projectQuery, useProject } from '../../../session/project/project.ts'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import { call, useChange } from '../../../api/client.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { addOnsQuery, ofBackups } from './queries.ts'
import { RecoveryMoment } from './RecoveryMoment.tsx'
import { WithBackups, PlanNeeded, ProjectNote } from './WithBackups.tsx'
import { recoveryOffers, isLargeEnough } from './words.ts'
import '../../../ui/lists/list-page.css'
import './backups.css'

type Props = {
  projectRef: string
  /** The project is being restored: its own page says how that goes. */
  onRestoring: () => void
}

/** /project/{ref}/database/backups/pitr: back to any moment. */
export function PointInTime(props: Props) {
  return (
    <WithBackups projectRef={props.projectRef}>
      {(data) => <Recovery {...props} data={data} />}
    </WithBackups>
  )
}

function Recovery({ projectRef, data, onRestoring }: Props & { data: Backups }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  if (data.retention_days === 0)
    return (
      <PlanNeeded
        slug={project.organization_slug}
        title="Point in time recovery needs the Pro plan"
      >
        With it, you can restore a database to any second of the last 7, 14 or 28 days. It is an
        add-on for projects with the compute size Small or larger.
      </PlanNeeded>
    )
  if (!data.pitr_enabled) return <SwitchOnRecovery project={project} />
  return (
    <>
      <ProjectNote project={project} />
      <RecoveryMoment project={project} data={data} onRestoring={onRestoring} />
      <Retention projectRef={projectRef} />
    </>
  )
}

function Retention({ projectRef }: { projectRef: string }) {
  const { data, error, refetch } = useQuery(addOnsQuery(projectRef))
  if (error && !data)
    return <ErrorNote what="Add-ons" error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton width="100%" height={160} />
  const chosen = data.selected_addons.find(({ type }) => type === 'pitr')?.variant.identifier
  // The list of backups and this one are two answers: between them it can have ended.
  return chosen && <RetentionCard key={chosen} projectRef={projectRef} chosen={chosen} />
}

/** Point in time recovery where it is off: what it is, what it needs and costs. */
function SwitchOnRecovery({ project }: { project: Project }) {
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
            {!large && (
              <>
                .{' '}
                <Link
                  className="link"
                  to="/project/$ref/settings/compute-and-disk"
                  params={{ ref }}
                >
                  Change the compute size
                </Link>
              </>
            )}
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

type RetentionCardProps = { projectRef: string; chosen: string }

/** For how long one can go back: another number of days, or none. */
function RetentionCard({ projectRef, chosen }: RetentionCardProps) {
  const [requested, setRequested] = useState(chosen)
  const [asking, setAsking] = useState<'change' | 'end'>()
  const why = useDenials(useProject(projectRef))
  const close = () => setAsking(undefined)
  const set = useSetRecovery(projectRef, { done: 'The retention is changed', onDone: close })
  const end = useEndRecovery(projectRef, {
    done: 'Point in time recovery is switched off',
    onDone: close,
  })
  const [now, then] = [chosen, requested].map((id) =>
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
            disabled={requested === chosen}
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
      <RecoveryChoice
        value={requested}
        disabled={why(setAddOn) !== undefined}
        onChange={setRequested}
      />
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

type RecoveryChoiceProps = {
  value: string
  disabled: boolean
  onChange: (identifier: string) => void
}

/** For how long one can go back, and what that costs. */
function RecoveryChoice({ value, disabled, onChange }: RecoveryChoiceProps) {
  return (
    <RadioGroup label="How far back">
      {recoveryOffers.map(({ identifier, days, price }) => (
        <Radio
          key={identifier}
          name="recovery"
          label={`${days} days`}
          help={price}
          value={identifier}
          checked={value === identifier}
          disabled={disabled}
          onChange={() => onChange(identifier)}
        />
      ))}
    </RadioGroup>
  )
}

const setAddOn = billing.setAddOn
const removeAddOn = billing.removeAddOn

type Options = { done: string; onDone: () => void }

/** Switches point in time recovery on, or to other days; the mutation takes the variant. */
const useSetRecovery = (ref: string, options: Options) =>
  useAddOnChange(
    (variant) => call(setAddOn, { ref, addon_type: 'pitr', addon_variant: variant }),
    options,
  )

const useEndRecovery = (ref: string, options: Options) =>
  useAddOnChange((variant) => call(removeAddOn, { ref, addon_variant: variant }), options)

const useAddOnChange = (change: (variant: string) => Promise<unknown>, { done, onDone }: Options) =>
  useChange(change, {
    // It is a line of the next invoice as well, and the database restarts.
    changes: [
      ...ofBackups,
      billing.projectAddOns,
      billing.subscription,
      billing.invoiceUpcoming,
      projectsApi.detail,
    ],
    onSuccess: () => {
      onDone()
      toast.success(done)
    },
  })
