import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { redirectUriProblem } from '#contract/organizations/redirect-uri'
import type { AuthDeps } from '../deps.ts'
import { AuthError, invalid } from '../errors.ts'
import * as store from './oauth-clients-store.ts'
import type { AuthTenant, Caller } from '../tenant.ts'

const address = z
  .string()
  .max(2048)
  .refine(
    (text) => text === '' || (URL.canParse(text) && new URL(text).protocol === 'https:'),
    'must start with https://',
  )
  .nullish()

export const ClientBody = z.object({
  client_name: z.string().trim().min(1).max(200),
  client_uri: address,
  logo_uri: address,
  redirect_uris: z.array(z.string().max(2048)).min(1).max(20),
  grant_types: z
    .array(z.enum(['authorization_code', 'refresh_token']))
    .min(1)
    .nullish(),
  response_types: z.array(z.literal('code')).nullish(),
  scope: z.string().max(500).nullish(),
  token_endpoint_auth_method: z
    .enum(['none', 'client_secret_basic', 'client_secret_post'])
    .nullish(),
})
export const ClientChanges = ClientBody.partial()

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
const newSecret = () => randomBytes(32).toString('base64url')

/** Apps that sign people in with their account here. */
export function createOauthClients({ now, limits }: AuthDeps) {
  /** Adds a client. Its secret, where it has one, is in this answer and in no other. */
  async function add(
    { tenant }: Caller,
    body: z.output<typeof ClientBody>,
    registration: 'dynamic' | 'manual',
  ) {
    const method = body.token_endpoint_auth_method ?? 'client_secret_basic'
    const secret = method === 'none' ? undefined : newSecret()
    const row = await store.saveClient(
      tenant.pool,
      {
        ...partsOf(body),
        client_name: body.client_name,
        redirect_uris: checkedUris(body.redirect_uris),
        registration_type: registration,
        client_secret_hash: secret ? hashOf(secret) : null,
        client_type: secret ? 'confidential' : 'public',
        token_endpoint_auth_method: method,
      },
      now(),
    )
    return clientJson(found(row), secret)
  }

  /** An app that registers itself (RFC 7591). 403 where they may not. */
  async function register(caller: Caller, body: z.output<typeof ClientBody>) {
    await limits.perAddress(caller, 'signup')
    const { oauthServer } = caller.tenant.config
    if (!oauthServer) throw new AuthError('feature_disabled')
    if (!oauthServer.dynamicRegistration) {
      throw new AuthError('oauth_dynamic_client_registration_disabled')
    }
    return add(caller, body, 'dynamic')
  }

  async function change({ tenant }: Caller, id: string, body: z.output<typeof ClientChanges>) {
    const old = found(await store.clientById(tenant.pool, id))
    const method = body.token_endpoint_auth_method ?? old.token_endpoint_auth_method
    if ((method === 'none') !== (old.client_type === 'public')) {
      throw invalid('A client cannot change between public and confidential')
    }
    const values = {
      ...old,
      ...partsOf({ ...old, ...dropUndefined(body) }),
      client_name: body.client_name ?? old.client_name,
      redirect_uris: body.redirect_uris ? checkedUris(body.redirect_uris) : old.redirect_uris,
      token_endpoint_auth_method: method,
    }
    return clientJson(found(await store.saveClient(tenant.pool, values, now(), id)))
  }

  async function regenerate({ tenant }: Caller, id: string) {
    const old = found(await store.clientById(tenant.pool, id))
    if (old.client_type === 'public') throw invalid('A public client has no secret')
    const secret = newSecret()
    const values = { ...old, client_secret_hash: hashOf(secret) }
    return clientJson(found(await store.saveClient(tenant.pool, values, now(), id)), secret)
  }

  async function get(tenant: AuthTenant, id: string) {
    return clientJson(found(await store.clientById(tenant.pool, id)))
  }

  async function page(tenant: AuthTenant, asked: { page: number; perPage: number }) {
    const { clients, total } = await store.clientPage(tenant.pool, asked)
    return { clients: clients.map((row) => clientJson(row)), total }
  }

  /** Takes a client away, with every session that it has. */
  async function remove({ tenant }: Caller, id: string): Promise<void> {
    if (!(await store.deleteClient(tenant.pool, id))) throw new AuthError('oauth_client_not_found')
  }

  return { add, register, change, regenerate, get, page, remove }
}
export type OauthClients = ReturnType<typeof createOauthClients>

/** Whether this is the client's secret. */
export function knowsSecret(
  { client_secret_hash: hash }: store.OAuthClientRow,
  secret: string,
): boolean {
  const given = Buffer.from(hashOf(secret))
  return hash !== null && given.length === hash.length && timingSafeEqual(given, Buffer.from(hash))
}

function found(row: store.OAuthClientRow | undefined): store.OAuthClientRow {
  if (!row) throw new AuthError('oauth_client_not_found')
  return row
}

function checkedUris(uris: readonly string[]): string[] {
  for (const uri of uris) {
    const problem = redirectUriProblem(uri)
    if (problem) throw invalid(`redirect_uris: ${problem}`)
  }
  return [...new Set(uris)]
}

function partsOf(body: {
  client_uri?: string | null | undefined
  logo_uri?: string | null | undefined
  grant_types?: readonly string[] | null | undefined
}) {
  return {
    client_uri: body.client_uri || null,
    logo_uri: body.logo_uri || null,
    grant_types: [...(body.grant_types ?? ['authorization_code', 'refresh_token'])],
  }
}

function dropUndefined<T extends object>(values: T): T {
  // What is left out of an object is left out of its type only where it may be.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}

function clientJson(row: store.OAuthClientRow, secret?: string) {
  return {
    client_id: row.id,
    ...(secret && { client_secret: secret }),
    client_name: row.client_name ?? '',
    client_type: row.client_type,
    token_endpoint_auth_method: row.token_endpoint_auth_method,
    registration_type: row.registration_type,
    ...(row.client_uri && { client_uri: row.client_uri }),
    ...(row.logo_uri && { logo_uri: row.logo_uri }),
    redirect_uris: row.redirect_uris,
    grant_types: row.grant_types,
    response_types: ['code'],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
