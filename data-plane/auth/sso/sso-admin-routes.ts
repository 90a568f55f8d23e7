import { z } from 'zod'
import { isUuid } from '#kit/ids'
import type { Auth } from '../auth.ts'
import { AuthError, invalid } from '../errors.ts'
import type { Call, Route } from '../http.ts'
import { parse } from '../requests.ts'
import { AttributeMapping } from './saml-profile.ts'
import { parseMetadata } from './saml-metadata.ts'
import type { SsoInput } from './sso-providers.ts'
import type { SsoProviderRow } from './sso-store.ts'
import { inTransaction } from '../store.ts'

const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .nullish()
    .transform((value) => value || undefined)

const Body = z.object({
  type: z.enum(['saml', 'oidc']).default('saml'),
  resource_id: text(200),
  disabled: z
    .boolean()
    .nullish()
    .transform((value) => value ?? undefined),
  domains: z.array(z.string().max(253)).max(100).optional(),
  metadata_url: text(2048),
  metadata_xml: text(512 * 1024),
  attribute_mapping: AttributeMapping.optional(),
  name_id_format: text(200),
  issuer: text(2048),
  client_id: text(500),
  client_secret: text(2000),
})

/** The identity providers of a tenant, for its service key. */
export function ssoAdminRoutes(auth: Auth): Route[] {
  const { access, ssoProviders } = auth

  async function save(call: Call, id?: string): Promise<unknown> {
    const { tenant } = call
    const input = await ssoProviders.prepare(inputOf(parse(Body, call.body)))
    const xml = input.saml?.metadataXml
    if (
      xml &&
      (await ssoProviders.hasEntity(tenant.pool, (await parseMetadata(xml)).entityId, id))
    ) {
      throw new AuthError('saml_idp_already_exists')
    }
    return inTransaction(tenant.pool, async (tx) =>
      shape(await ssoProviders.save(tx, tenant, input, id)),
    )
  }

  const known = async ({ tenant, params }: Call): Promise<SsoProviderRow> => {
    const id = params['idp'] ?? ''
    const row = isUuid(id) ? await ssoProviders.get(tenant.pool, id) : undefined
    if (!row) throw new AuthError('sso_provider_not_found')
    return row
  }

  const routes: Route[] = [
    {
      method: 'GET',
      url: '/admin/sso/providers',
      handler: async ({ tenant }) => ({ items: (await ssoProviders.list(tenant.pool)).map(shape) }),
    },
    {
      method: 'POST',
      url: '/admin/sso/providers',
      handler: async (call) => {
        const made = await save(call)
        return call.reply.status(201).send(made)
      },
    },
    {
      method: 'GET',
      url: '/admin/sso/providers/:idp',
      handler: async (call) => shape(await known(call)),
    },
    {
      method: 'PUT',
      url: '/admin/sso/providers/:idp',
      handler: async (call) => save(call, (await known(call)).id),
    },
    {
      method: 'DELETE',
      url: '/admin/sso/providers/:idp',
      handler: async (call) => {
        const row = await known(call)
        await inTransaction(call.tenant.pool, (tx) => ssoProviders.remove(tx, row.id))
        return shape(row)
      },
    },
  ]
  return routes.map(({ handler, ...route }) => ({
    ...route,
    handler: async (call) => {
      await access.admin(call.tenant, call.credentials)
      return handler(call)
    },
  }))
}

function inputOf(body: z.output<typeof Body>): SsoInput {
  const { resource_id: resourceId, disabled, domains } = body
  const common = { resourceId, disabled, domains }
  if (body.type === 'oidc') {
    const { issuer, client_id: clientId, client_secret: clientSecret } = body
    if (!issuer || !clientId) throw invalid('issuer and client_id are required')
    return { ...common, oidc: { issuer, clientId, clientSecret } }
  }
  const saml = {
    metadataUrl: body.metadata_url,
    metadataXml: body.metadata_xml,
    attributeMapping: body.attribute_mapping,
    nameIdFormat: body.name_id_format,
  }
  const given = Object.values(saml).some((value) => value !== undefined)
  return given ? { ...common, saml } : common
}

/** A provider in the public shape. */
function shape(row: SsoProviderRow) {
  return {
    id: row.id,
    ...(row.resource_id && { resource_id: row.resource_id }),
    disabled: row.disabled ?? false,
    ...(row.metadata_xml && {
      saml: {
        entity_id: row.entity_id,
        metadata_xml: row.metadata_xml,
        ...(row.metadata_url && { metadata_url: row.metadata_url }),
        attribute_mapping: row.attribute_mapping ?? { keys: {} },
        ...(row.name_id_format && { name_id_format: row.name_id_format }),
      },
    }),
    ...(row.issuer && { oidc: { issuer: row.issuer, client_id: row.client_id } }),
    domains: row.domains,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
