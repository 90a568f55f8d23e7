import { databaseFunctions } from '#contract/database/database-functions'
import { databaseTriggers } from '#contract/database/database-triggers'
import { databaseTypes } from '#contract/database/database-types'
import { listCustomTypes } from './custom-types.ts'
import { createFunction, deleteFunction, updateFunction } from './function-changes.ts'
import { getFunction, listFunctions } from './functions.ts'
import { answer, type MetaRoute, type UseSession } from '../routes.ts'
import { createTrigger, deleteTrigger, updateTrigger } from './trigger-changes.ts'
import { getTrigger, listEventTriggers, listTriggers } from './triggers.ts'

/** Functions, the triggers that call them, and types of people's own. */
export const functionRoutes = (read: UseSession, write: UseSession): MetaRoute[] => [
  answer(read, databaseFunctions.list, listFunctions),
  answer(read, databaseFunctions.get, (db, { id }) => getFunction(db, id)),
  answer(write, databaseFunctions.create, createFunction),
  answer(write, databaseFunctions.update, updateFunction),
  answer(write, databaseFunctions.remove, deleteFunction),
  answer(read, databaseTriggers.list, listTriggers),
  answer(read, databaseTriggers.get, (db, { id }) => getTrigger(db, id)),
  answer(write, databaseTriggers.create, createTrigger),
  answer(write, databaseTriggers.update, updateTrigger),
  answer(write, databaseTriggers.remove, deleteTrigger),
  answer(read, databaseTriggers.events, listEventTriggers),
  answer(read, databaseTypes.list, listCustomTypes),
]
