import { useSuspenseQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { organizations } from '#contract/organizations/organizations'
import { projects as projectsApi } from '#contract/projects/projects'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Project } from '#contract/projects/projects'
import { projectQuery } from '../../../session/project/project.ts'
import { call, CallError, forget } from '../../../api/client.ts'
import { ofProjectLists } from '../../../session/project/project-lists.ts'
import { isMoving, statusView } from '../../../session/project/project-status.ts'
import { setProjectStatus } from '../../../session/project/set-project-status.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button, buttonClass } from '../../../ui/controls/Button.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { type ProjectAction, endpointOf, useProjectAction } from './project-actions.tsx'
import './projects.css'

type Props = {
  projectRef: string
  /** The page is of use without the database, as settings are. */
  always: boolean
  children: ReactNode
}

/** Around every page of a project: while the database cannot be used, the page says why instead. */
export function ProjectGate({ projectRef, always, children }: Props) {
  const { data: project } = useSuspenseQuery(projectQuery(projectRef))
  useFollowStatus(project)
  const { status } = project
  if (status === 'ACTIVE_HEALTHY' || status === 'ACTIVE_UNHEALTHY' || always) return children
  return <ProjectStatePage project={project} status={status} />
}

const interval = 2_000

/**
 * Follows a project that is on its way (pausing, restarting, ...) by its status alone. Its details are polled only in the cases that
 * the requirements name (`projectQuery`), so COMING_UP is not followed here.
 */
function useFollowStatus({ ref, status: from }: Pick<Project, 'ref' | 'status'>) {
  useQuery({
    queryKey: [projectsApi.status.name, { ref }, from],
    queryFn: async () => {
      const status = await statusOf(ref)
      if (status !== from) {
        setProjectStatus(ref, status)
        if (!isMoving(status)) await refresh(status)
      }
      return status
    },
    enabled: isMoving(from) && from !== 'COMING_UP',
    refetchInterval: interval,
    staleTime: 0,
    gcTime: 0,
  })
}

async function statusOf(ref: string): Promise<ProjectStatus> {
  try {
    return (await call(projectsApi.status, { ref })).status
  } catch (error) {
    // What was being deleted is gone now.
    if (error instanceof CallError && error.code === 404) return 'REMOVED'
    throw error
  }
}

const refresh = (status: ProjectStatus) =>
  Promise.all([
    forget(...ofProjectLists),
    forget(status === 'REMOVED' ? organizations.list : projectsApi.detail),
  ])

type ProjectStatePageProps = { project: Project; status: keyof typeof stateWords }

/** The whole page of a project that cannot be used now: what is going on, and what can be done. */
function ProjectStatePage({ project, status }: ProjectStatePageProps) {
  const words = stateWords[status]
  const { label, tone } = statusView(status)
  const { ref, organization_slug: slug } = project
  return (
    <Page width="form">
      <div className="state" aria-live="polite">
        <Status tone={tone}>{label}</Status>
        <h1>{words.title(project.name)}</h1>
        <p className="muted t14">{words.text}</p>
        {isMoving(status) && <Progress label={label} />}
        {project.failure && (
          <Alert variant="danger" title="What went wrong">
            {project.failure}
          </Alert>
        )}
        <div className="row">
          {words.action && <StateAction project={project} action={words.action} />}
          {status === 'REMOVED' ? (
            <Link to="/org/$slug" params={{ slug }} className={buttonClass({ size: 'form' })}>
              All projects
            </Link>
          ) : (
            <Link
              to="/project/$ref/settings/general"
              params={{ ref }}
              className={buttonClass({ size: 'form' })}
            >
              Project settings
            </Link>
          )}
        </div>
        <CopyButton text={ref} what="project ref">
          {ref}
        </CopyButton>
      </div>
    </Page>
  )
}

function StateAction({
  project,
  action,
}: {
  project: Project
  action: NonNullable<StateWords['action']>
}) {
  const why = useDenials({ organizationSlug: project.organization_slug, projectRef: project.ref })
  const run = useProjectAction(action.run)
  return (
    <>
      <Button
        variant="primary"
        size="form"
        busy={run.isPending}
        disabledReason={why(endpointOf(action.run))}
        onClick={() => run.mutate({ ref: project.ref })}
      >
        {action.label}
      </Button>
      {run.error && (
        <p className="err" role="alert">
          {run.error.message}
        </p>
      )}
    </>
  )
}

type StateWords = {
  title: (name: string) => string
  text: string
  /** What can be done about it from here. */
  action?: { run: Extract<ProjectAction, 'restore' | 'pause'>; label: string }
}

/** What the page of a project says while its database cannot be used. */
const stateWords: Record<
  Exclude<ProjectStatus, 'ACTIVE_HEALTHY' | 'ACTIVE_UNHEALTHY'>,
  StateWords
> = {
  COMING_UP: {
    title: (name) => `Setting up ${name}`,
    text: 'We are creating a dedicated Postgres server. This takes a few seconds.',
  },
  RESTARTING: {
    title: (name) => `Restarting ${name}`,
    text: 'Open connections are closed. New ones are accepted in a moment.',
  },
  RESTORING: {
    title: (name) => `Restoring ${name}`,
    text: 'The database is starting again. Its data is kept until it answers.',
  },
  UPGRADING: {
    title: (name) => `Upgrading ${name}`,
    text: 'The database is moving to a newer Postgres version. The old one is kept until the new one answers.',
  },
  RESIZING: {
    title: (name) => `Resizing ${name}`,
    text: 'The database starts again with its new size.',
  },
  PAUSING: {
    title: (name) => `Pausing ${name}`,
    text: 'Writes are flushed to disk, then the database stops. Nothing is lost.',
  },
  GOING_DOWN: {
    title: (name) => `Deleting ${name}`,
    text: 'Its server is being stopped, and nobody can reach it any more.',
  },
  REMOVED: {
    title: (name) => `${name} is deleted`,
    text: 'Nobody can reach it any more.',
  },
  INACTIVE: {
    title: (name) => `${name} is paused`,
    text: 'The database is stopped and its data kept. Nothing can connect until it is resumed.',
    action: { run: 'restore', label: 'Resume project' },
  },
  UNKNOWN: {
    title: (name) => `Connecting to ${name}`,
    text: 'The state of the database cannot be read right now. This page updates automatically.',
  },
  INIT_FAILED: {
    title: (name) => `${name} could not be set up`,
    text: 'The partial setup is cleaned up. Try again, or delete the project in its settings.',
    action: { run: 'restore', label: 'Try again' },
  },
  PAUSE_FAILED: {
    title: (name) => `${name} could not be paused`,
    text: 'The database may still be running. Try again.',
    action: { run: 'pause', label: 'Try again' },
  },
  RESTORE_FAILED: {
    title: (name) => `${name} could not be restored`,
    text: 'The data is unchanged. Try again.',
    action: { run: 'restore', label: 'Try again' },
  },
}
