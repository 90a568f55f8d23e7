import { createAskAuthService } from '../../data-plane/ask-auth-service.ts'
import type { Platform } from '../../platform.ts'
import { authOauthClientRoutes } from './auth-oauth-clients.ts'
import { authOauthClientsStore } from './store.ts'

/** The apps that the users of a project let in. */
export const authOauthClientsFeature = (platform: Platform) => ({
  routes: authOauthClientRoutes({
    store: authOauthClientsStore(platform.db),
    ask: createAskAuthService(platform.dataPlane, 'oauth_client_not_found'),
    record: platform.record,
  }),
})
