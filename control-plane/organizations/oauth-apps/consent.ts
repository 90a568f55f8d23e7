import type { AuthorizationRequest } from '#contract/organizations/oauth-apps'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { RecordChange } from '../audit/audit.ts'
import { appTarget } from './oauth-apps.ts'
import { answerUrl } from './redirect.ts'
import { hashOf, newCode } from './secrets.ts'
import type { OAuthTokenStore } from './token-store.ts'

/** Milliseconds that a code can be exchanged for. */
const codeLife = 10 * 60_000

type Deps = {
  store: OAuthTokenStore
  record: RecordChange
  /** Who we are to the apps: the platform's own address (RFC 9207). */
  issuer: string
  now: () => Date
}

/** What a person answers to an app's request: only who has seen last what it asks for can answer. */
export function createConsent({ store, record, issuer, now }: Deps) {
  return {
    async request(caller: Caller, id: string): Promise<AuthorizationRequest> {
      const found = await store.claimRequest(id, caller.userId, now())
      if (!found) throw new ApiError('oauth_request_not_found')
      const { origin, protocol } = new URL(found.redirect_uri)
      const grants = await store.grantsOf(found.app_id, caller.userId)
      return {
        id: found.id,
        name: found.name,
        website: found.website,
        icon: found.icon,
        publisher: found.publisher,
        sends_to: origin === 'null' ? `${protocol}//` : origin,
        scopes: found.scopes,
        agreed: isItself(found) ? agreedIn(grants, found.scopes) : null,
        expires_at: found.expires_at.toISOString(),
      }
    },

    /** The person has been asked and may let apps into this organization: gives the app its code. */
    async approve(
      caller: Caller,
      slug: string,
      id: string,
      origin: Origin,
    ): Promise<{ url: string }> {
      const code = newCode()
      return store.transaction(async (tx) => {
        const request = await store.answerRequest(tx, id, caller.userId, now())
        if (!request) throw new ApiError('oauth_request_not_found')
        const organizationId = await store.organizationId(tx, slug)
        if (!organizationId) throw new ApiError('organization_not_found')
        const app = await store.appOf(tx, request.app_id)
        const grantId = await store.putGrant(tx, {
          app_id: request.app_id,
          organization_id: organizationId,
          user_id: caller.userId,
          scopes: request.scopes,
        })
        await store.insertCode(tx, {
          hash: hashOf(code),
          grant_id: grantId,
          redirect_uri: request.redirect_uri,
          code_challenge: request.code_challenge,
          scopes: request.scopes,
          used_at: null,
          expires_at: new Date(now().getTime() + codeLife),
        })
        await record(tx, {
          organizationId,
          actor: caller,
          action: 'oauthApps.approve',
          target: appTarget(app.id),
          change: { name: app.name, after: { scopes: request.scopes } },
          origin,
        })
        return { url: answerUrl(request.redirect_uri, { code, state: request.state, iss: issuer }) }
      })
    },

    async decline(caller: Caller, id: string): Promise<{ url: string }> {
      const request = await store.transaction((tx) =>
        store.answerRequest(tx, id, caller.userId, now()),
      )
      if (!request) throw new ApiError('oauth_request_not_found')
      return {
        url: answerUrl(request.redirect_uri, {
          error: 'access_denied',
          error_description: 'The person declined',
          state: request.state,
          iss: issuer,
        }),
      }
    },
  }
}
export type Consent = ReturnType<typeof createConsent>

/** Whether nobody but the app itself gets the answer, so that an earlier yes can count again. */
const isItself = (app: { client_secret_hash: string | null; redirect_uri: string }): boolean =>
  app.client_secret_hash !== null || app.redirect_uri.startsWith('https://')

/**
 * The one organization that the app was let into, with just these scopes: fewer would take some from its present tokens. Of
 * several the person says which.
 */
function agreedIn(
  grants: readonly { slug: string; scopes: readonly string[] }[],
  scopes: readonly string[],
): string | null {
  const [grant, ...others] = grants
  if (!grant || others.length > 0) return null
  const isSame =
    grant.scopes.length === scopes.length && scopes.every((scope) => grant.scopes.includes(scope))
  return isSame ? grant.slug : null
}
