import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import { accountFor, linkIdentity } from './external-account.ts'
import { askForProof, proofNeeded } from './external-confirmation.ts'
import { findProvider, reachOf } from './external-find.ts'
import { checkIdToken, checkShape, type Presented } from './id-token-check.ts'
import { signerOf, type OidcProvider } from './id-token-keys.ts'
import { profileOfClaims } from './oidc-client.ts'
import type { SessionJson, Sessions } from '../sessions/sessions.ts'
import { inTransaction } from '../store.ts'
import type { AuthTenant, Caller } from '../tenant.ts'

export type IdTokenInput = Presented & {
  provider: string | undefined
  issuer: string | undefined
  /** Whose account gets the identity, instead of signing somebody in. */
  linking: { userId: string } | undefined
}

/** Sign-in with a token that an app got at a provider by itself. */
export function createIdToken({ now, limits, fetch, log }: AuthDeps, sessions: Sessions) {
  /** A session for the person of the token. 400 `provider_disabled` for a provider that is not on or signs no tokens. */
  async function signIn(caller: Caller, input: IdTokenInput): Promise<SessionJson> {
    await limits.perAddress(caller, 'token')
    const { tenant } = caller
    const provider = await find(tenant, input)
    checkShape(input.idToken)
    const { claims, issuer } = await check(provider, input)
    const { name, ways = {} } = provider
    const profile = profileOfClaims(claims, { provider: name, sso: false, issuer, ways })
    const { session, unconfirmed } = await inTransaction(tenant.pool, async (tx) => {
      const at = now()
      const { linking } = input
      if (linking) {
        const user = await linkIdentity(tx, caller, linking.userId, profile, at)
        return { session: await sessions.begin(tx, caller, user, 'oauth', name) }
      }
      const user = await accountFor(tx, caller, profile, at)
      const asked = { provider: name, redirectTo: tenant.config.siteUrl, challenge: undefined }
      const proof = await proofNeeded({ limits }, tx, caller, user, asked, at)
      if (proof && !proof.mayGoOn) return { unconfirmed: proof }
      const begun = await sessions.begin(tx, caller, user, 'oauth', name)
      return { session: begun, unconfirmed: proof }
    })
    if (unconfirmed) await askForProof(caller, unconfirmed)
    if (!session) throw new AuthError('provider_email_needs_verification')
    return session
  }

  async function find(
    tenant: AuthTenant,
    { provider: name, issuer }: IdTokenInput,
  ): Promise<OidcProvider> {
    const found = name
      ? await findProvider(tenant, name)
      : tenant.config.external.find((one) => one.kind === 'oidc' && one.issuer === issuer)
    if (found?.kind === 'oidc') return found
    const which = name ? `"${name}"` : `(issuer "${issuer ?? ''}")`
    throw new AuthError('provider_disabled', `Provider ${which.slice(0, 200)} is not enabled`)
  }

  async function check(provider: OidcProvider, input: Presented) {
    try {
      const signer = await signerOf(provider, reachOf(provider, fetch))
      return { claims: await checkIdToken(provider, signer, input, now()), issuer: signer.issuer }
    } catch (error) {
      if (error instanceof AuthError) throw error
      log.warn({ err: error, provider: provider.name }, 'keys of a provider cannot be read')
      throw new AuthError('provider_unreachable')
    }
  }

  return { signIn }
}
export type IdToken = ReturnType<typeof createIdToken>
