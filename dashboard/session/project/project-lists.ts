import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query'
import { organizations } from '#contract/organizations/organizations'
import { projects as endpoints } from '#contract/projects/projects'
import type { Output } from '#contract/endpoint'
import { trash } from '#contract/projects/trash'
import type { ProjectStatus } from '#contract/projects/project-status'
import { call, fresh, queryClient } from '../../api/client.ts'

// Projects are listed by organization and overall, as pages (requirements §3).
const lists = [organizations.projects, endpoints.list] as const

type Page = Output<(typeof lists)[number]>
const pageSize = 100

const pages = {
  initialPageParam: 0,
  getNextPageParam: ({ pagination: { count, limit, offset } }: Page) =>
    offset + limit < count ? offset + limit : undefined,
  staleTime: fresh.default,
}
const pageOf = (offset: number, search: string) => ({
  limit: pageSize,
  offset,
  ...(search ? { search } : {}),
})

/** The projects of an organization; `search` is matched by the server. */
export const organizationProjectsQuery = (slug: string, search = '') =>
  infiniteQueryOptions({
    queryKey: [organizations.projects.name, { slug, search }],
    queryFn: ({ pageParam, signal }) =>
      call(organizations.projects, { slug, ...pageOf(pageParam, search) }, { signal }),
    ...pages,
  })

/** All projects that the person can see, whichever organization has them. */
export const allProjectsQuery = (search = '') =>
  infiniteQueryOptions({
    queryKey: [endpoints.list.name, { search }],
    queryFn: ({ pageParam, signal }) => call(endpoints.list, pageOf(pageParam, search), { signal }),
    ...pages,
  })

/** After a project was made, renamed, moved or deleted. */
export const ofProjectLists = [...lists, trash.list]

/** Shows a status in every list that has the project. */
export function setStatusInLists(ref: string, status: ProjectStatus) {
  for (const { name } of lists)
    queryClient.setQueriesData<InfiniteData<Page>>(
      { queryKey: [name] },
      (list) =>
        list && {
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            projects: page.projects.map((one) => (one.ref === ref ? { ...one, status } : one)),
          })),
        },
    )
}
