import { one, type Db } from '../store.ts'

/** An identity provider of an organization, with what its kind needs. */
export type SsoProviderRow = {
  id: string
  resource_id: string | null
  disabled: boolean | null
  created_at: Date
  updated_at: Date
  domains: { id: string; domain: string; created_at: string; updated_at: string }[]
  entity_id: string | null
  metadata_xml: string | null
  metadata_url: string | null
  attribute_mapping: unknown
  name_id_format: string | null
  issuer: string | null
  client_id: string | null
  sealed_client_secret: string | null
}

const select = `select p.id, p.resource_id, p.disabled, p.created_at, p.updated_at,
    coalesce((select jsonb_agg(jsonb_build_object('id', d.id, 'domain', d.domain,
        'created_at', d.created_at, 'updated_at', d.updated_at) order by d.domain)
      from auth.sso_domains d where d.sso_provider_id = p.id), '[]') as domains,
    s.entity_id, s.metadata_xml, s.metadata_url, s.attribute_mapping, s.name_id_format,
    o.issuer, o.client_id, o.sealed_client_secret
  from auth.sso_providers p
  left join auth.saml_providers s on s.sso_provider_id = p.id
  left join auth.sso_oidc_providers o on o.sso_provider_id = p.id `

export function ssoProviderById(db: Db, id: string): Promise<SsoProviderRow | undefined> {
  return one(db, select + 'where p.id = $1', [id])
}

export function ssoProviderByDomain(db: Db, domain: string): Promise<SsoProviderRow | undefined> {
  const where =
    'where p.id = (select sso_provider_id from auth.sso_domains where lower(domain) = $1)'
  return one(db, select + where, [domain])
}

export async function listSsoProviders(db: Db): Promise<SsoProviderRow[]> {
  const { rows } = await db.query<SsoProviderRow>(select + 'order by p.created_at, p.id')
  return rows
}

/** Whether another provider has this entity id. */
export async function hasEntity(db: Db, entityId: string, exceptId?: string): Promise<boolean> {
  const row = await one(
    db,
    'select 1 as has from auth.saml_providers where entity_id = $1 and ($2::uuid is null or sso_provider_id <> $2)',
    [entityId, exceptId ?? null],
  )
  return row !== undefined
}

/** Adds a provider, or changes what is known of it. */
export async function saveSsoProvider(
  db: Db,
  provider: { id: string; resourceId: string | undefined; disabled: boolean },
  at: Date,
): Promise<void> {
  await db.query(
    `insert into auth.sso_providers (id, resource_id, disabled, created_at, updated_at)
     values ($1, $2, $3, $4, $4)
     on conflict (id) do update set resource_id = excluded.resource_id,
       disabled = excluded.disabled, updated_at = excluded.updated_at`,
    [provider.id, provider.resourceId ?? null, provider.disabled, at],
  )
}

export type SamlSettings = {
  entityId: string
  metadataXml: string
  metadataUrl: string | undefined
  attributeMapping: object | undefined
  nameIdFormat: string | undefined
}

export async function saveSaml(db: Db, id: string, saml: SamlSettings, at: Date): Promise<void> {
  await db.query('delete from auth.saml_providers where sso_provider_id = $1', [id])
  await db.query(
    `insert into auth.saml_providers
       (id, sso_provider_id, entity_id, metadata_xml, metadata_url, attribute_mapping, name_id_format, created_at, updated_at)
     values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $7)`,
    [
      id,
      saml.entityId,
      saml.metadataXml,
      saml.metadataUrl ?? null,
      saml.attributeMapping ? JSON.stringify(saml.attributeMapping) : null,
      saml.nameIdFormat ?? null,
      at,
    ],
  )
}

export type OidcSettings = { issuer: string; clientId: string; sealedClientSecret: string }

export async function saveOidc(db: Db, id: string, oidc: OidcSettings, at: Date): Promise<void> {
  await db.query(
    `insert into auth.sso_oidc_providers
       (sso_provider_id, issuer, client_id, sealed_client_secret, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (sso_provider_id) do update set issuer = excluded.issuer,
       client_id = excluded.client_id, sealed_client_secret = excluded.sealed_client_secret,
       updated_at = excluded.updated_at`,
    [id, oidc.issuer, oidc.clientId, oidc.sealedClientSecret, at],
  )
}

/** What a provider is no longer: it is of one kind at a time. */
export async function forgetKind(db: Db, id: string, kind: 'saml' | 'oidc'): Promise<void> {
  if (kind === 'saml') {
    await db.query('delete from auth.saml_providers where sso_provider_id = $1', [id])
  } else {
    await db.query('delete from auth.sso_oidc_providers where sso_provider_id = $1', [id])
  }
}

/** Makes these the domains of a provider; a domain of another provider breaks `sso_domains_domain_idx`. */
export async function saveDomains(
  db: Db,
  id: string,
  domains: readonly string[],
  at: Date,
): Promise<void> {
  await db.query(
    'delete from auth.sso_domains where sso_provider_id = $1 and not domain = any ($2::text[])',
    [id, domains],
  )
  await db.query(
    `insert into auth.sso_domains (id, sso_provider_id, domain, created_at, updated_at)
     select gen_random_uuid(), $1, name, $3, $3 from unnest($2::text[]) as name
      where not exists (select from auth.sso_domains d where d.sso_provider_id = $1 and d.domain = name)`,
    [id, domains, at],
  )
}

/** The ids of the users who sign in through a provider. */
export async function ssoPeople(db: Db, id: string): Promise<string[]> {
  const { rows } = await db.query<{ user_id: string }>(
    `select user_id from auth.identities where provider = 'sso:' || $1::uuid::text`,
    [id],
  )
  return rows.map((row) => row.user_id)
}

/** Removes a provider; who signed in through it is signed out and cannot come back that way. */
export async function deleteSsoProvider(db: Db, id: string): Promise<boolean> {
  await db.query(
    `delete from auth.sessions where user_id in
       (select user_id from auth.identities where provider = 'sso:' || $1::uuid::text)`,
    [id],
  )
  await db.query(`delete from auth.identities where provider = 'sso:' || $1::uuid::text`, [id])
  const { rowCount } = await db.query('delete from auth.sso_providers where id = $1', [id])
  return rowCount === 1
}
