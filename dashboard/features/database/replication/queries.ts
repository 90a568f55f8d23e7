import { databaseServer } from '#contract/database/database-server'
import { queryOptions } from '@tanstack/react-query'
import { databaseQuery } from '../../../session/project/database.ts'

/** Lag is a thing of the moment: it is asked for again every five seconds while somebody looks. */
export const replicationQuery = (ref: string) =>
  queryOptions({
    ...databaseQuery(databaseServer.replication, { ref }, 2_000),
    refetchInterval: 5_000,
  })
