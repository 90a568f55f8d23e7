import type { Input } from '#contract/endpoint'
import type { JoinRole, sso as api, SsoSettings } from '#contract/organizations/sso'

/** The form: every field of both kinds, as the reader types it. */
export type SsoValues = {
  kind: 'saml' | 'oidc'
  source: 'url' | 'xml'
  metadataUrl: string
  metadataXml: string
  emailAttribute: string
  nameAttribute: string
  userNameAttribute: string
  issuer: string
  clientId: string
  clientSecret: string
  /** Separated by commas, blanks or lines. */
  domains: string
  joinRole: JoinRole
  enabled: boolean
}

export function valuesOf({ provider, domains }: SsoSettings): SsoValues {
  const { saml, oidc } = provider ?? {}
  return {
    kind: oidc ? 'oidc' : 'saml',
    source: saml && saml.metadata_url === null ? 'xml' : 'url',
    metadataUrl: saml?.metadata_url ?? '',
    metadataXml: '',
    emailAttribute: saml?.attributes.email ?? '',
    nameAttribute: saml?.attributes.full_name ?? '',
    userNameAttribute: saml?.attributes.user_name ?? '',
    issuer: oidc?.issuer ?? '',
    clientId: oidc?.client_id ?? '',
    clientSecret: '',
    domains: domains.map((row) => row.domain).join(', '),
    joinRole: provider?.join_role ?? 'Developer',
    enabled: provider?.enabled ?? true,
  }
}

export const domainsIn = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
]

const set = (text: string) => text.trim() || undefined

/** What the form says, as the endpoints take it. A secret or metadata that is left empty stays as it is. */
export function inputOf(slug: string, values: SsoValues): Input<typeof api.create> {
  const common = {
    slug,
    enabled: values.enabled,
    domains: domainsIn(values.domains),
    join_role: values.joinRole,
  }
  if (values.kind === 'oidc') {
    const { issuer, clientId, clientSecret } = values
    const oidc = { issuer: issuer.trim(), client_id: clientId.trim() }
    return { ...common, oidc: { ...oidc, client_secret: clientSecret || undefined } }
  }
  const { source, metadataUrl, metadataXml } = values
  return {
    ...common,
    saml: {
      metadata_url: source === 'url' ? set(metadataUrl) : undefined,
      metadata_xml: source === 'xml' ? set(metadataXml) : undefined,
      attributes: {
        email: set(values.emailAttribute),
        full_name: set(values.nameAttribute),
        user_name: set(values.userNameAttribute),
      },
    },
  }
}
