import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ServerCog } from 'lucide-react'
import { useState } from 'react'
import { billing } from '#contract/billing/billing'
import { projects } from '#contract/projects/projects'
import { compute as computeApi, type Compute } from '#contract/projects/compute-resize'
import { computeSizes, type ComputeSizeId } from '#contract/projects/compute-sizes'
import type { Project } from '#contract/projects/projects'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { projectQuery } from '../../../session/project/project.ts'
import { statusView } from '../../../session/project/project-status.ts'
import { setProjectStatus } from '../../../session/project/set-project-status.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { Card, WaitingCard } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { counted, timeText } from '../../../ui/text/number.ts'
import { Ago, useNow } from '../../../ui/text/Time.tsx'
import { DiskCard } from './DiskCard.tsx'
import { computeQuery } from './queries.ts'
import { ReviewResize } from './ReviewResize.tsx'
import { SizeCards } from './SizeCards.tsx'
import { sizesOf } from './sizes.ts'
import './compute.css'

/** /project/{ref}/settings/compute-and-disk */
export function ComputePage({ projectRef }: { projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  return (
    <Page width="list">
      <PageHead
        title="Compute and disk"
        help="Choose the resources of the database server, and see what its disk holds."
      />
      <div className="sections">
        <ComputeSection project={project} />
        <DiskCard project={project} />
      </div>
    </Page>
  )
}

function ComputeSection({ project }: { project: Project }) {
  const { data, error, refetch } = useQuery(computeQuery(project.ref))
  if (!data)
    return (
      <WaitingCard
        title="Compute size"
        what="Compute size"
        height={240}
        error={error}
        onRetry={refetch}
      />
    )
  if (data.machine === null)
    return (
      <Card title="Compute size" padded={false}>
        <EmptyState icon={ServerCog} title="This database runs on a server of its operator">
          Plinth does not manage that server, so its resources cannot be changed here.
        </EmptyState>
      </Card>
    )
  // Another size: what was chosen before it is over.
  return <SizeChoice key={data.size} project={project} compute={data} />
}

type SizeChoiceProps = { project: Project; compute: Compute }

function SizeChoice({ project, compute }: SizeChoiceProps) {
  const { ref, organization_slug: organizationSlug } = project
  const [chosen, setChosen] = useState<ComputeSizeId>(compute.size)
  const [reviewing, setReviewing] = useState(false)
  const denied = useDenials({ organizationSlug, projectRef: ref })(billing.setAddOn)
  const wait = useWait(compute)
  const change = useResize(ref, () => setReviewing(false))
  const { cards, missing } = sizesOf(compute)
  const before = cards.find(({ isCurrent }) => isCurrent)
  const after = cards.find(({ id }) => id === chosen)
  const onFree = compute.plan === 'free'
  const reason =
    denied ??
    (onFree ? 'The Free plan has one compute size' : undefined) ??
    (project.status === 'ACTIVE_HEALTHY'
      ? undefined
      : `The project is ${statusView(project.status).label.toLowerCase()}`) ??
    wait ??
    (chosen === compute.size ? 'Choose another size first' : undefined)
  return (
    <Card
      title="Compute size"
      footer={
        <Button
          size="form"
          variant="primary"
          disabledReason={reason}
          onClick={() => {
            change.reset()
            setReviewing(true)
          }}
        >
          Review change
        </Button>
      }
    >
      <div className="form-stack">
        {onFree && <FreePlan slug={organizationSlug} />}
        <LastChange last={compute.last_resize} />
        <SizeCards
          cards={cards}
          chosen={chosen}
          disabled={denied !== undefined || onFree}
          onChoose={setChosen}
        />
        {wait && !onFree && <p className="muted">{wait}.</p>}
        {missing && <p className="muted">{missing}</p>}
      </div>
      {reviewing && before && after && (
        <ReviewResize
          before={before}
          after={after}
          last={compute.last_resize}
          error={change.error?.message}
          pending={change.isPending}
          onConfirm={() =>
            change.mutate({
              ref,
              addon_type: 'compute_instance',
              addon_variant: `ci_${after.id}`,
            })
          }
          onClose={() => setReviewing(false)}
        />
      )}
    </Card>
  )
}

/** For how long the size cannot be changed again, as a reason. */
function useWait({ cool_down_until: until }: Compute): string | undefined {
  const left = until === null ? 0 : Date.parse(until) - useNow().getTime()
  if (left <= 0) return undefined
  const minutes = Math.ceil(left / 60_000)
  return `You can change the size again in ${counted(minutes, 'minute')}`
}

const useResize = (ref: string, onDone: () => void) =>
  useCall(billing.setAddOn, {
    onAnswer: () => setProjectStatus(ref, 'RESIZING'),
    // It is another line of the next invoice as well.
    changes: [
      computeApi.get,
      projects.status,
      projects.detail,
      billing.projectAddOns,
      billing.subscription,
      billing.invoiceUpcoming,
    ],
    onSuccess: onDone,
  })

const FreePlan = ({ slug }: { slug: string }) => (
  <Alert
    variant="info"
    title="The Free plan runs on Nano"
    action={
      <Link className={buttonClass({})} to="/org/$slug/billing" params={{ slug }}>
        Upgrade plan
      </Link>
    }
  >
    Larger sizes are part of the Pro plan, and are billed by the hour.
  </Alert>
)

/** How the last change went; nothing where there was none. */
function LastChange({ last }: { last: Compute['last_resize'] }) {
  if (!last) return null
  const [from, to] = [computeSizes[last.from].label, computeSizes[last.to].label]
  if (last.finished_at === null)
    return (
      <Alert variant="info" title={`Changing from ${from} to ${to}`}>
        The database restarts. Open connections end, and new ones are accepted in a moment.
      </Alert>
    )
  if (last.outcome === 'kept')
    return (
      <Alert variant="warning" title={`The size was not changed to ${to}`}>
        {last.failure}
      </Alert>
    )
  return (
    <p className="muted">
      Changed from {from} to {to} <Ago at={last.finished_at} />
      {last.down_ms !== null && `. The database was unavailable for ${timeText(last.down_ms)}`}.
    </p>
  )
}
