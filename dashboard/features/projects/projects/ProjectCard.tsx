import { Link } from '@tanstack/react-router'
import { computeSizes } from '#contract/projects/compute-sizes'
import type { ProjectListItem } from '#contract/projects/projects'
import { isMoving, statusView } from '../../../session/project/project-status.ts'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { postgresLabel } from '../../../session/project/postgres-label.ts'
import { placeOf } from '../../../session/project/regions.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { endpointOf, useProjectAction } from './use-project-action.ts'

export function ProjectCard({ project }: { project: ProjectListItem }) {
  const { ref, name, region, status } = project
  const { label, tone } = statusView(status)
  return (
    <article className="pc">
      <div className="row">
        <h2 className="ell">
          <Link className="cover" to="/project/$ref" params={{ ref }}>
            {name}
          </Link>
        </h2>
        <span className="grow" />
        <Status tone={tone} small>
          {label}
        </Status>
      </div>
      <p className="t12 muted">
        {placeOf(region)} <span className="mono faint">{region}</span>
      </p>
      <div className="mid">
        <Middle project={project} />
      </div>
      <div className="row t12 muted meta">
        <span>{computeSizes[project.infra_compute_size].label}</span>
        <span>{postgresLabel(project.dbVersion)}</span>
        <span className="grow" />
        <Time at={project.inserted_at} />
      </div>
    </article>
  )
}

function Middle({ project }: { project: ProjectListItem }) {
  const { ref, status } = project
  if (isMoving(status)) return <Progress label={statusView(status).label} />
  if (status === 'INACTIVE')
    return (
      <>
        <p className="t12 muted">Stopped. Its data is kept.</p>
        <span className="grow" />
        <span className="over">
          <ResumeButton project={project} />
        </span>
      </>
    )
  return (
    <span className="over">
      <CopyButton text={ref} what="project ref">
        {ref}
      </CopyButton>
    </span>
  )
}

/** Brings a paused project back, from a list. */
function ResumeButton({ project }: { project: ProjectListItem }) {
  const { ref, organization_slug: organizationSlug } = project
  const why = useDenials({ organizationSlug, projectRef: ref })
  const restore = useProjectAction('restore')
  return (
    <Button
      busy={restore.isPending}
      disabledReason={why(endpointOf('restore'))}
      onClick={() =>
        restore.mutate(
          { ref },
          {
            onError: (error) =>
              toast.error(`${project.name} was not resumed`, { description: error.message }),
          },
        )
      }
    >
      Resume
    </Button>
  )
}
