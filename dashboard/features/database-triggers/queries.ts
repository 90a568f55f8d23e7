import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { databaseFunctions } from '#contract/database-functions'
import { databaseTriggers } from '#contract/database-triggers'
import { pgMeta } from '#contract/pg-meta'
import { databaseQuery } from '../../session/database.ts'

/** They change by SQL behind our back: long enough that the page takes over what its loader has read. */
const shortly = 2_000
const most = 10_000

export const triggersQuery = (ref: string, schema: string) =>
  databaseQuery(databaseTriggers.list, { ref, included_schemas: schema, limit: most }, shortly)

export const eventTriggersQuery = (ref: string) =>
  databaseQuery(databaseTriggers.events, { ref }, shortly)

/** The functions that a trigger of rows (`trigger`) or of commands (`event_trigger`) can call. */
export const callableQuery = (ref: string, return_type: 'trigger' | 'event_trigger') =>
  databaseQuery(databaseFunctions.list, { ref, return_type, limit: most }, shortly)

/** What is beyond the first part of a long list is found by its name. */
export const tablesQuery = (ref: string, schema: string, search: string) =>
  queryOptions({
    ...databaseQuery(
      pgMeta.entities,
      { ref, schema, limit: 100, ...(search ? { search } : {}) },
      shortly,
    ),
    placeholderData: keepPreviousData,
  })

export const tableQuery = (ref: string, id: number) =>
  databaseQuery(pgMeta.entity, { ref, id }, shortly)
