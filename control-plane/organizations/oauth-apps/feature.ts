import type { FastifyInstance } from 'fastify'
import type { PlatformBase } from '../../platform.ts'
import { createAuthorize } from './authorize.ts'
import { createConsent, type Consent } from './consent.ts'
import { createOAuthApps, type OAuthApps } from './oauth-apps.ts'
import { addOAuth } from './protocol.ts'
import { oauthAppStore } from './store.ts'
import { oauthTokenStore } from './token-store.ts'
import { createTokens } from './tokens.ts'
import { oauthApps as api } from '#contract/organizations/oauth-apps'
import { implement } from '#kit/http'

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

const oauthAppRoutes = (apps: OAuthApps, consent: Consent) => [
  implement(api.published, (input) => apps.list(input)),
  implement(api.create, (input, caller, origin) => apps.create(caller, input, origin)),
  implement(api.update, (input, caller, origin) => apps.update(caller, input, origin)),
  implement(api.rotateSecret, ({ slug, id }, caller, origin) =>
    apps.rotateSecret(caller, slug, id, origin),
  ),
  implement(api.remove, ({ slug, id }, caller, origin) => apps.remove(caller, slug, id, origin)),
  implement(api.revoke, ({ slug, id }, caller, origin) => apps.revoke(caller, slug, id, origin)),
  implement(api.request, ({ id }, caller) => consent.request(caller, id)),
  implement(api.approve, ({ slug, id }, caller, origin) =>
    consent.approve(caller, slug, id, origin),
  ),
  implement(api.decline, ({ id }, caller) => consent.decline(caller, id)),
  implement(api.own, (_, caller) => apps.own(caller.userId)),
  implement(api.revokeOwn, ({ id }, caller, origin) => apps.revokeOwn(caller, id, origin)),
]
