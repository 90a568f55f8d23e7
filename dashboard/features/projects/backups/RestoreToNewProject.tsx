import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { CopyPlus } from 'lucide-react'
import type { Backups } from '#contract/projects/backups'
import { projectQuery } from '../../../session/project/project.ts'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { CloneForm } from './CloneForm.tsx'
import { ClonesCard } from './ClonesCard.tsx'
import { wholeSpans } from './moment.ts'
import { PlanNeeded } from './PlanNeeded.tsx'
import { cloneableQuery } from './queries.ts'
import { WithBackups } from './WithBackups.tsx'
import '../../../ui/lists/list-page.css'
import './backups.css'

type Props = {
  projectRef: string
  /** The backup that the link asked for, by its id. */
  backup: string | undefined
}

/** /project/{ref}/database/backups/restore-to-new-project: the data of this project in another one. */
export function RestoreToNewProject(props: Props) {
  return (
    <WithBackups projectRef={props.projectRef}>
      {(data) => (
        <>
          <Restorable {...props} data={data} />
          <ClonesCard projectRef={props.projectRef} />
        </>
      )}
    </WithBackups>
  )
}

function Restorable({ projectRef, backup, data }: Props & { data: Backups }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  const { data: target, error, refetch } = useQuery(cloneableQuery(projectRef))
  if (data.retention_days === 0)
    return (
      <PlanNeeded
        slug={project.organization_slug}
        title="Restoring to a new project needs the Pro plan"
      >
        From Pro on, you can restore a backup to a separate project, to look something up in it or
        to try a change on real data.
      </PlanNeeded>
    )
  const completed = data.backups.filter(({ status }) => status === 'COMPLETED')
  const spans = wholeSpans(data.recovery_windows)
  if (completed.length === 0 && spans.length === 0)
    return (
      <div className="card">
        <EmptyState icon={CopyPlus} title="Nothing to restore yet">
          A new project starts from a completed backup of this one. Create one under Backups.
        </EmptyState>
      </div>
    )
  if (error && !target)
    return <ErrorNote what="The new project" error={error} onRetry={() => void refetch()} />
  if (!target)
    return (
      <Card title="New project">
        <Skeleton width="100%" height={320} />
      </Card>
    )
  return (
    <CloneForm
      project={project}
      backups={completed}
      spans={spans}
      start={completed.find(({ id }) => String(id) === backup)?.id}
      target={target}
    />
  )
}
