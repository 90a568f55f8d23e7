import type { Platform } from '../../platform.ts'
import { sqlHistoryRoutes } from './routes.ts'
import { sqlHistoryStore } from './store.ts'

/** What people ran. */
export const sqlHistoryFeature = ({ db }: Platform) => ({
  routes: sqlHistoryRoutes(sqlHistoryStore(db)),
})
