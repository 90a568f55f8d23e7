import { databaseObjects } from '#contract/database/database-objects'
import { databaseQuery } from '../../../session/project/database.ts'

export const extensionsQuery = (ref: string) =>
  databaseQuery(databaseObjects.extensions, { ref }, 10_000)
