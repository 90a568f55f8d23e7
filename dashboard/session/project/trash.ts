import { infiniteQueryOptions, useQuery } from '@tanstack/react-query'
import type { Output } from '#contract/endpoint'
import { trash } from '#contract/projects/trash'
import { call, q } from '../../api/client.ts'
import { statusQuery } from '../organization/mode.ts'

type Part = Output<typeof trash.list>
const pageSize = 50
/** Others delete and restore, too. */
const staleTime = 2_000

/** Deleted projects of an organization, the last one first, in pages. */
export const trashQuery = (slug: string) =>
  infiniteQueryOptions({
    queryKey: [trash.list.name, { slug }],
    queryFn: ({ pageParam, signal }) =>
      call(trash.list, { slug, limit: pageSize, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ pagination: { count, limit, offset } }: Part) =>
      offset + limit < count ? offset + limit : undefined,
    staleTime,
  })

/** For how many there are. */
export const trashCountQuery = (slug: string) =>
  q(trash.list, { slug, limit: 1, offset: 0 }, staleTime)

/** How long what is deleted can be restored; 0: it is removed at once. */
export function useTrashDays(): number {
  const { data } = useQuery(statusQuery)
  return data?.trash_days ?? 0
}
