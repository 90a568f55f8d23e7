import { useQuery } from '@tanstack/react-query'
import { ServerCog, History } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import type { Backups } from '#contract/projects/backups'
import type { Project } from '#contract/projects/projects'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { isMoving, statusView } from '../../../session/project/project-status.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { backupsQuery } from './queries.ts'

type Props = { projectRef: string; children: (data: Backups) => ReactNode }

/** What is known of a project's backups, or why nothing is. */
export function WithBackups({ projectRef, children }: Props) {
  const { data, error, refetch } = useQuery(backupsQuery(projectRef))
  if (error && !data)
    return <ErrorNote what="Backups" error={error} onRetry={() => void refetch()} />
  if (!data)
    return (
      <div className="card">
        <div className="pad">
          <Skeleton width="100%" height={200} />
        </div>
      </div>
    )
  if (!data.walg_enabled)
    return (
      <div className="card">
        <EmptyState icon={ServerCog} title="This database is backed up by its operator">
          Someone else runs its server, which existed before: you cannot copy or restore it from
          here.
        </EmptyState>
      </div>
    )
  return children(data)
}

type PlanNeededProps = {
  slug: string
  title: string
  /** What a plan that has it gives. */
  children: ReactNode
}

/** What organizations on Free see in the place of what their plan does not have. */
export function PlanNeeded({ slug, title, children }: PlanNeededProps) {
  const { name, plan } = useOrganization(slug)
  return (
    <div className="card">
      <EmptyState
        icon={History}
        title={title}
        action={
          <Link className="btn pri" to="/org/$slug/billing" params={{ slug }}>
            See plans
          </Link>
        }
      >
        {name} is on the {plan.name} plan. {children}
      </EmptyState>
    </div>
  )
}

/** What is going on with the project, or failed last: these pages are there all the same. */
export function ProjectNote({ project: { name, status, failure } }: { project: Project }) {
  if (isMoving(status))
    return (
      <Alert variant="info" title={`${name} is ${statusView(status).label.toLowerCase()}`}>
        You cannot use its database in the meantime.
      </Alert>
    )
  return (
    failure && (
      <Alert variant="warning" title="The last change to this project failed">
        {failure}
      </Alert>
    )
  )
}
