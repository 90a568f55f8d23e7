import type { Parsed } from '#contract/endpoint'
import { planOfTier, type Tier } from '#contract/billing/plans'
import { hasFeature } from '#contract/billing/plan-comparison'
import { type sso as api, type SsoSettings } from '#contract/organizations/sso'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Log } from '#kit/log'
import type { RecordChange } from '../audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import { hasRecord, newDomainToken, shapeDomain, type ResolveTxt } from './domains.ts'
import type { SsoGateway, SsoProvider } from './gateway.ts'
import type { SsoStore } from './store.ts'

type Deps = {
  store: SsoStore
  gateway: SsoGateway
  record: RecordChange
  resolveTxt: ResolveTxt
  /** Domains that need no proof, by the word of whoever runs the platform. */
  trustedDomains: readonly string[]
  log: Log
}
type Change = Parsed<typeof api.create>

/** Single sign-on of organizations: the identity provider, the domains, and who they let in. */
export function createSso({ store, gateway, record, resolveTxt, trustedDomains, log }: Deps) {
  async function get(slug: string): Promise<SsoSettings> {
    const organizationId = await store.idOf(slug)
    if (!organizationId) throw new ApiError('organization_not_found')
    const row = await store.find(organizationId)
    const provider = row && (await gateway.find(row.provider_id))
    const { service } = gateway
    return {
      service: {
        entity_id: service.entityId,
        acs_url: service.acsUrl,
        metadata_url: service.metadataUrl,
        redirect_uri: service.redirectUri,
      },
      provider: row && provider ? { ...shape(provider), join_role: row.join_role } : null,
      domains: (await store.domains(organizationId)).map(shapeDomain),
    }
  }

  async function locked(tx: Tx, slug: string): Promise<{ id: string; tier: Tier }> {
    const organization = await store.lock(tx, slug)
    if (!organization) throw new ApiError('organization_not_found')
    return organization
  }

  /** Whoever decides who signs in as an owner decides over everything, so only an owner does. */
  async function guardOwners(tx: Tx, caller: Caller, id: string, providerId: string) {
    const [own] = await store.rolesOf(tx, id, [caller.userId])
    if (own === 'Owner') return
    const roles = await store.rolesOf(tx, id, await gateway.peopleOf(tx, providerId))
    if (roles.includes('Owner')) throw new ApiError('not_allowed', ownersOnly)
  }

  /** Names these domains, forgets the others; returns those that count. */
  async function setDomains(tx: Tx, id: string, domains: readonly string[]): Promise<string[]> {
    await store.dropDomains(tx, id, domains)
    for (const domain of domains) {
      await store.addDomain(tx, id, domain, newDomainToken())
      const trusted = trustedDomains.includes(domain) && !(await store.isOwned(tx, domain))
      if (trusted) await store.verifyDomain(tx, id, domain)
    }
    return verifiedOf(tx, id)
  }

  const verifiedOf = async (tx: Tx, id: string): Promise<string[]> =>
    (await store.domains(id, tx)).filter((row) => row.verified_at).map((row) => row.domain)

  async function save(
    caller: Caller,
    { slug, ...input }: Change,
    origin: Origin,
    kind: 'create' | 'update',
  ): Promise<SsoSettings> {
    if (Boolean(input.saml) === Boolean(input.oidc)) {
      throw new ApiError('invalid_input', 'Give either saml or oidc')
    }
    const { enabled, saml, oidc } = input
    // What the address of the metadata gives out is read before anything is locked.
    const prepared = await gateway.prepare({ enabled, saml, oidc })
    await store.transaction(async (tx) => {
      const { id, tier } = await locked(tx, slug)
      if (!hasFeature(planOfTier[tier], 'security.sso'))
        throw new ApiError('plan_limit', planNeeded)
      const known = await store.find(id, tx)
      if (kind === 'create' && known) throw new ApiError('sso_exists')
      if (kind === 'update' && !known) throw new ApiError('sso_not_found')
      if (known) await guardOwners(tx, caller, id, known.provider_id)
      const domains = [...new Set(input.domains)]
      const verified = await setDomains(tx, id, domains)
      const providerId = await gateway.save(tx, prepared, verified, known?.provider_id)
      await store.save(tx, id, providerId, input.join_role)
      await record(tx, {
        organizationId: id,
        actor: caller,
        action: `sso.${kind}`,
        target: `organization:${slug}`,
        change: {
          after: {
            kind: saml ? 'saml' : 'oidc',
            enabled,
            domains,
            join_role: input.join_role,
            ...(saml && { metadata_url: saml.metadata_url ?? null }),
            ...(oidc && { issuer: oidc.issuer, client_id: oidc.client_id }),
          },
        },
        origin,
      })
    })
    return get(slug)
  }

  return {
    get,
    create: (caller: Caller, input: Change, origin: Origin) =>
      save(caller, input, origin, 'create'),
    update: (caller: Caller, input: Change, origin: Origin) =>
      save(caller, input, origin, 'update'),

    async remove(caller: Caller, slug: string, origin: Origin): Promise<SsoSettings> {
      await store.transaction(async (tx) => {
        const { id } = await locked(tx, slug)
        const known = await store.find(id, tx)
        if (!known) throw new ApiError('sso_not_found')
        await guardOwners(tx, caller, id, known.provider_id)
        await gateway.remove(tx, known.provider_id)
        await store.remove(tx, id)
        await record(tx, {
          organizationId: id,
          actor: caller,
          action: 'sso.remove',
          target: `organization:${slug}`,
          change: { before: { provider: known.provider_id } },
          origin,
        })
      })
      return get(slug)
    },

    /** Looks for the DNS record of a domain. 409 sso_record_missing, sso_domain_taken. */
    async verifyDomain(
      caller: Caller,
      slug: string,
      domain: string,
      origin: Origin,
    ): Promise<SsoSettings> {
      const organizationId = await store.idOf(slug)
      const rows = organizationId ? await store.domains(organizationId) : []
      const row = rows.find((candidate) => candidate.domain === domain)
      if (!row) throw new ApiError('not_found', 'This domain does not belong to the organization')
      const found = await hasRecord(resolveTxt, row).catch((error: unknown) => {
        log.warn({ err: error, domain }, 'a domain could not be looked up')
        throw new ApiError('service_unavailable', 'The name servers are not responding. Try again')
      })
      if (!found) throw new ApiError('sso_record_missing')
      await store.transaction(async (tx) => {
        const { id } = await locked(tx, slug)
        const now = (await store.domains(id, tx)).find((one) => one.domain === domain)
        // Named anew in the meantime: what was found was for the name before.
        if (!now || now.token !== row.token) throw new ApiError('conflict')
        if (now.verified_at) return
        if (await store.isOwned(tx, domain)) throw new ApiError('sso_domain_taken')
        await store.verifyDomain(tx, id, domain).catch(refuseTaken)
        const known = await store.find(id, tx)
        if (known) await gateway.setDomains(tx, known.provider_id, await verifiedOf(tx, id))
        await record(tx, {
          organizationId: id,
          actor: caller,
          action: 'sso.verifyDomain',
          target: `domain:${domain}`,
          change: { after: { domain } },
          origin,
        })
      })
      return get(slug)
    },

    /** With the end of an organization, in its transaction: nobody signs in through it any more. */
    async forget(tx: Tx, organizationId: string): Promise<void> {
      const known = await store.find(organizationId, tx)
      if (known) await gateway.remove(tx, known.provider_id)
    },
  }
}
export type Sso = ReturnType<typeof createSso>

const ownersOnly = 'An owner signs in through this provider, so only an owner may change it'
const planNeeded = 'Single sign-on comes with the Team and Enterprise plans'

function shape({ id, enabled, saml, oidc, updatedAt }: SsoProvider) {
  return {
    id,
    enabled,
    saml: saml && {
      entity_id: saml.entityId,
      metadata_url: saml.metadataUrl,
      attributes: saml.attributes,
    },
    oidc: oidc && { issuer: oidc.issuer, client_id: oidc.clientId },
    updated_at: updatedAt.toISOString(),
  }
}

/** Two organizations at the same moment: the index lets one through. */
function refuseTaken(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === '23505') {
    throw new ApiError('sso_domain_taken')
  }
  throw error
}
