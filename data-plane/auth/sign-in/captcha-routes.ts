import { z } from 'zod'
import type { Auth } from '../auth.ts'
import { AuthError } from '../errors.ts'
import type { Call, Route } from '../http.ts'

/** Where somebody without a session asks for an account, a session or a message. */
const guarded = new Set('/signup /token /otp /magiclink /recover /resend /sso'.split(' '))

/** Ways to a session that begin with something no program can guess, and that follow by themselves where people wait. */
const free = new Set(['refresh_token', 'pkce', 'id_token'])

const Body = z.object({
  gotrue_meta_security: z
    .object({ captcha_token: z.string().max(8192).nullish() })
    .nullish()
    .catch(undefined),
})

/** The same routes; where a captcha has to be solved, they ask for it first. Whoever has the service key is not asked. */
export function guardedByCaptcha({ access, captcha }: Auth, routes: Route[]): Route[] {
  const isAdmin = ({ tenant, credentials }: Call) =>
    access.admin(tenant, credentials).then(
      () => true,
      (error: unknown) => {
        if (!(error instanceof AuthError)) throw error
        return false
      },
    )

  return routes.map((route) => {
    if (route.method !== 'POST' || !guarded.has(route.url)) return route
    return {
      ...route,
      handler: async (call) => {
        const without = route.url === '/token' && free.has(call.query['grant_type'] ?? '')
        if (call.tenant.config.captcha && !without && !(await isAdmin(call))) {
          const body = Body.safeParse(call.body)
          await captcha(call, body.data?.gotrue_meta_security?.captcha_token ?? undefined)
        }
        return route.handler(call)
      },
    }
  })
}
