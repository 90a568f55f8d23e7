import { randomBytes } from 'node:crypto'
import { storedHash } from '../sign-in/codes.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, invalid } from '../errors.ts'
import { accountFor, linkIdentity } from './external-account.ts'
import { adapterOf, bindingOf, type Adapter } from './external-adapters.ts'
import { browserHash } from './external-browser.ts'
import { issueExternalCode } from './external-code.ts'
import {
  pruneExternalFlows,
  saveExternalFlow,
  takeExternalFlow,
  type ExternalFlow,
} from './external-flow-store.ts'
import { findProvider } from './external-find.ts'
import { askForProof, proofNeeded } from './external-confirmation.ts'
import { refusalLanding, sessionLanding } from './external-landing.ts'
import type { ExternalProfile, ProviderTokens } from './external-providers.ts'
import type { Challenge } from '../sign-in/challenge.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { announceSso } from '../sso/sso-account.ts'
import { inTransaction } from '../store.ts'
import type { AuthTenant, Caller } from '../tenant.ts'

/** How long somebody may take at the provider. */
const flowLifeMs = 10 * 60 * 1000

export type ExternalStart = {
  provider: string
  /** Further scopes, separated by spaces or commas. */
  scopes: string
  /** Further parameters for the provider, such as `prompt`. */
  more?: Record<string, string>
  redirectTo: string
  challenge: Challenge | undefined
  linking?: { userId: string; sessionId: string } | undefined
  /** The value in the browser's cookie; it must be there again at the end. */
  browser: string | undefined
}

/** A provider on the way back, and which account who comes from it gets. */
export type Arrival = { adapter: Adapter; arrive: typeof accountFor }

/** Where single sign-on plugs in: its providers are rows, not configuration. */
export type SsoAdapters = (tenant: AuthTenant, ssoProviderId: string) => Promise<Arrival>

