import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { Impersonation } from '../../../modules/roles/impersonation.ts'
import { pgMeta } from '#contract/database/pg-meta'
import { rlsTest, type RlsCommand, type RlsResult } from '#contract/database/rls-test'
import type { NewCell } from '#contract/database/rows/table-rows'
import { callDatabase, databaseQuery } from '../../../session/project/database.ts'

export type RlsCase = {
  /** undefined is the database's owner. */
  who: Impersonation | undefined
  command: RlsCommand
  values: Record<string, NewCell>
  onlySeen: boolean
}

/** It changes nothing, whatever the command: see contract/database/rls-test.ts. */
export const rlsQuery = (ref: string, id: number, { who, command, values, onlySeen }: RlsCase) =>
  infiniteQueryOptions({
    queryKey: [rlsTest.run.name, { ref, id, who, command, values, onlySeen }],
    queryFn: ({ pageParam, signal }) =>
      callDatabase(
        rlsTest.run,
        {
          ref,
          id,
          as: who ? { role: who.role, claims: who.claims } : { role: 'postgres' },
          command,
          values,
          only_seen: onlySeen,
          ...(pageParam ? { cursor: pageParam } : {}),
        },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }: RlsResult) => next ?? undefined,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
  })

export const testedTableQuery = (ref: string, id: number) =>
  databaseQuery(pgMeta.entity, { ref, id })
