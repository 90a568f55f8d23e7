import type { FastifyInstance } from 'fastify'
import type { PlatformBase } from '../../platform.ts'
import { createAuthorize } from './authorize.ts'
import { createConsent } from './consent.ts'
import { createOAuthApps } from './oauth-apps.ts'
import { addOAuth } from './protocol.ts'
import { oauthAppRoutes } from './routes.ts'
import { oauthAppStore } from './store.ts'
import { oauthTokenStore } from './token-store.ts'
import { createTokens } from './tokens.ts'

/** OAuth: the apps, the consent to them, and the protocol they speak. */
export function oauthAppsFeature({ db, record, url, now }: PlatformBase) {
  const store = oauthTokenStore(db)
  const tokens = createTokens({ store, now })
  const authorize = createAuthorize({
    store,
    issuer: url,
    consentPage: (requestId, asks) =>
      `${url}/authorize?auth_id=${requestId}${asks ? '&prompt=consent' : ''}`,
    now,
  })
  return {
    routes: oauthAppRoutes(
      createOAuthApps({ store: oauthAppStore(db), record }),
      createConsent({ store, record, issuer: url, now }),
    ),
    rounds: [{ seconds: 60, name: 'what is over of OAuth', run: () => tokens.prune() }],
    /** Who a bearer that starts with `sbp_oauth_` stands for. */
    verify: tokens.verify,
    mount: (app: FastifyInstance) => addOAuth(app, { authorize, tokens, issuer: url }),
  }
}
