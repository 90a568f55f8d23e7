import { queryOptions } from '@tanstack/react-query'
import { compute } from '#contract/projects/compute-resize'
import { q } from '../../../api/client.ts'

/** The size of a project, and what became of its last change; asked for again and again while one goes on. */
export const computeQuery = (ref: string) =>
  queryOptions({
    ...q(compute.get, { ref }),
    refetchInterval: ({ state: { data } }) =>
      data?.last_resize && data.last_resize.finished_at === null ? 1000 : false,
  })
