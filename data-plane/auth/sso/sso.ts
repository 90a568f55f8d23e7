import { randomBytes, randomUUID } from 'node:crypto'
import { isUuid } from '#kit/ids'
import { newAuthCode, storedHash } from '../sign-in/codes.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError, invalid } from '../errors.ts'
import { oidcAdapter } from '../external/external-adapters.ts'
import { browserHash } from '../external/external-browser.ts'
import { issueExternalCode } from '../external/external-code.ts'
import type { External, SsoAdapters } from '../external/external-flow.ts'
import { refusalLanding, sessionLanding } from '../external/external-landing.ts'
import { discover } from '../external/oidc-client.ts'
import type { Challenge } from '../sign-in/challenge.ts'
import { withQuery } from '../sign-in/redirects.ts'
import { parseMetadata } from './saml-metadata.ts'
import { AttributeMapping, samlProfile } from './saml-profile.ts'
import {
  pruneRelayStates,
  saveRelayState,
  takeRelayState,
  type RelayState,
} from './saml-relay-store.ts'
import { serviceOf } from './saml-key.ts'
import { checkResponse, requestUrl } from './saml-response.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { announceSso, ssoAccountFor } from './sso-account.ts'
import { normalizeDomain, secretIdentity } from './sso-providers.ts'
import { ssoProviderByDomain, ssoProviderById, type SsoProviderRow } from './sso-store.ts'
import { inTransaction, type Db } from '../store.ts'
import type { AuthTenant, Caller } from '../tenant.ts'
import type { UserRow } from '../users/user-row.ts'

const relayLifeMs = 10 * 60 * 1000

export type SsoStart = {
  domain: string | undefined
  providerId: string | undefined
  redirectTo: string
  challenge: Challenge | undefined
  browser: string | undefined
}

/** The provider of an organization as an OpenID client; its issuer is an address that a tenant named. */
export function createSsoAdapters({ fetch }: Pick<AuthDeps, 'fetch'>): SsoAdapters {
  return async (tenant, id) => {
    const provider = await ssoProviderById(tenant.pool, id)
    const { issuer, client_id: clientId, sealed_client_secret: sealed } = provider ?? {}
    if (!provider || provider.disabled || !issuer || !clientId || !sealed) {
      throw new AuthError('sso_provider_not_found')
    }
    const clientSecret = tenant.secrets.open(sealed, secretIdentity(id))
    const client = { issuer, clientId, clientSecret }
    // Plain http is refused by the guarded fetch, but for addresses that it was told to allow.
    const configuration = () => discover(client, { fetch, allowHttp: true })
    const scopes = ['openid', 'email', 'profile']
    return {
      adapter: oidcAdapter(configuration, { provider: `sso:${id}`, scopes, sso: true }),
      arrive: (tx, caller, profile, at) => ssoAccountFor(tx, caller, provider, profile, at),
    }
  }
}

