import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inOrganization } from '../permissions.ts'
import { Instant, Slug } from '../values.ts'

/** What people get when they join by signing in. Owner is nothing that an identity provider can give. */
export const joinRoles = ['Administrator', 'Developer', 'Read-only'] as const
export type JoinRole = (typeof joinRoles)[number]

const domainPattern = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/
/** What `Domain` takes, for forms: the browser does not carry the schemas. */
export const isDomain = (text: string): boolean =>
  text.length <= 253 && domainPattern.test(text.trim().toLowerCase())

export const Domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, 'is too long')
  .regex(domainPattern, 'is not a domain')

const webAddress = z
  .string()
  .trim()
  .max(2048)
  .regex(/^https?:\/\/\S+$/, 'must start with https://')

const attribute = z.string().trim().max(300).optional()

export const SsoSaml = z.object({
  metadata_url: webAddress.optional(),
  metadata_xml: z
    .string()
    .max(512 * 1024, 'is larger than 512 KB')
    .optional(),
  /** Names of the attributes that hold these; the usual names unless told. */
  attributes: z
    .object({ email: attribute, full_name: attribute, user_name: attribute })
    .default({}),
})

export const SsoOidc = z.object({
  issuer: webAddress,
  client_id: z.string().trim().min(1).max(500),
  /** May be left out of a change that keeps the issuer. */
  client_secret: z.string().min(1).max(2000).optional(),
})

const settings = {
  enabled: z.boolean(),
  domains: z.array(Domain).min(1, 'name at least one domain').max(20, 'at most 20 domains'),
  join_role: z.enum(joinRoles),
  saml: SsoSaml.optional(),
  oidc: SsoOidc.optional(),
}

/** A domain counts once the organization has shown by a DNS record that it owns it. */
export const SsoDomain = z.object({
  domain: z.string(),
  verified_at: Instant.nullable(),
  record: z.object({ type: z.literal('TXT'), name: z.string(), value: z.string() }),
})
export type SsoDomain = z.infer<typeof SsoDomain>

export const SsoSettings = z.object({
  /** What the identity provider has to be told about us. */
  service: z.object({
    entity_id: z.string(),
    acs_url: z.string(),
    metadata_url: z.string(),
    redirect_uri: z.string(),
  }),
  /** Null: not set up. */
  provider: z
    .object({
      id: z.string(),
      enabled: z.boolean(),
      join_role: z.enum(joinRoles),
      saml: z
        .object({
          entity_id: z.string(),
          metadata_url: z.string().nullable(),
          attributes: z.object({ email: z.string(), full_name: z.string(), user_name: z.string() }),
        })
        .nullable(),
      oidc: z.object({ issuer: z.string(), client_id: z.string() }).nullable(),
      updated_at: Instant,
    })
    .nullable(),
  domains: z.array(SsoDomain),
})
export type SsoSettings = z.infer<typeof SsoSettings>

const BySlug = z.object({ slug: Slug })
const changes = inOrganization('write:Update', 'organizations.sso')

/** Single sign-on of an organization: its identity provider and its domains. */
export const sso = {
  get: endpoint('sso.get', 'GET /platform/organizations/:slug/sso', {
    needs: inOrganization('read:Read', 'organizations.sso'),
    input: BySlug,
    returns: SsoSettings,
  }),
  create: endpoint('sso.create', 'POST /platform/organizations/:slug/sso', {
    needs: changes,
    perMinute: 30,
    status: 201,
    input: BySlug.extend(settings),
    returns: SsoSettings,
  }),
  update: endpoint('sso.update', 'PUT /platform/organizations/:slug/sso', {
    needs: changes,
    perMinute: 30,
    input: BySlug.extend(settings),
    returns: SsoSettings,
  }),
  remove: endpoint('sso.remove', 'DELETE /platform/organizations/:slug/sso', {
    needs: changes,
    input: BySlug,
    returns: SsoSettings,
  }),
  verifyDomain: endpoint('sso.verifyDomain', 'POST /platform/organizations/:slug/sso/verify', {
    needs: changes,
    perMinute: 30,
    input: BySlug.extend({ domain: Domain }),
    returns: SsoSettings,
  }),
}
