import type { OAuthSpec } from './external-oauth-spec.ts'
import type { Metadata } from '../users/metadata.ts'

/** A place outside where people can prove who they are. Whoever configures one trusts what it says of addresses. */
export type ExternalProvider = {
  /** As clients name it: `github`, or the name of an OIDC provider. */
  name: string
  /** For people: what stands on the button. */
  label: string
  clientId: string
  clientSecret: string
  /** Named by the tenant and not by whoever runs the platform: reached as carefully as any address of a stranger. */
  guarded?: boolean
} & (
  | {
      kind: 'github'
      /** "https://github.com", or the address of an own server that speaks the same API. */
      url: string
    }
  | {
      kind: 'oidc'
      issuer: string
      scopes: readonly string[]
      ways?: OidcWays
      /** Further clients whose tokens are taken: apps that sign people in by themselves. */
      clientIds?: readonly string[]
      /** Tokens of apps that made a nonce and do not say which. */
      skipNonce?: boolean
    }
  | {
      kind: 'oauth'
      spec: OAuthSpec
    }
)

/** What a provider of OpenID Connect does in its own way. */
export type OidcWays = {
  /** It does not give the nonce back. */
  noNonce?: true
  /** It does not know PKCE. */
  noPkce?: true
  /** Further parameters of the authorization. */
  parameters?: Readonly<Record<string, string>>
  /** It answers by a form that the browser posts, and says the person's name only there and only once. */
  formPost?: true
  /** `entra`: who owns the address's domain vouches for it (claim `xms_edov`), or the only tenant does. */
  verified?: 'entra'
}

/** What a provider says of the person who just signed in there. */
export type ExternalProfile = {
  provider: string
  /** The person's id there; it never changes and is never given to somebody else. */
  subject: string
  /** Undefined when the provider names no address. Only a verified one ever finds or makes an account. */
  email: { address: string; verified: boolean } | undefined
  /** Name, picture and such, as it goes into the identity. */
  metadata: Metadata
  /** Single sign-on of an organization: these accounts are apart from all others. */
  sso: boolean
}

/** Tokens of the provider itself, which a client may use there. */
export type ProviderTokens = { accessToken?: string | undefined; refreshToken?: string | undefined }

/** Names that mean something else in this protocol. */
const reserved = ['email', 'phone', 'anonymous_users', 'sso', 'web3', 'saml']

/** Whether an OIDC provider can have this name: clients send it in a query, and the settings list it. */
export function isProviderName(name: string): boolean {
  return /^[a-z][a-z0-9_-]{1,30}$/.test(name) && !reserved.includes(name)
}

const longestText = 1000

/** The texts among `values` that are set, cut to a length that fits into tokens. */
export function textsOf(values: Record<string, unknown>): Metadata {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name, value.slice(0, longestText)]] : [],
    ),
  )
}
