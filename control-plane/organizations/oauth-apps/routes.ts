import { oauthApps as api } from '#contract/organizations/oauth-apps'
import { implement } from '#kit/http'
import type { Consent } from './consent.ts'
import type { OAuthApps } from './oauth-apps.ts'

export const oauthAppRoutes = (apps: OAuthApps, consent: Consent) => [
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
