import { one, type Db } from '../store.ts'

export type RelayState = {
  sso_provider_id: string
  request_id: string
  redirect_to: string
  browser_hash: string | null
  created_at: Date
  code_challenge: string | null
  code_challenge_method: 's256' | 'plain' | null
}

export type NewRelayState = {
  id: string
  providerId: string
  requestId: string
  redirectTo: string
  browserHash: string | undefined
  /** Of a PKCE client, with a code hash that stands in until there is a code. */
  flow:
    | { id: string; codeHash: string; challenge: { value: string; method: 's256' | 'plain' } }
    | undefined
}

export async function saveRelayState(db: Db, relay: NewRelayState, at: Date): Promise<void> {
  if (relay.flow) {
    const { id, codeHash, challenge } = relay.flow
    await db.query(
      `insert into auth.flow_state (id, auth_code, code_challenge_method, code_challenge, provider_type,
         created_at, updated_at, authentication_method)
       values ($1, $2, $3::auth.code_challenge_method, $4, 'saml', $5, $5, 'sso/saml')`,
      [id, codeHash, challenge.method, challenge.value, at],
    )
  }
  await db.query(
    `insert into auth.saml_relay_states
       (id, sso_provider_id, request_id, redirect_to, browser_hash, created_at, updated_at, flow_state_id)
     values ($1, $2, $3, $4, $5, $6, $6, $7)`,
    [
      relay.id,
      relay.providerId,
      relay.requestId,
      relay.redirectTo,
      relay.browserHash ?? null,
      at,
      relay.flow?.id ?? null,
    ],
  )
}

/** Takes a relay state and its flow away for good: an answer with it counts once. */
export async function takeRelayState(db: Db, id: string): Promise<RelayState | undefined> {
  const taken = await one<RelayState & { flow_state_id: string | null }>(
    db,
    `delete from auth.saml_relay_states r using auth.saml_relay_states same
       left join auth.flow_state f on f.id = same.flow_state_id
      where r.id = same.id and r.id = $1
      returning r.sso_provider_id, r.request_id, r.redirect_to, r.browser_hash, r.created_at,
        r.flow_state_id, f.code_challenge, f.code_challenge_method::text as code_challenge_method`,
    [id],
  )
  if (taken?.flow_state_id) {
    await db.query('delete from auth.flow_state where id = $1', [taken.flow_state_id])
  }
  return taken
}

export async function pruneRelayStates(db: Db, before: Date): Promise<void> {
  await db.query(
    `delete from auth.flow_state where id in
       (select flow_state_id from auth.saml_relay_states where created_at < $1)`,
    [before],
  )
  await db.query('delete from auth.saml_relay_states where created_at < $1', [before])
}
