import type { ColumnType, Generated } from 'kysely'

/** Written by the database when not given. */
type Stamp = ColumnType<Date, Date | undefined, Date>

/** The tables of 0005_organizations.sql. */
export type OrganizationTables = {
  'platform.organizations': {
    opt_in_tags: Generated<string[]>
    requires_mfa: Generated<boolean>
  }
  'platform.oauth_apps': {
    id: Generated<string>
    organization_id: string
    client_id: Generated<string>
    client_secret_hash: string | null
    client_secret_alias: string | null
    name: string
    website: string
    icon: string | null
    redirect_uris: string[]
    scopes: string[]
    created_by: string | null
    created_at: Stamp
  }
  'platform.oauth_requests': {
    id: Generated<string>
    app_id: string
    redirect_uri: string
    state: string | null
    scopes: string[]
    code_challenge: string | null
    user_id: string | null
    answered_at: Date | null
    expires_at: Date
  }
  'platform.oauth_grants': {
    id: Generated<string>
    app_id: string
    organization_id: string
    user_id: string
    scopes: string[]
    authorized_at: Stamp
  }
  'platform.oauth_codes': {
    hash: string
    grant_id: string
    redirect_uri: string
    code_challenge: string | null
    scopes: string[]
    family: Generated<string>
    used_at: Date | null
    expires_at: Date
  }
  'platform.oauth_tokens': {
    id: Generated<string>
    hash: string
    kind: 'access' | 'refresh'
    grant_id: string
    family: string
    scopes: string[]
    used_at: Date | null
    expires_at: Date
  }
}
