import { isUuid } from '#kit/ids'
import type { Auth } from '../auth.ts'
import { AuthError } from '../errors.ts'
import { browserCookie, browserValue, newBrowserValue } from './external-browser.ts'
import type { Call, Route } from '../http.ts'
import { needed } from '../requests.ts'
import { challengeOf } from '../sign-in/challenge.ts'

/** The value that ties a sign-in to this browser, put into its cookie; undefined where the tenant does not ask for it. */
export function bindBrowser({ tenant, cookies, reply }: Call): string | undefined {
  if (!tenant.config.bindSignIns) return undefined
  const value = browserValue(cookies) ?? newBrowserValue()
  reply.header('set-cookie', browserCookie(tenant, value))
  return value
}

/** What the protocols themselves say, and what is meant for us: none of it can be set by whoever opens the address. */
const ours = new Set(
  `provider redirect_to scopes skip_http_redirect code_challenge code_challenge_method apikey invite_token
  client_id client_secret client_assertion response_type response_mode redirect_uri scope user_scope state nonce
  request request_uri registration`.split(/\s+/),
)

/** The other parameters go to the provider as they are: `prompt`, `login_hint`, `access_type` ... */
function parametersFor(query: Call['query']): Record<string, string> {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const fits = value !== undefined && value.length <= 500 && /^[\w.-]{1,50}$/.test(name)
    // Ours is the provider here; the one behind WorkOS has a name of its own.
    return fits && !ours.has(name) ? [[name === 'workos_provider' ? 'provider' : name, value]] : []
  })
  return Object.fromEntries(pairs)
}

/** Signing in at another place, and which places an account has. */
export function externalRoutes(auth: Auth): Route[] {
  const { access, external, identities } = auth

  const startOf = (call: Call) => ({
    provider: needed(call.query['provider'], 'provider is required'),
    scopes: call.query['scopes'] ?? '',
    more: parametersFor(call.query),
    redirectTo: call.redirectTo,
    challenge: challengeOf(call.query['code_challenge'], call.query['code_challenge_method']),
  })

  /** A redirect, or the address for a client that opens it itself. */
  const sendTo = (call: Call, url: string): unknown =>
    call.query['skip_http_redirect'] === 'true' ? { url } : call.reply.redirect(url, 302)

  async function authorize(call: Call): Promise<unknown> {
    const input = startOf(call)
    return sendTo(call, await external.start(call, { ...input, browser: bindBrowser(call) }))
  }

  async function link(call: Call): Promise<unknown> {
    const who = await access.signedIn(call.tenant, call.credentials)
    identities.mayChange(call.tenant, who)
    const linking = { userId: who.user.id, sessionId: who.session.id }
    const input = { ...startOf(call), linking, browser: bindBrowser(call) }
    return sendTo(call, await external.start(call, input))
  }

  async function callback(call: Call): Promise<unknown> {
    const target = await external.finish(call, call.query, browserValue(call.cookies))
    return call.reply.redirect(target, 302)
  }

  async function unlink(call: Call): Promise<object> {
    const who = await access.signedIn(call.tenant, call.credentials)
    const id = call.params['id'] ?? ''
    if (!isUuid(id)) throw new AuthError('identity_not_found')
    await identities.unlink(call, who, id)
    return {}
  }

  return [
    { method: 'GET', url: '/authorize', handler: authorize },
    { method: 'GET', url: '/callback', handler: callback },
    { method: 'GET', url: '/user/identities/authorize', handler: link },
    { method: 'DELETE', url: '/user/identities/:id', handler: unlink },
  ]
}

/** Answers that a provider posts as a form come from its pages, so they carry neither our cookie nor our origin. */
export function externalFormRoutes(auth: Auth): Route[] {
  return [
    {
      method: 'POST',
      url: '/callback',
      handler: async (call) => {
        const target = await auth.external.finish(call, formOf(call.body), undefined)
        return call.reply.redirect(target, 303)
      },
    },
  ]
}

/** The fields of a posted form, as the parser for them leaves them. */
export function formOf(body: unknown): Record<string, string | undefined> {
  return body instanceof URLSearchParams ? Object.fromEntries(body) : {}
}
