import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ServerCog } from 'lucide-react'
import type { Project } from '#contract/projects/projects'
import { projectQuery } from '../../../session/project/project.ts'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { buttonClass } from '../../../ui/controls/Button.tsx'
import { MaintenanceCard } from './MaintenanceCard.tsx'
import { versionsQuery } from './queries.ts'
import { VersionCard } from './VersionCard.tsx'

/** /project/{ref}/settings/infrastructure */
export function InfrastructurePage({ projectRef }: { projectRef: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  return (
    <Page width="list">
      <PageHead
        title="Infrastructure"
        help="See what the database runs on, and choose when it moves to a newer version of Postgres."
      />
      <div className="sections">
        <Versions project={project} />
        <Resources projectRef={projectRef} />
      </div>
    </Page>
  )
}

const title = 'Postgres version'

function Versions({ project }: { project: Project }) {
  const { data, error, refetch } = useQuery(versionsQuery(project.ref))
  if (error?.reason === 'not_on_this_installation')
    return (
      <Card title={title} padded={false}>
        <EmptyState icon={ServerCog} title="This database runs on a server of its operator">
          Plinth does not manage that server, so its version cannot be changed here.
        </EmptyState>
      </Card>
    )
  if (error && !data)
    return (
      <Card title={title} padded={false}>
        <ErrorNote what={title} error={error} onRetry={() => void refetch()} />
      </Card>
    )
  if (!data)
    return (
      <Card title={title}>
        <Skeleton width="100%" height={96} />
      </Card>
    )
  return (
    <>
      <VersionCard project={project} versions={data} />
      <MaintenanceCard key={JSON.stringify(data.window)} project={project} window={data.window} />
    </>
  )
}

const Resources = ({ projectRef: ref }: { projectRef: string }) => (
  <Card title="Resources">
    <div className="form-stack">
      <p className="muted">
        Processor, memory, disk and connections over time are charts of the database report. The
        size of the server is chosen on Compute and disk.
      </p>
      <div className="row">
        <Link
          className={buttonClass({})}
          to="/project/$ref/reports/$report"
          params={{ ref, report: 'database' }}
        >
          Open database report
        </Link>
        <Link
          className={buttonClass({})}
          to="/project/$ref/settings/compute-and-disk"
          params={{ ref }}
        >
          Compute and disk
        </Link>
      </div>
    </div>
  </Card>
)
