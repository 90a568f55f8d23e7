import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { Output } from '#contract/endpoint'
import { impersonation } from '#contract/data-api/impersonation'
import { callDatabase } from '../../session/project/database.ts'

type Page = Output<typeof impersonation.users>

/** The users of a project's auth service, newest first, in pages. */
export const projectUsersQuery = (ref: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [impersonation.users.name, { ref, search }],
    queryFn: ({ pageParam, signal }) =>
      callDatabase(
        impersonation.users,
        { ref, search, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }: Page) => next ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 2_000,
  })
