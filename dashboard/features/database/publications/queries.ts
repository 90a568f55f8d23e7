import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { databaseObjects } from '#contract/database/database-objects'
import { pgMeta } from '#contract/database/pg-meta'
import { databaseQuery } from '../../../session/project/database.ts'

export const publicationQuery = (ref: string, id: number) =>
  databaseQuery(databaseObjects.publication, { ref, id }, 5_000)

/** Tables of one page; the rest of a long list is found by its name. */
export const tablesAtOnce = 500

export const tablesQuery = (ref: string, schema: string, search: string) =>
  queryOptions({
    ...databaseQuery(
      pgMeta.entities,
      { ref, schema, limit: tablesAtOnce, ...(search ? { search } : {}) },
      10_000,
    ),
    placeholderData: keepPreviousData,
  })
