import { databaseObjects } from '#contract/database/database-objects'
import { databaseServer } from '#contract/database/database-server'
import { databaseQuery } from '../../../session/project/database.ts'

export const foreignQuery = (ref: string) => databaseQuery(databaseServer.foreign, { ref }, 5_000)
export const extensionsQuery = (ref: string) =>
  databaseQuery(databaseObjects.extensions, { ref }, 10_000)
