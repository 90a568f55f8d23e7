import type { z } from 'zod'
import type { SsoOidc, SsoSaml } from '#contract/organizations/sso'
import type { Tx } from '../../platform-database/database.ts'

/** What the auth service keeps of an identity provider. */
export type SsoProvider = {
  id: string
  enabled: boolean
  saml: {
    entityId: string
    metadataUrl: string | null
    attributes: { email: string; full_name: string; user_name: string }
  } | null
  oidc: { issuer: string; clientId: string } | null
  updatedAt: Date
}

export type SsoProviderInput = {
  enabled: boolean
  saml?: z.output<typeof SsoSaml> | undefined
  oidc?: z.output<typeof SsoOidc> | undefined
}

/** What was read from elsewhere for an input, so that saving it needs nothing but the database. */
export type PreparedSso = { input: SsoProviderInput; metadataXml: string | undefined }

/**
 * The auth service, as far as single sign-on of organizations goes. What is wrong with an input is thrown as
 * ApiError: invalid_input, or sso_domain_taken.
 */
export type SsoGateway = {
  /** What identity providers have to be told about us. */
  service: { entityId: string; acsUrl: string; metadataUrl: string; redirectUri: string }
  prepare(input: SsoProviderInput): Promise<PreparedSso>
  /** Within the caller's transaction, as everything below that takes one. Returns the provider's id. */
  save(
    tx: Tx,
    prepared: PreparedSso,
    domains: readonly string[],
    id: string | undefined,
  ): Promise<string>
  setDomains(tx: Tx, id: string, domains: readonly string[]): Promise<void>
  find(id: string): Promise<SsoProvider | undefined>
  /** Who signs in through it is signed out and cannot come back that way. */
  remove(tx: Tx, id: string): Promise<void>
  /** The user ids of those who sign in through it. */
  peopleOf(tx: Tx, id: string): Promise<string[]>
}
