import { CompiledQuery } from 'kysely'
import type { Tx } from '#control-plane/platform-database/database'
import type { SsoGateway, SsoProvider } from '#control-plane/organizations/sso/gateway'
import type { Auth } from '#data-plane/auth/auth'
import { AuthError } from '#data-plane/auth/errors'
import { AttributeMapping } from '#data-plane/auth/sso/saml-profile'
import { addressesOf } from '#data-plane/auth/sso/saml-key'
import type { SsoProviderRow } from '#data-plane/auth/sso/sso-store'
import type { Db } from '#data-plane/auth/store'
import type { AuthTenant } from '#data-plane/auth/tenant'
import { ApiError } from '#kit/errors'

/**
 * Lets the control plane set up identity providers in the auth service of the platform's own people. Both live in one
 * database, so the change and what the control plane notes of it are one transaction.
 */
export function createSsoGateway(auth: Auth, tenant: AuthTenant): SsoGateway {
  const { ssoProviders } = auth
  const { entityId, acsUrl } = addressesOf(tenant)
  return {
    service: {
      entityId,
      acsUrl,
      metadataUrl: `${entityId}?download=true`,
      redirectUri: `${tenant.externalUrl}/callback`,
    },

    async prepare(input) {
      const { saml } = input
      if (!saml) return { input, metadataXml: undefined }
      const asked = { metadataUrl: saml.metadata_url, metadataXml: saml.metadata_xml }
      const { saml: read } = await ssoProviders.prepare({ saml: asked }).catch(refuse)
      return { input, metadataXml: read?.metadataXml }
    },

    async save(tx, { input, metadataXml }, domains, id) {
      const { enabled, saml, oidc } = input
      const settings = {
        disabled: !enabled,
        domains,
        ...(saml && {
          saml: {
            metadataXml,
            metadataUrl: saml.metadata_url,
            attributeMapping: mappingOf(saml.attributes),
          },
        }),
        ...(oidc && {
          oidc: {
            issuer: oidc.issuer,
            clientId: oidc.client_id,
            clientSecret: oidc.client_secret,
          },
        }),
      }
      const saved = await ssoProviders.save(within(tx), tenant, settings, id).catch(refuse)
      return saved.id
    },

    async setDomains(tx, id, domains) {
      await ssoProviders.save(within(tx), tenant, { domains }, id).catch(refuse)
    },

    async find(id) {
      const row = await ssoProviders.get(tenant.pool, id)
      return row && shape(row)
    },

    async remove(tx, id) {
      await ssoProviders.remove(within(tx), id)
    },

    peopleOf: (tx, id) => ssoProviders.peopleOf(within(tx), id),
  }
}

/** The control plane's transaction, as the auth service's stores speak to a database. */
function within(tx: Tx): Db {
  const query = async (text: string, values: unknown[] = []) => {
    const { rows, numAffectedRows } = await tx.executeQuery(CompiledQuery.raw(text, values))
    return { rows, rowCount: Number(numAffectedRows ?? rows.length) }
  }
  // The stores use this one form of the driver's many, and of its answer rows and their number.
  return { query } as unknown as Db
}

/** What is wrong with an input, in the words and codes of the platform's API. */
function refuse(error: unknown): never {
  if (!(error instanceof AuthError)) throw error
  if (error.code === 'sso_domain_already_exists') throw new ApiError('sso_domain_taken')
  if (error.status < 500) throw new ApiError('invalid_input', error.message)
  throw error
}

const attributeNames = ['email', 'full_name', 'user_name'] as const
type Names = Partial<Record<(typeof attributeNames)[number], string | undefined>>

function mappingOf(names: Names): AttributeMapping {
  const set = attributeNames.flatMap((key) => (names[key] ? [[key, { name: names[key] }]] : []))
  return AttributeMapping.parse({ keys: Object.fromEntries(set) })
}

function shape(row: SsoProviderRow): SsoProvider {
  const { keys } = AttributeMapping.parse(row.attribute_mapping ?? {})
  const name = (key: string) => keys[key]?.name ?? ''
  return {
    id: row.id,
    enabled: !row.disabled,
    saml:
      row.entity_id === null
        ? null
        : {
            entityId: row.entity_id,
            metadataUrl: row.metadata_url,
            attributes: {
              email: name('email'),
              full_name: name('full_name'),
              user_name: name('user_name'),
            },
          },
    oidc: row.issuer === null ? null : { issuer: row.issuer, clientId: row.client_id ?? '' },
    updatedAt: row.updated_at,
  }
}
