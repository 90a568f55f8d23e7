import type { Platform } from '../../platform.ts'
import { authUsersRoutes } from './routes.ts'
import { authUsersStore } from './store.ts'

/** The users of projects, and what is written down about them. */
export const authUsersFeature = ({ db, record, dataPlane, now }: Platform) => ({
  routes: authUsersRoutes({ store: authUsersStore(db), record, dataPlane, now }),
})
