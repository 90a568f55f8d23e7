import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'

/** Whose tokens a project can take besides its own; `custom` is every issuer that is none of the others. */
export const thirdPartyTypes = [
  'firebase',
  'clerk',
  'auth0',
  'awsCognito',
  'workos',
  'custom',
] as const
export type ThirdPartyType = (typeof thirdPartyTypes)[number]

/** Most integrations of one project. */
export const maxThirdParties = 10

const firebase = 'https://securetoken.google.com/'
const addresses: readonly (readonly [ThirdPartyType, RegExp])[] = [
  ['firebase', /^https:\/\/securetoken\.google\.com\//],
  ['auth0', /^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)?\.auth0\.com$/],
  ['awsCognito', /^https:\/\/cognito-idp\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?\//],
  ['workos', /^https:\/\/api\.workos\.com(?:\/|$)/],
  ['clerk', /^https:\/\/(?:clerk(?:\.[a-z0-9-]+){2,}|(?:[a-z0-9-]+\.)+clerk\.accounts\.dev)$/],
]

/** An issuer is the same with and without a slash at its end; Auth0 writes one into its tokens, others none. */
export const plainIssuer = (issuer: string): string => issuer.replace(/\/$/, '')

/** Whose issuer this is. */
export function thirdPartyTypeOf(issuer: string | null): ThirdPartyType {
  const plain = plainIssuer(issuer ?? '')
  return addresses.find(([, form]) => form.test(plain))?.[0] ?? 'custom'
}

/**
 * The audience that the tokens of an issuer have to be for; null where the issuer has none that could be known. All
 * Firebase projects share their keys, so that for these it matters.
 */
export function audienceOf(issuer: string | null): string | null {
  const plain = plainIssuer(issuer ?? '')
  return plain.startsWith(firebase) ? plain.slice(firebase.length) : null
}

/** Public keys as RFC 7517 writes a set of them. */
const Jwks = z.object({ keys: z.array(z.record(z.string(), z.unknown())) })
export type Jwks = z.infer<typeof Jwks>

export const ThirdPartyAuth = z.object({
  id: z.uuid(),
  type: z.enum(thirdPartyTypes),
  oidc_issuer_url: z.string().nullable(),
  jwks_url: z.string().nullable(),
  custom_jwks: Jwks.nullable(),
  inserted_at: Instant,
  updated_at: Instant,
  /** The keys that were found when it was added; a project reads them anew by itself. */
  resolved_jwks: Jwks.nullable(),
  resolved_at: Instant.nullable(),
})
export type ThirdPartyAuth = z.infer<typeof ThirdPartyAuth>

const address = z
  .string()
  .max(500)
  .refine((text) => /^https?:\/\/[^\s/]/.test(text) && URL.canParse(text), 'is not an address')

const ByRef = z.object({ ref: ProjectRef })
const ById = ByRef.extend({ tpa_id: z.uuid() })
const path = '/v1/projects/:ref/config/auth/third-party-auth' as const
const reads = inProject('read:Read', 'custom_config_gotrue')
const changes = inProject('write:Update', 'custom_config_gotrue')

/** Issuers outside of the project whose tokens it takes. */
export const thirdPartyAuth = {
  list: endpoint('thirdPartyAuth.list', `GET ${path}`, {
    needs: reads,
    input: ByRef,
    returns: z.array(ThirdPartyAuth),
  }),
  /**
   * An issuer whose keys are read from where it says they are, or from `jwks_url`, or are `custom_jwks`. Without an
   * issuer any token counts that one of the keys has signed.
   */
  create: endpoint('thirdPartyAuth.create', `POST ${path}`, {
    needs: changes,
    status: 201,
    perMinute: 60,
    input: ByRef.extend({
      oidc_issuer_url: address.nullish(),
      jwks_url: address.nullish(),
      custom_jwks: z
        .unknown()
        .refine((jwks) => (JSON.stringify(jwks) ?? '').length <= 50_000, 'is too long')
        .optional(),
    }),
    returns: ThirdPartyAuth,
  }),
  get: endpoint('thirdPartyAuth.get', `GET ${path}/:tpa_id`, {
    needs: reads,
    input: ById,
    returns: ThirdPartyAuth,
  }),
  remove: endpoint('thirdPartyAuth.remove', `DELETE ${path}/:tpa_id`, {
    needs: changes,
    input: ById,
    returns: ThirdPartyAuth,
  }),
}
