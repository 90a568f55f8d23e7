import { z } from 'zod'
import { AuthError } from '../errors.ts'
import type { ExternalProfile } from '../external/external-providers.ts'
import { textsOf } from '../external/external-providers.ts'
import type { Assertion } from './saml-response.ts'

/** Which attributes of an assertion hold what: `{keys: {email: {name: "mail"}, team: {names: ["a", "b"]}}}`. */
export const AttributeMapping = z.object({
  keys: z
    .record(
      z.string().regex(/^[A-Za-z0-9_]{1,50}$/),
      z.object({
        name: z.string().max(300).optional(),
        names: z.array(z.string().max(300)).max(10).optional(),
        default: z.union([z.string().max(300), z.number(), z.boolean()]).optional(),
        array: z.boolean().optional(),
      }),
    )
    .refine((keys) => Object.keys(keys).length <= 50, 'At most 50 attributes')
    .default({}),
})
export type AttributeMapping = z.infer<typeof AttributeMapping>

/** Names by which identity providers send these, in the order of preference. */
const usual: Record<string, readonly string[]> = {
  email: [
    'email',
    'mail',
    'emailAddress',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  ],
  full_name: [
    'displayName',
    'name',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'http://schemas.microsoft.com/identity/claims/displayname',
  ],
}
const ownNames = new Set(['email', 'full_name', 'name', 'user_name', 'avatar_url'])

/** The person an assertion is about. 422 `saml_assertion_no_email` when it tells no address. */
export function samlProfile(
  provider: { id: string; entityId: string; mapping: AttributeMapping },
  { nameId, nameIdFormat, attributes }: Assertion,
): ExternalProfile {
  const { keys } = provider.mapping
  const valuesOf = (key: string): unknown => {
    const rule = keys[key]
    const names = rule
      ? [...(rule.name ? [rule.name] : []), ...(rule.names ?? [])]
      : (usual[key] ?? [])
    const found = names.map((name) => attributes.get(name)).find((values) => values?.length)
    if (!found) return rule?.default
    return rule?.array ? found.slice(0, 100).map((value) => value.slice(0, 300)) : found[0]
  }
  const byName = nameIdFormat.endsWith(':emailAddress') ? nameId : undefined
  const address = valuesOf('email') ?? byName
  if (typeof address !== 'string') throw new AuthError('saml_assertion_no_email')
  const custom = Object.keys(keys).filter((key) => !ownNames.has(key))
  const claims = custom.map((key) => [key, valuesOf(key)] as const)
  return {
    provider: `sso:${provider.id}`,
    subject: nameId,
    email: { address, verified: true },
    metadata: {
      iss: provider.entityId,
      ...textsOf({
        full_name: valuesOf('full_name'),
        name: valuesOf('name') ?? valuesOf('full_name'),
        user_name: valuesOf('user_name'),
        avatar_url: valuesOf('avatar_url'),
      }),
      custom_claims: Object.fromEntries(claims.filter(([, value]) => value !== undefined)),
    },
    sso: true,
  }
}