/** Single sign-on: to the identity provider of an organization and back. */
export function createSso(
  { now, limits, log }: AuthDeps,
  sessions: Sessions,
  external: External,
  adapters: SsoAdapters,
) {
  /** The address to send the browser to. 404 `sso_provider_not_found`. */
  async function start(caller: Caller, input: SsoStart): Promise<string> {
    const { tenant } = caller
    await limits.perAddress(caller, 'otp')
    if (!tenant.config.ssoEnabled) throw new AuthError('saml_provider_disabled')
    const provider = await find(tenant, input)
    if (!provider || provider.disabled) throw new AuthError('sso_provider_not_found')
    if (provider.issuer) {
      const { adapter } = await adapters(tenant, provider.id)
      const { redirectTo, challenge, browser } = input
      const request = { provider: `sso:${provider.id}`, scopes: '', redirectTo, challenge, browser }
      return external.begin(caller, adapter, request, { providerId: provider.id })
    }
    return startSaml(tenant, provider, input)
  }

  async function find(tenant: AuthTenant, { domain, providerId }: SsoStart) {
    if (providerId !== undefined) {
      if (domain !== undefined) throw invalid('Only one of provider_id or domain supported')
      const found = isUuid(providerId) && (await ssoProviderById(tenant.pool, providerId))
      if (!found) throw new AuthError('sso_provider_not_found', 'No such SSO provider')
      return found
    }
    if (domain === undefined) throw invalid('A provider_id or domain needs to be provided')
    return ssoProviderByDomain(tenant.pool, normalizeDomain(domain))
  }

  async function startSaml(
    tenant: AuthTenant,
    provider: SsoProviderRow,
    { redirectTo, challenge, browser }: SsoStart,
  ): Promise<string> {
    const at = now()
    const idp = await parseMetadata(provider.metadata_xml ?? '')
    const relay = { id: randomUUID(), requestId: `_${randomBytes(20).toString('hex')}` }
    const codeHash = storedHash(newAuthCode())
    const flow = challenge && { id: randomUUID(), codeHash, challenge }
    const bound = browser && browserHash(browser)
    await inTransaction(tenant.pool, async (tx) => {
      await pruneRelayStates(tx, new Date(at.getTime() - relayLifeMs))
      const row = { ...relay, providerId: provider.id, redirectTo, browserHash: bound, flow }
      await saveRelayState(tx, row, at)
    })
    return requestUrl(await serviceOf(tenant), idp, {
      id: relay.requestId,
      at,
      relayState: relay.id,
    })
  }

  /** An identity provider's answer: always an address to go to. */
  async function finishSaml(
    caller: Caller,
    form: Record<string, string | undefined>,
  ): Promise<string> {
    const { tenant } = caller
    if (!tenant.config.ssoEnabled) throw new AuthError('saml_provider_disabled')
    await limits.perAddress(caller, 'token')
    const relayId = form['RelayState'] ?? ''
    const known = isUuid(relayId)
    const relay = known
      ? await inTransaction(tenant.pool, (tx) => takeRelayState(tx, relayId))
      : undefined
    if (!relay) {
      const refusal = new AuthError('saml_relay_state_not_found')
      return refusalLanding(tenant.config.siteUrl, refusal, true)
    }
    const pkce = relay.code_challenge !== null && relay.code_challenge_method !== null
    try {
      if (now().getTime() - relay.created_at.getTime() > relayLifeMs) {
        throw new AuthError('saml_relay_state_expired')
      }
      const provider = await ssoProviderById(tenant.pool, relay.sso_provider_id)
      if (!provider?.metadata_xml || provider.disabled)
        throw new AuthError('sso_provider_not_found')
      const profile = await profileIn(tenant, provider, relay, form['SAMLResponse'] ?? '')
      const { user, target } = await inTransaction(tenant.pool, async (tx) => {
        const who = await ssoAccountFor(tx, caller, provider, profile, now())
        return { user: who, target: await land(tx, caller, relay, who, profile.provider) }
      })
      await announceSso(tenant, provider.id, user)
      return target
    } catch (error) {
      if (!(error instanceof AuthError)) throw error
      return refusalLanding(relay.redirect_to, error, pkce)
    }
  }

  async function land(
    tx: Db,
    caller: Caller,
    relay: RelayState,
    user: UserRow,
    provider: string,
  ): Promise<string> {
    const at = now()
    const as = { user, method: 'sso/saml', provider }
    if (relay.code_challenge !== null && relay.code_challenge_method !== null) {
      const challenge = { value: relay.code_challenge, method: relay.code_challenge_method }
      return issueExternalCode(tx, relay.redirect_to, { ...as, challenge }, {}, at)
    }
    if (relay.browser_hash !== null) return askBrowser(tx, caller.tenant, relay, as, at)
    const session = await sessions.begin(tx, caller, user, as.method, provider)
    return sessionLanding(relay.redirect_to, session, {})
  }

  async function profileIn(
    tenant: AuthTenant,
    provider: SsoProviderRow,
    relay: { request_id: string; created_at: Date },
    response: string,
  ) {
    const idp = await parseMetadata(provider.metadata_xml ?? '')
    const request = { id: relay.request_id, at: relay.created_at }
    const assertion = await checkResponse(await serviceOf(tenant), idp, request, response).catch(
      (error: unknown) => {
        if (error instanceof AuthError) throw error
        log.warn({ err: error, provider: provider.id }, 'SAML answer refused')
        throw new AuthError('bad_oauth_callback')
      },
    )
    const mapping = AttributeMapping.parse(provider.attribute_mapping ?? {})
    return samlProfile({ id: provider.id, entityId: idp.entityId, mapping }, assertion)
  }

  return { start, finishSaml }
}
export type Sso = ReturnType<typeof createSso>

/**
 * The answer came by a form of the identity provider's page, with which browsers send no cookie. So the browser comes
 * once more, with a code that opens only together with the cookie whose hash began the sign-in.
 */
async function askBrowser(
  tx: Db,
  tenant: AuthTenant,
  relay: { browser_hash: string | null; redirect_to: string },
  as: Pick<Parameters<typeof issueExternalCode>[2], 'user' | 'method' | 'provider'>,
  at: Date,
): Promise<string> {
  const challenge: Challenge = { value: relay.browser_hash ?? '', method: 's256' }
  const finish = withQuery(`${tenant.externalUrl}/sso/finish`, { redirect_to: relay.redirect_to })
  return issueExternalCode(tx, finish, { ...as, challenge }, {}, at)
}
