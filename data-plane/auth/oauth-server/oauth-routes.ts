import { z } from 'zod'
import type { Auth } from '../auth.ts'
import { AuthError, type AuthErrorCode } from '../errors.ts'
import { formOf } from '../external/external-routes.ts'
import type { Call, Route } from '../http.ts'
import { ClientBody, ClientChanges } from './oauth-clients.ts'
import { OAuthError } from './oauth-error.ts'
import { scopesOf } from './oauth-scopes.ts'
import { serverOf } from './oauth-server.ts'
import { parse } from '../requests.ts'
import type { AuthTenant } from '../tenant.ts'

const PageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  per_page: z.coerce.number().int().min(1).max(1000).catch(50),
})
const ConsentBody = z.object({ action: z.enum(['approve', 'deny']) })

/** Signing in to apps of others with the account here. */
export function oauthRoutes(auth: Auth): Route[] {
  const { access, oauthServer, oauthToken, oauthClients } = auth
  const signedIn = (call: Call) => access.signedIn(call.tenant, call.credentials)
  const authorizationId = (call: Call) => call.params['id'] ?? ''
  return [
    {
      method: 'GET',
      url: '/.well-known/oauth-authorization-server',
      handler: async (call) => {
        serverOf(call.tenant)
        return describe(call)
      },
    },
    { method: 'GET', url: '/.well-known/openid-configuration', handler: describe },
    {
      method: 'GET',
      url: '/oauth/authorize',
      handler: inWords(async (call) =>
        call.reply.redirect(await oauthServer.authorize(call, call.query), 302),
      ),
    },
    {
      method: 'GET',
      url: '/oauth/authorizations/:id',
      handler: async (call) =>
        oauthServer.details(call, await signedIn(call), authorizationId(call)),
    },
    {
      method: 'POST',
      url: '/oauth/authorizations/:id/consent',
      handler: async (call) => {
        const who = await signedIn(call)
        const { action } = parse(ConsentBody, call.body)
        return oauthServer.consent(call, who, authorizationId(call), action)
      },
    },
    {
      method: 'GET',
      url: '/oauth/userinfo',
      handler: async (call) => {
        serverOf(call.tenant)
        return oauthToken.userinfo(
          await access.signedIn(call.tenant, call.credentials, { apps: true }),
        )
      },
    },
    {
      method: 'POST',
      url: '/oauth/clients/register',
      handler: async (call) => {
        const made = await oauthClients.register(call, parse(ClientBody, call.body))
        return call.reply.status(201).send(made)
      },
    },
    {
      method: 'GET',
      url: '/user/oauth/grants',
      handler: async (call) => oauthServer.grants(call.tenant, await signedIn(call)),
    },
    {
      method: 'DELETE',
      url: '/user/oauth/grants',
      handler: async (call) => {
        const who = await signedIn(call)
        const id = uuid(call.query['client_id'], 'oauth_consent_not_found')
        await oauthServer.revoke(call, who, id)
        return call.reply.status(204).send()
      },
    },
  ]
}

/** Where apps send a form. */
export function oauthFormRoutes({ oauthToken }: Auth): Route[] {
  return [
    {
      method: 'POST',
      url: '/oauth/token',
      handler: inWords((call) =>
        oauthToken.exchange(call, formOf(call.body), call.credentials.authorization),
      ),
    },
  ]
}

/** The apps of a tenant, for its service key. */
export function oauthAdminRoutes({ access, oauthClients }: Auth): Route[] {
  const routes: Route[] = [
    {
      method: 'GET',
      url: '/admin/oauth/clients',
      handler: async ({ tenant, query, reply }) => {
        const { page, per_page: perPage } = parse(PageQuery, query)
        const { clients, total } = await oauthClients.page(tenant, { page, perPage })
        const last = Math.max(1, Math.ceil(total / perPage))
        const link = (to: number, rel: string) =>
          `<${tenant.externalUrl}/admin/oauth/clients?page=${to}&per_page=${perPage}>; rel="${rel}"`
        reply.header('x-total-count', String(total))
        reply.header(
          'link',
          [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', '),
        )
        return { clients, aud: tenant.jwt.audience }
      },
    },
    {
      method: 'POST',
      url: '/admin/oauth/clients',
      handler: async (call) => {
        const made = await oauthClients.add(call, parse(ClientBody, call.body), 'manual')
        return call.reply.status(201).send(made)
      },
    },
    {
      method: 'GET',
      url: '/admin/oauth/clients/:id',
      handler: async (call) => oauthClients.get(call.tenant, clientId(call)),
    },
    {
      method: 'PUT',
      url: '/admin/oauth/clients/:id',
      handler: async (call) =>
        oauthClients.change(call, clientId(call), parse(ClientChanges, call.body)),
    },
    {
      method: 'DELETE',
      url: '/admin/oauth/clients/:id',
      handler: async (call) => {
        await oauthClients.remove(call, clientId(call))
        return call.reply.status(204).send()
      },
    },
    {
      method: 'POST',
      url: '/admin/oauth/clients/:id/regenerate_secret',
      handler: async (call) => oauthClients.regenerate(call, clientId(call)),
    },
  ]
  return routes.map(({ handler, ...route }) => ({
    ...route,
    handler: async (call) => {
      await access.admin(call.tenant, call.credentials)
      serverOf(call.tenant)
      return handler(call)
    },
  }))
}

const clientId = ({ params }: Call) => uuid(params['id'], 'oauth_client_not_found')

/** What is no id is the id of nothing. */
function uuid(text: string | undefined, missing: AuthErrorCode): string {
  const id = z.guid().safeParse(text)
  if (!id.success) throw new AuthError(missing)
  return id.data
}

/** Refusals of OAuth leave in its own words. */
function inWords(handler: Route['handler']): Route['handler'] {
  return async (call) => {
    try {
      return await handler(call)
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      if (error.status === 401) call.reply.header('www-authenticate', 'Basic realm="oauth"')
      const body = { error: error.error, error_description: error.message }
      return call.reply.status(error.status).send(body)
    }
  }
}

/** What apps have to know of this server (RFC 8414), and who checks tokens of its issuer and keys. */
async function describe({ tenant, reply }: { tenant: AuthTenant; reply: Call['reply'] }) {
  const { dynamicRegistration } = tenant.config.oauthServer ?? {}
  const at = (path: string) => tenant.externalUrl + path
  reply.header('cache-control', 'public, max-age=600')
  return {
    issuer: tenant.jwt.issuer,
    authorization_endpoint: at('/oauth/authorize'),
    token_endpoint: at('/oauth/token'),
    userinfo_endpoint: at('/oauth/userinfo'),
    jwks_uri: at('/.well-known/jwks.json'),
    ...(dynamicRegistration && { registration_endpoint: at('/oauth/clients/register') }),
    scopes_supported: scopesOf(tenant.jwt),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256', 'EdDSA'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: ['S256'],
  }
}
