import { z } from 'zod'
import { isYes } from './external-oauth-spec.ts'
import type { OidcWays } from './external-providers.ts'

/** Some providers write a boolean as text. */
const flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])
  .optional()

/** The claims about a person that we read. */
export const oidcClaims = z.looseObject({
  sub: z.string().min(1).max(255),
  email: z.string().optional(),
  email_verified: flag,
})
export type OidcClaims = z.infer<typeof oidcClaims>

/** Where the accounts of private people are; their addresses are confirmed. */
const personalTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'

/**
 * Whether the address counts as verified. The providers of organizations seldom say it, and vouch for addresses of their
 * own domains only; all others must. In Entra whoever runs a tenant writes what they like into addresses, so that only
 * the owner of the domain counts, unless there is but one tenant, which the project trusts.
 */
export function vouchesFor(
  claims: OidcClaims,
  { sso, ways, issuer }: { sso: boolean; ways?: OidcWays | undefined; issuer: string },
): boolean {
  if (sso) return claims.email_verified !== false
  if (ways?.verified !== 'entra') return claims.email_verified === true
  const { xms_edov: owned, tid } = claims
  if (owned !== undefined) return isYes(owned)
  return typeof tid === 'string' && (tid === personalTenant || issuer.includes(`/${tid}/`))
}

/** The name in what Apple posts beside its answer: `{"name":{"firstName":"…","lastName":"…"}}`. */
export function postedName(posted: string | undefined): string | undefined {
  if (posted === undefined) return undefined
  try {
    const { name } = Posted.parse(JSON.parse(posted))
    return [name?.firstName, name?.lastName].filter(Boolean).join(' ') || undefined
  } catch {
    // It comes through the browser and is for show only: what cannot be read is no name.
    return undefined
  }
}

const Posted = z.object({
  name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }).optional(),
})
