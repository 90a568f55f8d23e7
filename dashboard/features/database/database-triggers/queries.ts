import { databaseFunctions } from '#contract/database/database-functions'
import { databaseTriggers } from '#contract/database/database-triggers'
import { pgMeta } from '#contract/database/pg-meta'
import { databaseQuery } from '../../../session/project/database.ts'

/** They change by SQL behind our back: long enough that the page takes over what its loader has read. */
const shortly = 2_000
const most = 10_000

export const eventTriggersQuery = (ref: string) =>
  databaseQuery(databaseTriggers.events, { ref }, shortly)

/** The functions that a trigger of rows (`trigger`) or of commands (`event_trigger`) can call. */
export const callableQuery = (ref: string, return_type: 'trigger' | 'event_trigger') =>
  databaseQuery(databaseFunctions.list, { ref, return_type, limit: most }, shortly)

export const tableQuery = (ref: string, id: number) =>
  databaseQuery(pgMeta.entity, { ref, id }, shortly)
