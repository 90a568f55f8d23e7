import { randomUUID } from 'node:crypto'
import { RefusedFetch, type SafeFetch } from '#kit/network/safe-fetch'
import type { Log } from '#kit/log'
import { AuthError, invalid } from '../errors.ts'
import { parseMetadata } from './saml-metadata.ts'
import type { AttributeMapping } from './saml-profile.ts'
import * as store from './sso-store.ts'
import { brokenUnique, type Db } from '../store.ts'
import type { AuthTenant } from '../tenant.ts'

/** What whoever sets up a provider gives. What is left out of a change stays. */
export type SsoInput = {
  resourceId?: string | undefined
  disabled?: boolean | undefined
  domains?: readonly string[] | undefined
  saml?: {
    metadataXml?: string | undefined
    metadataUrl?: string | undefined
    attributeMapping?: AttributeMapping | undefined
    nameIdFormat?: string | undefined
  }
  oidc?: { issuer: string; clientId: string; clientSecret?: string | undefined }
}

export const secretIdentity = (providerId: string) => `sso client secret ${providerId}`

/** A domain as it is compared: in lower case, without a dot at the end. */
export function normalizeDomain(text: string): string {
  const domain = text.trim().toLowerCase().replace(/\.$/, '')
  if (
    !/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/.test(
      domain,
    )
  ) {
    throw invalid(`${text.slice(0, 100)} is not a domain`)
  }
  return domain
}

type Deps = { now: () => Date; fetch: SafeFetch; log: Log }

/** The identity providers of a tenant: what its service key, or the platform for an organization, sets up. */
export function createSsoProviders({ now, fetch, log }: Deps) {
  /** The text of metadata, read from its address when only that is given. Do this before a transaction. */
  async function metadataOf(saml: NonNullable<SsoInput['saml']>): Promise<string | undefined> {
    if (saml.metadataXml !== undefined || !saml.metadataUrl) return saml.metadataXml
    const { metadataUrl } = saml
    try {
      const response = await fetch(metadataUrl)
      if (response.ok) return await response.text()
      log.warn({ status: response.status }, 'SAML metadata was not given out')
    } catch (error) {
      if (error instanceof RefusedFetch) {
        throw new AuthError('saml_metadata_fetch_failed', error.message)
      }
      log.warn({ err: error }, 'SAML metadata could not be read')
    }
    throw new AuthError('saml_metadata_fetch_failed')
  }

  /** Reads what has to be read from elsewhere, so that saving can be one transaction. */
  async function prepare(input: SsoInput): Promise<SsoInput> {
    if (!input.saml) return input
    const metadataXml = await metadataOf(input.saml)
    if (metadataXml !== undefined) await parseMetadata(metadataXml)
    return { ...input, saml: { ...input.saml, metadataXml } }
  }

  /**
   * Adds a provider (with no `id`) or changes one, from prepared input. 404 `sso_provider_not_found`, 422
   * `sso_domain_already_exists` when a domain belongs to another one.
   */
  async function save(
    tx: Db,
    tenant: AuthTenant,
    input: SsoInput,
    id?: string,
  ): Promise<store.SsoProviderRow> {
    const at = now()
    const known = id === undefined ? undefined : await store.ssoProviderById(tx, id)
    if (id !== undefined && !known) throw new AuthError('sso_provider_not_found')
    const own = id ?? randomUUID()
    const resourceId = input.resourceId ?? known?.resource_id ?? undefined
    const disabled = input.disabled ?? known?.disabled ?? false
    await store.saveSsoProvider(tx, { id: own, resourceId, disabled }, at)
    if (input.saml) await saveSaml(tx, own, known, input.saml, at)
    if (input.oidc) await saveOidc(tx, tenant, own, known, input.oidc, at)
    if (input.domains) {
      const domains = [...new Set(input.domains.map(normalizeDomain))]
      await store.saveDomains(tx, own, domains, at).catch(refuseTaken)
    }
    const saved = await store.ssoProviderById(tx, own)
    if (!saved) throw new AuthError('conflict')
    if (!saved.metadata_xml && !saved.issuer)
      throw invalid('metadata_url or metadata_xml is needed')
    return saved
  }

  async function saveSaml(
    tx: Db,
    id: string,
    known: store.SsoProviderRow | undefined,
    saml: NonNullable<SsoInput['saml']>,
    at: Date,
  ): Promise<void> {
    const metadataXml = saml.metadataXml ?? known?.metadata_xml ?? undefined
    if (metadataXml === undefined) throw invalid('metadata_url or metadata_xml is needed')
    const { entityId } = await parseMetadata(metadataXml)
    const mapping = saml.attributeMapping ?? known?.attribute_mapping
    await store.forgetKind(tx, id, 'oidc')
    const settings = {
      entityId,
      metadataXml,
      metadataUrl:
        saml.metadataUrl ?? (saml.metadataXml ? undefined : known?.metadata_url) ?? undefined,
      attributeMapping: typeof mapping === 'object' && mapping ? mapping : undefined,
      nameIdFormat: saml.nameIdFormat ?? known?.name_id_format ?? undefined,
    }
    await store.saveSaml(tx, id, settings, at)
  }

  async function saveOidc(
    tx: Db,
    tenant: AuthTenant,
    id: string,
    known: store.SsoProviderRow | undefined,
    { issuer, clientId, clientSecret }: NonNullable<SsoInput['oidc']>,
    at: Date,
  ): Promise<void> {
    // The secret was given for one issuer; another one must not get it.
    const kept = known?.issuer === issuer ? known.sealed_client_secret : undefined
    const sealed = clientSecret ? tenant.secrets.seal(clientSecret, secretIdentity(id)) : kept
    if (!sealed) throw invalid('client_secret is needed')
    await store.forgetKind(tx, id, 'saml')
    await store.saveOidc(tx, id, { issuer, clientId, sealedClientSecret: sealed }, at)
  }

  return {
    prepare,
    save,
    list: (db: Db) => store.listSsoProviders(db),
    get: (db: Db, id: string) => store.ssoProviderById(db, id),
    hasEntity: store.hasEntity,
    peopleOf: store.ssoPeople,
    remove: (db: Db, id: string) => store.deleteSsoProvider(db, id),
  }
}
export type SsoProviders = ReturnType<typeof createSsoProviders>

function refuseTaken(error: unknown): never {
  if (brokenUnique(error)?.includes('domain')) throw new AuthError('sso_domain_already_exists')
  throw error
}
