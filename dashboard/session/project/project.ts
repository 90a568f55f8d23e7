import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { projects } from '#contract/projects/projects'
import type { Project } from '#contract/projects/projects'
import { targetOf } from '#contract/permissions'
import { CallError, fresh, q, queryClient } from '../../api/client.ts'
import { toast } from '../../ui/floats/toast.ts'
import { isUnknown } from '../organization/organizations.ts'
import { detailInterval } from './project-status.ts'

/** The details of one project, shared by everything that shows or uses it. */
export const projectQuery = (ref: string) =>
  queryOptions({
    ...q(projects.detail, { ref }, fresh.project),
    refetchInterval: ({ state }) => detailInterval(state.data),
  })

export const projectStatusQuery = (ref: string) => q(projects.status, { ref }, 0)

/** The project of a page, or the organization list with a word about what is missing. */
export async function loadProject(
  ref: string,
  { preload }: { preload: boolean },
): Promise<Project> {
  try {
    return await queryClient.ensureQueryData(projectQuery(ref))
  } catch (error) {
    if (error instanceof CallError && error.organization)
      throw redirect({ to: '/org/$slug', params: { slug: error.organization } })
    if (!isUnknown(error)) throw error
    if (!preload) toast.error('This project does not exist', { id: 'unknown_project' })
    throw redirect({ to: '/organizations' })
  }
}

/** Whom a project's permissions are asked for: what useDenials takes. A branch goes by the project that it belongs to. */
export function useProject(ref: string): { organizationSlug: string; projectRef: string } {
  const { data } = useSuspenseQuery(projectQuery(ref))
  return targetOf(data)
}
