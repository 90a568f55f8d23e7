import { one, type Db } from '../store.ts'

/** A sign-in that is under way at a provider. */
export type ExternalFlow = {
  provider: string
  sso_provider_id: string | null
  redirect_to: string
  code_challenge: string | null
  code_challenge_method: 's256' | 'plain' | null
  linking_user_id: string | null
  browser_hash: string | null
  created_at: Date
}

export type NewExternalFlow = {
  stateHash: string
  provider: string
  ssoProviderId: string | undefined
  redirectTo: string
  challenge: { value: string; method: 's256' | 'plain' } | undefined
  /** Whose account the identity is to be added to; the flow ends with their session. */
  linking: { userId: string; sessionId: string } | undefined
  browserHash: string | undefined
}

export async function saveExternalFlow(db: Db, flow: NewExternalFlow, at: Date): Promise<void> {
  await db.query(
    `insert into auth.oauth_client_states
       (id, state_hash, provider_type, sso_provider_id, redirect_to, code_challenge, code_challenge_method,
        linking_user_id, linking_session_id, browser_hash, created_at)
     values (gen_random_uuid(), $1, $2, $3, $4, $5, $6::auth.code_challenge_method, $7, $8, $9, $10)`,
    [
      flow.stateHash,
      flow.provider,
      flow.ssoProviderId ?? null,
      flow.redirectTo,
      flow.challenge?.value ?? null,
      flow.challenge?.method ?? null,
      flow.linking?.userId ?? null,
      flow.linking?.sessionId ?? null,
      flow.browserHash ?? null,
      at,
    ],
  )
}

/** Takes a flow away for good: whoever comes second with the same state finds nothing. */
export function takeExternalFlow(db: Db, stateHash: string): Promise<ExternalFlow | undefined> {
  return one(
    db,
    `delete from auth.oauth_client_states where state_hash = $1
     returning provider_type as provider, sso_provider_id, redirect_to, code_challenge,
       code_challenge_method::text as code_challenge_method, linking_user_id, browser_hash, created_at`,
    [stateHash],
  )
}

export async function pruneExternalFlows(db: Db, before: Date): Promise<void> {
  await db.query('delete from auth.oauth_client_states where created_at < $1', [before])
}

export type IssuedFlow = {
  id: string
  userId: string
  codeHash: string
  challenge: { value: string; method: 's256' | 'plain' }
  method: string
  provider: string
  /** Sealed under the code itself. */
  accessToken: string | undefined
  refreshToken: string | undefined
}

/** A flow of the PKCE exchange that has its user and code already. */
export async function saveIssuedFlow(db: Db, flow: IssuedFlow, at: Date): Promise<void> {
  await db.query(
    `insert into auth.flow_state
       (id, user_id, auth_code, code_challenge_method, code_challenge, provider_type, provider_access_token,
        provider_refresh_token, created_at, updated_at, authentication_method, auth_code_issued_at)
     values ($1, $2, $3, $4::auth.code_challenge_method, $5, $6, $7, $8, $9, $9, $10, $9)`,
    [
      flow.id,
      flow.userId,
      flow.codeHash,
      flow.challenge.method,
      flow.challenge.value,
      flow.provider,
      flow.accessToken ?? null,
      flow.refreshToken ?? null,
      at,
      flow.method,
    ],
  )
}
