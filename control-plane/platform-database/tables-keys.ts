import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { ApiKeyType } from '#contract/projects/api-keys'
import type { Jwks, ThirdPartyType } from '#contract/auth/third-party-auth'
import type { SigningAlgorithm, SigningKeyStatus } from '#contract/projects/signing-keys'

/** Written by the database when not given. */
type Stamp = ColumnType<Date, Date | undefined, Date>

export type KeyTables = {
  'platform.signing_keys': {
    id: Generated<string>
    project_id: string
    algorithm: SigningAlgorithm
    status: SigningKeyStatus
    is_legacy: Generated<boolean>
    kid: string | null
    public_jwk: JSONColumnType<Record<string, unknown>> | null
    sealed_jwk: string | null
    created_at: Stamp
    updated_at: Stamp
  }
  'platform.api_keys': {
    id: Generated<string>
    project_id: string
    type: ApiKeyType
    name: string
    description: string | null
    sha256: string
    sealed_key: string
    prefix: string
    last_used_at: Date | null
    inserted_at: Stamp
    updated_at: Stamp
  }
  'platform.third_party_auths': {
    id: Generated<string>
    project_id: string
    type: ThirdPartyType
    oidc_issuer_url: string | null
    jwks_url: string | null
    custom_jwks: JSONColumnType<Jwks> | null
    resolved_jwks: JSONColumnType<Jwks>
    resolved_at: Stamp
    inserted_at: Stamp
    updated_at: Stamp
  }
}
