import type { Log } from '#kit/log'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { adminRoutes } from './admin/admin-routes.ts'
import type { Auth } from './auth.ts'
import { accountRoutes } from './users/account-routes.ts'
import { customProviderRoutes } from './external/custom-providers-routes.ts'
import { guardedByCaptcha } from './sign-in/captcha-routes.ts'
import { externalFormRoutes, externalRoutes } from './external/external-routes.ts'
import { AuthError, invalid } from './errors.ts'
import { callOf, prepareHttp, type KeyRoleOf, type Route, type TenantOf } from './http.ts'
import { mfaRoutes } from './mfa/mfa-routes.ts'
import { oauthAdminRoutes, oauthFormRoutes, oauthRoutes } from './oauth-server/oauth-routes.ts'
import { answering } from './request-scope.ts'
import { passkeyAdminRoutes, passkeyRoutes } from './passkeys/passkeys-routes.ts'
import { publicRoutes } from './public-routes.ts'
import { sessionRoutes } from './sessions/session-routes.ts'
import { ssoAdminRoutes } from './sso/sso-admin-routes.ts'
import { ssoFormRoutes, ssoRoutes } from './sso/sso-routes.ts'

export type AuthRoutesOptions = { auth: Auth; tenantOf: TenantOf; keyRoleOf?: KeyRoleOf }

/**
 * The auth API as a Fastify plugin, with its own body rules, errors and CORS. Mount it with a prefix:
 * `app.register(authRoutes, { prefix: '/:ref/auth/v1', auth, tenantOf })`.
 */
export async function authRoutes(
  app: FastifyInstance,
  { auth, tenantOf, keyRoleOf }: AuthRoutesOptions,
): Promise<void> {
  await prepareHttp(app, auth.log)
  const mount = (on: FastifyInstance, routes: Route[]) => {
    for (const { method, url, handler } of routes) {
      on.route({
        method,
        url,
        // Mail scanners look at links with HEAD; that must not use them up.
        exposeHeadRoute: false,
        // Links carry their token in the query, which has no place in a log.
        logSerializers: { req: loggedRequest },
        handler: async (request: FastifyRequest, reply: FastifyReply) => {
          const call = await callOf(request, reply, tenantOf, auth.hooks, keyRoleOf)
          const work = answering(request.id, () => handler(call))
          const answer = await inTime(work, call.tenant.config.longestRequestMs, auth.log)
          return reply.sent ? reply : reply.send(answer)
        },
      })
    }
  }
  const { routes, formRoutes } = routesOf(auth)
  mount(app, guardedByCaptcha(auth, routes))
  await app.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 1024 * 1024 },
      async (_: unknown, text: string) => fieldsOf(text),
    )
    mount(forms, formRoutes)
  })
}

/** Forms of sign-in have a dozen fields, one of which may be long. */
const maxFields = 1000

function fieldsOf(text: string): URLSearchParams {
  if (text.split('&', maxFields + 1).length > maxFields) {
    throw invalid(`The form has more than ${maxFields} fields`)
  }
  return new URLSearchParams(text)
}

/** Every endpoint; `formRoutes` take what a page's form sends. */
export const routesOf = (auth: Auth): { routes: Route[]; formRoutes: Route[] } => ({
  routes: [
    ...publicRoutes(auth),
    ...accountRoutes(auth),
    ...mfaRoutes(auth),
    ...sessionRoutes(auth),
    ...externalRoutes(auth),
    ...ssoRoutes(auth),
    ...ssoAdminRoutes(auth),
    ...adminRoutes(auth),
    ...customProviderRoutes(auth),
    ...oauthRoutes(auth),
    ...oauthAdminRoutes(auth),
    ...passkeyRoutes(auth),
    ...passkeyAdminRoutes(auth),
  ],
  formRoutes: [...externalFormRoutes(auth), ...ssoFormRoutes(auth), ...oauthFormRoutes(auth)],
})

/** The work goes on behind the answer: what it has begun in the database it ends there. @throws AuthError request_timeout */
async function inTime<T>(work: Promise<T>, longestMs: number | undefined, log: Log): Promise<T> {
  if (longestMs === undefined) return work
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => {
      work.catch((error: unknown) => log.info({ err: error }, 'a request failed after its time'))
      fail(new AuthError('request_timeout'))
    }, longestMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function loggedRequest(request: FastifyRequest) {
  return { method: request.method, url: request.url.split('?', 1)[0], remoteAddress: request.ip }
}
