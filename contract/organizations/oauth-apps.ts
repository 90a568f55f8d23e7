import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { isOAuthScope, oauthScopes } from './oauth-scopes.ts'
import { inOrganization } from '../permissions.ts'
import { redirectUriProblem } from './redirect-uri.ts'
import { displayName, Instant, Slug } from '../values.ts'

/** How many an organization can publish. */
export const oauthAppLimit = 50

const Scope = z.string().refine(isOAuthScope, 'must be a scope')
/** A small picture inside the answer itself: the dashboard loads none from other hosts. Pixels only, never SVG. */
const Icon = z
  .string()
  .max(60_000, 'must have at most 60,000 characters')
  .regex(
    /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/,
    'must be a PNG, JPEG or WebP',
  )
const WebAddress = z.url({ protocol: /^https?$/ }).max(400)
const RedirectUri = z
  .string()
  .max(400)
  .superRefine((uri, context) => {
    const problem = redirectUriProblem(uri)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

/** An app as its organization sees it (facts §3.3). */
export const OAuthApp = z.object({
  id: z.string(),
  app_id: z.string(),
  client_id: z.string(),
  /** First and last characters of the secret; null for an app that has none (a public client). */
  client_secret_alias: z.string().nullable(),
  name: z.string(),
  website: z.string(),
  icon: z.string().nullable(),
  redirect_uris: z.array(z.string()),
  scopes: z.array(z.string()),
  created_at: Instant,
  /** E-mail of who published it; null when they are gone. */
  created_by: z.string().nullable(),
  /** When the organization (or the person, in their own list) let it in; null in the list of published apps. */
  authorized_at: Instant.nullable(),
  /** E-mail of who let it in; null in the list of published apps. */
  authorized_by: z.string().nullable(),
})
export type OAuthApp = z.infer<typeof OAuthApp>

/** An authorization as a person sees it among their own. */
export const OwnAuthorization = z.object({
  id: z.string(),
  app: z.object({ name: z.string(), website: z.string(), icon: z.string().nullable() }),
  organization: z.object({ slug: z.string(), name: z.string() }),
  scopes: z.array(z.string()),
  authorized_at: Instant,
})

/** A request that waits for an answer, as the consent page shows it. */
export const AuthorizationRequest = z.object({
  id: z.string(),
  name: z.string(),
  website: z.string(),
  icon: z.string().nullable(),
  /** Name of the organization that published the app. */
  publisher: z.string(),
  /** Where the answer goes: the origin of the redirect URI, or the scheme of a native app. */
  sends_to: z.string(),
  scopes: z.array(z.string()),
  /**
   * Slug of the organization that this person has let the app into with just these scopes: the answer is known. Null when
   * they have to be asked.
   */
  agreed: z.string().nullable(),
  expires_at: Instant,
})
export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>

const BySlug = z.object({ slug: Slug })
const ById = BySlug.extend({ id: z.uuid() })
const settings = {
  name: displayName(1, 64),
  website: WebAddress,
  icon: Icon.nullable().default(null),
  redirect_uris: z.array(RedirectUri).min(1).max(20),
  scopes: z.array(Scope).max(oauthScopes.length),
}
/** Where the browser goes now: the app's redirect URI with a code, or with the reason of a refusal. */
const Answer = z.object({ url: z.string() })
const WithSecret = OAuthApp.extend({ client_secret: z.string().nullable() })

export const oauthApps = {
  published: endpoint('oauthApps.published', 'GET /platform/organizations/:slug/oauth/apps', {
    needs: inOrganization('read:Read', 'approved_oauth_apps'),
    input: BySlug.extend({ type: z.enum(['published', 'authorized']).default('published') }),
    returns: z.array(OAuthApp),
  }),
  create: endpoint('oauthApps.create', 'POST /platform/organizations/:slug/oauth/apps', {
    needs: inOrganization('write:Create', 'approved_oauth_apps'),
    sessionOnly: true,
    status: 201,
    perMinute: 30,
    input: BySlug.extend({ ...settings, public: z.boolean().default(false) }),
    /** `client_secret` is shown here and never again. */
    returns: WithSecret,
  }),
  update: endpoint('oauthApps.update', 'PUT /platform/organizations/:slug/oauth/apps/:id', {
    needs: inOrganization('write:Update', 'approved_oauth_apps'),
    sessionOnly: true,
    input: ById.extend(settings),
    returns: OAuthApp,
  }),
  rotateSecret: endpoint(
    'oauthApps.rotateSecret',
    'POST /platform/organizations/:slug/oauth/apps/:id/client-secret',
    {
      needs: inOrganization('write:Update', 'approved_oauth_apps'),
      sessionOnly: true,
      perMinute: 30,
      input: ById,
      /** The new `client_secret`, shown here and never again. The old one is dead. */
      returns: WithSecret,
    },
  ),
  remove: endpoint('oauthApps.remove', 'DELETE /platform/organizations/:slug/oauth/apps/:id', {
    needs: inOrganization('write:Delete', 'approved_oauth_apps'),
    sessionOnly: true,
    input: ById,
    returns: OAuthApp,
  }),
  /** Takes an app's access to this organization away, whoever let it in; `id` is the app's. */
  revoke: endpoint('oauthApps.revoke', 'POST /platform/organizations/:slug/oauth/apps/:id/revoke', {
    needs: inOrganization('write:Delete', 'approved_oauth_apps'),
    sessionOnly: true,
    input: ById,
    returns: z.object({ revoked: z.number() }),
  }),
  request: endpoint('oauthApps.request', 'GET /platform/oauth/authorizations/:id', {
    needs: 'signed-in',
    sessionOnly: true,
    perMinute: 60,
    input: z.object({ id: z.uuid() }),
    returns: AuthorizationRequest,
  }),
  approve: endpoint(
    'oauthApps.approve',
    'POST /platform/organizations/:slug/oauth/authorizations/:id',
    {
      needs: inOrganization('write:Create', 'approved_oauth_apps'),
      sessionOnly: true,
      perMinute: 30,
      input: ById,
      returns: Answer,
    },
  ),
  decline: endpoint('oauthApps.decline', 'DELETE /platform/oauth/authorizations/:id', {
    needs: 'signed-in',
    sessionOnly: true,
    input: z.object({ id: z.uuid() }),
    returns: Answer,
  }),
  own: endpoint('oauthApps.own', 'GET /platform/profile/oauth-apps', {
    needs: 'signed-in',
    input: z.object({}),
    returns: z.array(OwnAuthorization),
  }),
  revokeOwn: endpoint('oauthApps.revokeOwn', 'DELETE /platform/profile/oauth-apps/:id', {
    needs: 'signed-in',
    sessionOnly: true,
    input: z.object({ id: z.uuid() }),
    returns: OwnAuthorization,
  }),
}
