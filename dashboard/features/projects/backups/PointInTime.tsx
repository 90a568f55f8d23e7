import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { Backups } from '#contract/projects/backups'
import { projectQuery } from '../../../session/project/project.ts'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { PlanNeeded } from './PlanNeeded.tsx'
import { ProjectNote } from './ProjectNote.tsx'
import { addOnsQuery } from './queries.ts'
import { RecoveryMoment } from './RecoveryMoment.tsx'
import { RetentionCard } from './RetentionCard.tsx'
import { SwitchOnRecovery } from './SwitchOnRecovery.tsx'
import { WithBackups } from './WithBackups.tsx'
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