/** Sign-in at other places by OAuth and OpenID Connect: the way there and the way back. */
export function createExternal(
  { now, limits, log, fetch }: AuthDeps,
  sessions: Sessions,
  ssoAdapter: SsoAdapters,
) {
  const redirectUri = (tenant: AuthTenant) => `${tenant.externalUrl}/callback`

  /** The address of the provider to send the browser to. 400 `validation_failed` for a provider that is not on. */
  async function start(caller: Caller, input: ExternalStart): Promise<string> {
    await limits.perAddress(caller, 'token')
    const provider = await findProvider(caller.tenant, input.provider)
    if (!provider) throw invalid('Unsupported provider: provider is not enabled')
    return begin(caller, adapterOf(provider, fetch), input)
  }

  /** The same for any adapter; what is checked on the way back is kept until then. */
  async function begin(
    { tenant }: Caller,
    adapter: Adapter,
    input: ExternalStart,
    sso?: { providerId: string },
  ): Promise<string> {
    if (!/^[\w:./ ,-]{0,500}$/.test(input.scopes)) throw invalid('scopes has unusual characters')
    const state = randomBytes(32).toString('base64url')
    const url = await adapter
      .authorize(bindingOf(tenant, state), {
        redirectUri: redirectUri(tenant),
        scopes: input.scopes,
        ...(input.more && { more: input.more }),
      })
      .catch((error: unknown) => {
        log.warn({ err: error, provider: input.provider }, 'sign-in provider is not reachable')
        throw new AuthError('provider_unreachable')
      })
    const at = now()
    await pruneExternalFlows(tenant.pool, new Date(at.getTime() - flowLifeMs))
    const { provider, redirectTo, challenge, linking, browser } = input
    const flow = { provider, redirectTo, challenge, linking, ssoProviderId: sso?.providerId }
    const bound = { browserHash: browser && browserHash(browser) }
    await saveExternalFlow(tenant.pool, { ...flow, ...bound, stateHash: storedHash(state) }, at)
    return url
  }

  /** The way back: always an address to go to, with the session, a code, or why it did not work. */
  async function finish(
    caller: Caller,
    query: Record<string, string | undefined>,
    browser: string | undefined,
  ): Promise<string> {
    const { tenant } = caller
    await limits.perAddress(caller, 'token')
    const state = query['state'] ?? ''
    const flow = await takeExternalFlow(tenant.pool, storedHash(state))
    if (!flow || !isCurrent(flow, browser)) {
      return refusalLanding(tenant.config.siteUrl, new AuthError('bad_oauth_state'), true)
    }
    try {
      const { adapter, arrive } = await arrivalOf(tenant, flow)
      const { profile, tokens } = await ask(adapter, tenant, state, query)
      return await land(caller, flow, arrive, profile, tokens)
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      return refusalLanding(flow.redirect_to, error, flow.code_challenge !== null)
    }
  }

  function isCurrent(flow: ExternalFlow, browser: string | undefined): boolean {
    if (now().getTime() - flow.created_at.getTime() > flowLifeMs) return false
    return (
      flow.browser_hash === null ||
      (browser !== undefined && browserHash(browser) === flow.browser_hash)
    )
  }

  async function arrivalOf(tenant: AuthTenant, flow: ExternalFlow): Promise<Arrival> {
    if (flow.sso_provider_id) return ssoAdapter(tenant, flow.sso_provider_id)
    const provider = await findProvider(tenant, flow.provider)
    if (!provider) throw new AuthError('provider_disabled')
    return { adapter: adapterOf(provider, fetch), arrive: accountFor }
  }

  /** Whatever is wrong with an answer, the person learns that it did not work and the log why. */
  async function ask(
    adapter: Adapter,
    tenant: AuthTenant,
    state: string,
    query: Record<string, string | undefined>,
  ) {
    const answer = new URL(redirectUri(tenant))
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) answer.searchParams.set(name, value)
    }
    try {
      return await adapter.profile(bindingOf(tenant, state), answer)
    } catch (error) {
      if (error instanceof AuthError) throw error
      log.warn({ err: error }, 'sign-in at a provider failed')
      const denied = query['error'] === 'access_denied'
      throw new AuthError('bad_oauth_callback', denied ? 'The sign-in was cancelled' : undefined)
    }
  }

  async function land(
    caller: Caller,
    flow: ExternalFlow,
    arrive: Arrival['arrive'],
    profile: ExternalProfile,
    tokens: ProviderTokens,
  ): Promise<string> {
    const { redirect_to: redirectTo } = flow
    const { provider } = profile
    const { user, target, unconfirmed } = await inTransaction(caller.tenant.pool, async (tx) => {
      const at = now()
      const who = flow.linking_user_id
        ? await linkIdentity(tx, caller, flow.linking_user_id, profile, at)
        : await arrive(tx, caller, profile, at)
      const challenge = challengeOf(flow)
      const asked = { provider, redirectTo, challenge }
      const proof = flow.linking_user_id
        ? undefined
        : await proofNeeded({ limits }, tx, caller, who, asked, at)
      const made = { user: who, unconfirmed: proof }
      if (proof && !proof.mayGoOn) return { ...made, target: redirectTo }
      const method = profile.sso ? 'sso/oidc' : 'oauth'
      if (!challenge) {
        const session = await sessions.begin(tx, caller, who, method, provider)
        return { ...made, target: sessionLanding(redirectTo, session, tokens) }
      }
      const as = { user: who, challenge, method, provider }
      return { ...made, target: await issueExternalCode(tx, redirectTo, as, tokens, at) }
    })
    if (unconfirmed) await askForProof(caller, unconfirmed)
    if (flow.sso_provider_id) await announceSso(caller.tenant, flow.sso_provider_id, user)
    return target
  }

  return { start, begin, finish }
}
function challengeOf(flow: ExternalFlow): Challenge | undefined {
  const { code_challenge: value, code_challenge_method: method } = flow
  return value === null || method === null ? undefined : { value, method }
}

export type External = ReturnType<typeof createExternal>
