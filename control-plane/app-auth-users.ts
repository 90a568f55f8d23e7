import { createAskAuthService } from '#kit/http/ask-auth-service'
import type { Route } from '#kit/http'
import type { RecordChange } from './organizations/audit/audit.ts'
import { authOauthClientRoutes } from './auth/auth-oauth-clients/auth-oauth-clients.ts'
import { authOauthClientsStore } from './auth/auth-oauth-clients/store.ts'
import { authUsersRoutes } from './auth/auth-users/routes.ts'
import { authUsersStore } from './auth/auth-users/store.ts'
import type { Db } from './platform-database/database.ts'
import type { ControlPlaneOptions } from './options.ts'

type Options = Pick<ControlPlaneOptions, 'dataPlaneUrl' | 'internalToken' | 'now' | 'log'>

/** The users of projects, what is written down about them, and the apps that they let in. */
export function assembleAuthUsers(db: Db, record: RecordChange, options: Options): Route[] {
  const { dataPlaneUrl, internalToken, now = () => new Date() } = options
  return [
    ...authUsersRoutes({ store: authUsersStore(db), record, dataPlaneUrl, internalToken, now }),
    ...authOauthClientRoutes({
      store: authOauthClientsStore(db),
      ask: createAskAuthService(options, 'oauth_client_not_found'),
      record,
    }),
  ]
}
