import { z } from 'zod'
import type { Auth } from '../auth.ts'
import { AuthError } from '../errors.ts'
import { browserValue } from '../external/external-browser.ts'
import { refusalLanding, sessionLanding } from '../external/external-landing.ts'
import { bindBrowser, formOf } from '../external/external-routes.ts'
import type { Call, Route } from '../http.ts'
import { redirectTarget } from '../sign-in/redirects.ts'
import { challengeOf } from '../sign-in/challenge.ts'
import { parse } from '../requests.ts'
import { serviceMetadata } from './saml-response.ts'
import { serviceOf } from './saml-key.ts'

const text = z
  .string()
  .max(4096)
  .nullish()
  .transform((value) => value || undefined)

const SsoBody = z.object({
  domain: text,
  provider_id: text,
  redirect_to: text,
  skip_http_redirect: z.boolean().nullish(),
  code_challenge: text,
  code_challenge_method: text,
})

/** Single sign-on of organizations, for who has no session yet. */
export function ssoRoutes(auth: Auth): Route[] {
  const { sso, pkce } = auth

  async function start(call: Call): Promise<unknown> {
    if (!call.tenant.config.ssoEnabled) throw new AuthError('saml_provider_disabled')
    const body = parse(SsoBody, call.body)
    const asked = body.redirect_to
    const url = await sso.start(call, {
      domain: body.domain,
      providerId: body.provider_id,
      redirectTo: asked ? redirectTarget(call.tenant.config, asked) : call.redirectTo,
      challenge: challengeOf(body.code_challenge, body.code_challenge_method),
      browser: bindBrowser(call),
    })
    return body.skip_http_redirect ? { url } : call.reply.redirect(url, 303)
  }

  async function metadata({ tenant, query, reply }: Call): Promise<unknown> {
    if (!tenant.config.ssoEnabled) throw new AuthError('saml_provider_disabled')
    reply.type('application/xml')
    if (query['download'] === 'true') {
      reply.header('content-disposition', 'attachment; filename="metadata.xml"')
    }
    return serviceMetadata(await serviceOf(tenant))
  }

  /** The second half for a browser that has to show its cookie. */
  async function finish(call: Call): Promise<unknown> {
    const target = await landing(call).catch((error: unknown) => {
      if (!(error instanceof AuthError)) throw error
      return refusalLanding(call.redirectTo, error, false)
    })
    return call.reply.redirect(target, 303)
  }

  async function landing(call: Call): Promise<string> {
    const value = browserValue(call.cookies)
    if (!value) throw new AuthError('bad_oauth_state')
    const session = await pkce.exchange(call, call.query['code'] ?? '', value)
    return sessionLanding(call.redirectTo, session, {})
  }

  return [
    { method: 'POST', url: '/sso', handler: start },
    { method: 'GET', url: '/sso/saml/metadata', handler: metadata },
    { method: 'GET', url: '/sso/finish', handler: finish },
  ]
}

/** Where identity providers post their answers. */
export function ssoFormRoutes(auth: Auth): Route[] {
  return [
    {
      method: 'POST',
      url: '/sso/saml/acs',
      handler: async (call) =>
        call.reply.redirect(await auth.sso.finishSaml(call, formOf(call.body)), 303),
    },
  ]
}
