import { databaseObjects } from '#contract/database/database-objects'
import { databaseServer } from '#contract/database/database-server'
import { databaseQuery } from '../../../session/project/database.ts'

/** Sessions come and go, so their counts are asked for again soon. */
export const rolesQuery = (ref: string) =>
  databaseQuery(databaseObjects.roles, { ref, include_system_schemas: 'true' }, 5_000)
export const serverQuery = (ref: string) => databaseQuery(databaseServer.detail, { ref }, 5_000)
