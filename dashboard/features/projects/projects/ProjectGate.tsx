import { useSuspenseQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '#contract/api'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Project } from '#contract/projects/projects'
import { projectQuery } from '../../../session/project/project.ts'
import { call, CallError, forget } from '../../../api/client.ts'
import { forgetProjectLists } from '../../../session/project/project-lists.ts'
import { isMoving } from '../../../session/project/project-status.ts'
import { setProjectStatus } from '../../../session/project/set-project-status.ts'
import { ProjectStatePage } from './ProjectStatePage.tsx'

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
    queryKey: [api.projects.status.name, { ref }, from],
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
    return (await call(api.projects.status, { ref })).status
  } catch (error) {
    // What was being deleted is gone now.
    if (error instanceof CallError && error.code === 404) return 'REMOVED'
    throw error
  }
}

const refresh = (status: ProjectStatus) =>
  Promise.all([
    forgetProjectLists(),
    forget(status === 'REMOVED' ? api.organizations.list : api.projects.detail),
  ])
