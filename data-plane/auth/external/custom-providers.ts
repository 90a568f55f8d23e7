import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { RefusedFetch } from '#kit/network/safe-fetch'
import type { AuthDeps } from '../deps.ts'
import { AuthError, invalid } from '../errors.ts'
import * as store from './custom-providers-store.ts'
import type { CustomProviderRow } from './custom-providers-store.ts'
import type { ExternalProvider } from './external-providers.ts'
import { signerOf } from './id-token-keys.ts'
import { brokenUnique } from '../store.ts'
import { sealedFor, type AuthTenant, type Caller } from '../tenant.ts'

export const customPrefix = 'custom:'
const maxProviders = 50

const address = z
  .string()
  .max(2048)
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'must be an address',
  )
const texts = z.array(z.string().min(1).max(300)).max(50)
const path = z.string().regex(/^[\w.-]{1,200}$/)

/** What a claim of ours is read from; each is the path of a value in what the provider says. */
const mapped = ['sub', 'email', 'email_verified', 'name', 'picture', 'preferred_username'] as const

export const ProviderBody = z.object({
  provider_type: z.enum(['oauth2', 'oidc']),
  identifier: z.string().regex(/^(custom:)?[a-z0-9][a-z0-9_-]{0,49}$/),
  name: z.string().trim().min(1).max(200),
  client_id: z.string().min(1).max(500),
  client_secret: z.string().min(1).max(5000),
  acceptable_client_ids: texts.optional(),
  scopes: texts.optional(),
  pkce_enabled: z.boolean().optional(),
  attribute_mapping: z.partialRecord(z.enum(mapped), path).optional(),
  authorization_params: z
    .record(z.string().regex(/^[\w.-]{1,50}$/), z.string().max(500))
    .optional(),
  enabled: z.boolean().optional(),
  issuer: address.optional(),
  skip_nonce_check: z.boolean().optional(),
  authorization_url: address.optional(),
  token_url: address.optional(),
  userinfo_url: address.optional(),
})
export const ProviderChanges = ProviderBody.omit({
  provider_type: true,
  identifier: true,
}).partial()

const sealedAs = (tenantId: string, id: string) => `custom provider:${tenantId}:${id}`

/** Places to sign in that a tenant adds by itself, by OpenID Connect or OAuth 2. */
export function createCustomProviders({ now, fetch, log }: AuthDeps) {
  async function add({ tenant }: Caller, body: z.output<typeof ProviderBody>) {
    const known = await store.customProviders(tenant.pool)
    if (known.length >= maxProviders) throw invalid('There cannot be more providers')
    const id = randomUUID()
    const { client_secret: secret, identifier, ...values } = body
    const row: CustomProviderRow = {
      ...empty,
      ...given(values),
      provider_type: values.provider_type,
      name: values.name,
      client_id: values.client_id,
      id,
      identifier: identifier.startsWith(customPrefix) ? identifier : customPrefix + identifier,
      sealed_client_secret: tenant.secrets.seal(secret, sealedAs(sealedFor(tenant), id)),
      created_at: now(),
      updated_at: now(),
    }
    return save(tenant, row)
  }

  async function change(
    { tenant }: Caller,
    identifier: string,
    body: z.output<typeof ProviderChanges>,
  ) {
    const old = await find(tenant, identifier)
    const { client_secret: secret, ...values } = body
    const sealed = secret && {
      sealed_client_secret: tenant.secrets.seal(secret, sealedAs(sealedFor(tenant), old.id)),
    }
    return save(tenant, { ...old, ...given(values), ...sealed, updated_at: now() })
  }

  async function save(tenant: AuthTenant, row: CustomProviderRow) {
    await check(row)
    await store.saveCustomProvider(tenant.pool, row).catch((error: unknown) => {
      if (brokenUnique(error) === undefined) throw error
      throw new AuthError('conflict', 'A provider with this identifier already exists')
    })
    return providerJson(row)
  }

  /** What each type needs; a provider of OpenID Connect has to be there, under the name that it says it has. */
  async function check(row: CustomProviderRow): Promise<void> {
    if (row.provider_type === 'oauth2') {
      if (!row.authorization_url || !row.token_url || !row.userinfo_url) {
        throw invalid('authorization_url, token_url and userinfo_url are required')
      }
      return
    }
    if (!row.issuer) throw invalid('issuer is required')
    if (Object.keys(row.attribute_mapping).length > 0) {
      throw invalid('attribute_mapping is for providers of the type oauth2')
    }
    const provider = { ...oidcOf(row, ''), label: row.name }
    await signerOf(provider, fetch).catch((error: unknown) => {
      if (error instanceof RefusedFetch) throw invalid(`issuer: ${error.message}`)
      log.warn({ err: error }, 'custom provider is not reachable')
      throw invalid('issuer: nothing at this address describes a provider of this name')
    })
  }

  async function find(tenant: AuthTenant, identifier: string): Promise<CustomProviderRow> {
    const row = await store.customProviderBy(tenant.pool, identifier)
    if (!row) throw new AuthError('custom_provider_not_found')
    return row
  }

  const get = async (tenant: AuthTenant, identifier: string) =>
    providerJson(await find(tenant, identifier))

  const list = async (tenant: AuthTenant, type: 'oauth2' | 'oidc' | undefined) =>
    (await store.customProviders(tenant.pool, type)).map(providerJson)

  async function remove({ tenant }: Caller, identifier: string): Promise<void> {
    if (!(await store.deleteCustomProvider(tenant.pool, identifier))) {
      throw new AuthError('custom_provider_not_found')
    }
  }

  return { add, change, get, list, remove }
}
export type CustomProviders = ReturnType<typeof createCustomProviders>

