import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { databaseObjects } from '#contract/database/database-objects'
import { databasePolicies } from '#contract/database/database-policies'
import type { Output } from '#contract/endpoint'
import { callDatabase, databaseQuery } from '../../../session/project/database.ts'

const pageSize = 50
type Page = Output<typeof databasePolicies.tables>

/** The tables of a schema with their policies, in name order, in pages. */
export const guardedTablesQuery = (ref: string, schema: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [databasePolicies.tables.name, { ref, schema, search }],
    queryFn: ({ pageParam, signal }) =>
      callDatabase(
        databasePolicies.tables,
        { ref, schema, search, limit: pageSize, offset: pageParam },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: ({ total }: Page, pages) =>
      pages.length * pageSize < total ? pages.length * pageSize : undefined,
    placeholderData: keepPreviousData,
    staleTime: 2_000,
  })

/** The table that says who may do what in private channels, among those of its partitions. */
export const channelTableQuery = (ref: string) => guardedTablesQuery(ref, 'realtime', 'messages')

export const roleNamesQuery = (ref: string) =>
  databaseQuery(databaseObjects.roles, { ref, include_system_schemas: 'false' })
