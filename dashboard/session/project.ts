import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { api } from '#contract/api'
import type { Output } from '#contract/endpoint'
import type { ProjectStatus } from '#contract/project-status'
import type { Project } from '#contract/projects'
import { call, CallError, fresh, q, queryClient } from '../api/client.ts'
import { toast } from '../ui/toast.ts'
import { detailInterval } from './detail-interval.ts'
import { isUnknown } from './organizations.ts'

/** The details of one project, shared by everything that shows or uses it. */
export const projectQuery = (ref: string) =>
  queryOptions({
    ...q(api.projects.detail, { ref }, fresh.project),
    refetchInterval: ({ state }) => detailInterval(state.data),
  })

export const projectStatusQuery = (ref: string) => q(api.projects.status, { ref }, 0)

type Page = Output<typeof api.organizations.projects>
const pageSize = 100

/** The projects of an organization, in pages; `search` is matched by the server. */
export const organizationProjectsQuery = (slug: string, search = '') =>
  infiniteQueryOptions({
    queryKey: [api.organizations.projects.name, { slug, search }],
    queryFn: ({ pageParam, signal }) =>
      call(
        api.organizations.projects,
        { slug, limit: pageSize, offset: pageParam, ...(search ? { search } : {}) },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ pagination: { count, limit, offset } }: Page) =>
      offset + limit < count ? offset + limit : undefined,
    staleTime: fresh.default,
  })

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

/** Shows a status everywhere at once, before the server is asked again. */
export function setProjectStatus(ref: string, status: ProjectStatus) {
  const withStatus = <P extends { ref: string; status: ProjectStatus }>(project: P): P =>
    project.ref === ref ? { ...project, status } : project
  queryClient.setQueryData(projectQuery(ref).queryKey, (project) => project && withStatus(project))
  queryClient.setQueriesData<InfiniteData<Page>>(
    { queryKey: [api.organizations.projects.name] },
    (lists) =>
      lists && {
        ...lists,
        pages: lists.pages.map((page) => ({ ...page, projects: page.projects.map(withStatus) })),
      },
  )
}