/** What was said; the rest stays as it is. */
const given = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

const empty = {
  acceptable_client_ids: [],
  scopes: [],
  pkce_enabled: true,
  attribute_mapping: {},
  authorization_params: {},
  enabled: true,
  issuer: null,
  skip_nonce_check: false,
  authorization_url: null,
  token_url: null,
  userinfo_url: null,
}

/** Objects live as long as their row stays as it is: what was discovered of a provider is remembered by them. */
const made = new WeakMap<AuthTenant, Map<string, { at: number; provider: ExternalProvider }>>()

/** A custom provider as one to sign in with; undefined when there is none of this name, or it is off. */
export async function customProvider(
  tenant: AuthTenant,
  identifier: string,
): Promise<ExternalProvider | undefined> {
  const row = await store.customProviderBy(tenant.pool, identifier)
  if (!row?.enabled) return undefined
  const known = made.get(tenant) ?? new Map<string, { at: number; provider: ExternalProvider }>()
  made.set(tenant, known)
  const at = row.updated_at.getTime()
  const found = known.get(row.id)
  if (found?.at === at) return found.provider
  const secret = tenant.secrets.open(row.sealed_client_secret, sealedAs(sealedFor(tenant), row.id))
  const provider = row.provider_type === 'oidc' ? oidcOf(row, secret) : oauthOf(row, secret)
  known.set(row.id, { at, provider })
  return provider
}

const partsOf = (row: CustomProviderRow, clientSecret: string) => ({
  guarded: true,
  name: row.identifier,
  label: row.name,
  clientId: row.client_id,
  clientSecret,
})

function oidcOf(row: CustomProviderRow, clientSecret: string) {
  return {
    ...partsOf(row, clientSecret),
    kind: 'oidc' as const,
    issuer: row.issuer ?? '',
    scopes: row.scopes.length > 0 ? row.scopes : ['openid', 'email', 'profile'],
    clientIds: row.acceptable_client_ids,
    skipNonce: row.skip_nonce_check,
    ways: {
      parameters: row.authorization_params,
      ...(!row.pkce_enabled && { noPkce: true as const }),
      ...(row.skip_nonce_check && { noNonce: true as const }),
    },
  }
}

function oauthOf(row: CustomProviderRow, clientSecret: string): ExternalProvider {
  const map = row.attribute_mapping
  return {
    ...partsOf(row, clientSecret),
    kind: 'oauth',
    spec: {
      authorize: row.authorization_url ?? '',
      token: row.token_url ?? '',
      user: row.userinfo_url ?? '',
      scopes: row.scopes,
      parameters: row.authorization_params,
      ...(row.pkce_enabled && { pkce: true }),
      profile: {
        subject: map['sub'] ?? 'sub',
        email: map['email'] ?? 'email',
        verified: map['email_verified'] ?? 'email_verified',
        name: [`{${map['name'] ?? 'name'}}`],
        userName: map['preferred_username'] ?? 'preferred_username',
        picture: [`{${map['picture'] ?? 'picture'}}`],
      },
    },
  }
}

/** Without the secret, which never comes back. */
function providerJson(row: CustomProviderRow) {
  const shown = Object.entries(row).filter(
    ([name, value]) => name !== 'sealed_client_secret' && value !== null,
  )
  return {
    ...Object.fromEntries(shown),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
