import type { Db } from '../../platform-database/database.ts'
import { roleLookRoutes } from './routes.ts'
import { roleLookStore } from './store.ts'

/** What was found of roles in the databases of projects whenever a server was started. */
export function roleLooksFeature(db: Db) {
  const looks = roleLookStore(db)
  return { routes: roleLookRoutes(looks), keep: looks.keep }
}
