import { one, type Db } from '../store.ts'

export type FlowState = {
  id: string
  user_id: string | null
  code_challenge: string
  code_challenge_method: 's256' | 'plain'
  auth_code_issued_at: Date | null
  authentication_method: string
  provider_type: string
  provider_access_token: string | null
  provider_refresh_token: string | null
}

/** Starts a PKCE flow of a user; an unfinished one of the same kind ends. */
export async function saveFlow(
  db: Db,
  flow: {
    userId: string
    method: string
    challenge: { value: string; method: 's256' | 'plain' }
    /** Stands in until the code is issued; nobody knows what it is the hash of. */
    codeHash: string
  },
  at: Date,
): Promise<void> {
  await db.query('delete from auth.flow_state where user_id = $1 and authentication_method = $2', [
    flow.userId,
    flow.method,
  ])
  await db.query(
    `insert into auth.flow_state
       (id, user_id, auth_code, code_challenge_method, code_challenge, provider_type, created_at, updated_at, authentication_method)
     values (gen_random_uuid(), $1, $2, $3::auth.code_challenge_method, $4, 'email', $5, $5, $6)`,
    [flow.userId, flow.codeHash, flow.challenge.method, flow.challenge.value, at, flow.method],
  )
}

/** Gives the flow of a user its code; false when there is no such flow. */
export async function issueCode(
  db: Db,
  flow: { userId: string; method: string; codeHash: string },
  at: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update auth.flow_state set auth_code = $3, auth_code_issued_at = $4, updated_at = $4
      where user_id = $1 and authentication_method = $2`,
    [flow.userId, flow.method, flow.codeHash, at],
  )
  return rowCount === 1
}

export function flowByCode(db: Db, codeHash: string): Promise<FlowState | undefined> {
  return one(
    db,
    `select id, user_id, code_challenge, code_challenge_method::text as code_challenge_method, auth_code_issued_at,
            authentication_method, provider_type, provider_access_token, provider_refresh_token
       from auth.flow_state where auth_code = $1 and auth_code_issued_at is not null for update`,
    [codeHash],
  )
}

export async function deleteFlow(db: Db, id: string): Promise<void> {
  await db.query('delete from auth.flow_state where id = $1', [id])
}
