import { useQuery } from '@tanstack/react-query'
import { api } from '#contract/api'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Project } from '#contract/projects/projects'
import { call, CallError, forget } from '../../../api/client.ts'
import { forgetProjectLists } from '../../../session/project/project-lists.ts'
import { isMoving } from '../../../session/project/project-status.ts'
import { setProjectStatus } from '../../../session/project/set-project-status.ts'

const interval = 2_000

/**
 * Follows a project that is on its way (pausing, restarting, ...) by its status alone. Its details are polled only in the cases that
 * the requirements name (`projectQuery`), so COMING_UP is not followed here.
 */
export function useFollowStatus({ ref, status: from }: Pick<Project, 'ref' | 'status'>) {
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
