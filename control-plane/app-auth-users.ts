import type { Route } from '#kit/http'
import { authUsersRoutes } from './auth-users/routes.ts'
import { authUsersStore } from './auth-users/store.ts'
import type { Db } from './database/database.ts'
import type { ControlPlaneOptions } from './options.ts'

type Options = Pick<ControlPlaneOptions, 'dataPlaneUrl' | 'internalToken' | 'now'>

/** The users of projects and what is written down about them. */
export function assembleAuthUsers(db: Db, options: Options): Route[] {
  const { dataPlaneUrl, internalToken, now = () => new Date() } = options
  return authUsersRoutes({ store: authUsersStore(db), dataPlaneUrl, internalToken, now })
}
