import { queryOptions } from '@tanstack/react-query'
import { serviceRestarts } from '#contract/projects/service-restarts'
import { upgrades } from '#contract/projects/upgrades'
import { q } from '../../../api/client.ts'

/** Which PostgreSQL a project runs on; asked for again and again while that changes. */
export const versionsQuery = (ref: string) =>
  queryOptions({
    ...q(upgrades.get, { ref }),
    refetchInterval: ({ state: { data } }) =>
      data?.last && data.last.finished_at === null ? 1000 : false,
  })

/** When services were last restarted by somebody. */
export const restartsQuery = (ref: string) => q(serviceRestarts.list, { ref })
