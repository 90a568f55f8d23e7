import { queryOptions } from '@tanstack/react-query'
import { projectHome, type UsageRange } from '#contract/projects/project-home'
import { projectOverview } from '#contract/projects/project-overview'
import { call, q } from '../../../api/client.ts'
import { databaseQuery } from '../../../session/project/database.ts'
import { setPostgrestStatus } from '../../../session/project/set-project-status.ts'

const seconds = 1000

/** How the services answer; asked again while the page is open, and sooner while one of them does not. */
export const servicesQuery = (ref: string) =>
  queryOptions({
    ...q(projectHome.services, { ref }, 10 * seconds),
    queryFn: async ({ signal }) => {
      const states = await call(projectHome.services, { ref }, { signal })
      const rest = states.find(({ name }) => name === 'rest')
      if (rest) setPostgrestStatus(ref, rest.healthy ? 'ONLINE' : 'OFFLINE')
      return states
    },
    refetchInterval: ({ state }) =>
      (state.data?.every(({ healthy }) => healthy) ?? true) ? 30 * seconds : 5 * seconds,
  })

export const usageQuery = (ref: string, range: UsageRange) => ({
  ...q(projectHome.usage, { ref, range }, 5 * seconds),
  refetchInterval: 15 * seconds,
})

export const activityQuery = (ref: string) => q(projectHome.activity, { ref }, 10 * seconds)

/** The database's own facts. Tables are made on other pages, so they are read anew at every visit. */
export const overviewQuery = (ref: string) => ({
  ...databaseQuery(projectOverview.overview, { ref }, 2 * seconds),
  refetchInterval: 30 * seconds,
})
