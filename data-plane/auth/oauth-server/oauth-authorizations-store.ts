import { one, type Db } from '../store.ts'

export type AuthorizationRow = {
  id: string
  authorization_id: string
  client_id: string
  user_id: string | null
  redirect_uri: string
  scope: string
  state: string | null
  nonce: string | null
  code_challenge: string
  status: 'pending' | 'approved' | 'denied'
  session_id: string | null
  expires_at: Date
  approved_at: Date | null
  exchanged_at: Date | null
}

const columns = `id, authorization_id, client_id, user_id, redirect_uri, scope, state, nonce, code_challenge, status,
  session_id, expires_at, approved_at, exchanged_at`
const select = `select ${columns} from auth.oauth_authorizations `

export async function saveAuthorization(
  db: Db,
  row: Pick<
    AuthorizationRow,
    | 'authorization_id'
    | 'client_id'
    | 'redirect_uri'
    | 'scope'
    | 'state'
    | 'nonce'
    | 'code_challenge'
    | 'expires_at'
  >,
  at: Date,
): Promise<void> {
  // A day later nobody comes with an old code any more.
  await db.query(
    `delete from auth.oauth_authorizations where expires_at < $1::timestamptz - interval '1 day'`,
    [at],
  )
  await db.query(
    `insert into auth.oauth_authorizations
       (authorization_id, client_id, redirect_uri, scope, state, nonce, code_challenge, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.authorization_id,
      row.client_id,
      row.redirect_uri,
      row.scope,
      row.state,
      row.nonce,
      row.code_challenge,
      at,
      row.expires_at,
    ],
  )
}

export function lockAuthorization(db: Db, id: string): Promise<AuthorizationRow | undefined> {
  return one(db, select + 'where authorization_id = $1 for update', [id])
}

export function lockAuthorizationOfCode(
  db: Db,
  codeHash: string,
): Promise<AuthorizationRow | undefined> {
  return one(db, select + 'where authorization_code = $1 for update', [codeHash])
}

export async function claimAuthorization(db: Db, id: string, userId: string): Promise<void> {
  await db.query('update auth.oauth_authorizations set user_id = $2 where id = $1', [id, userId])
}

export async function approveAuthorization(
  db: Db,
  id: string,
  codeHash: string,
  at: Date,
): Promise<void> {
  await db.query(
    `update auth.oauth_authorizations set status = 'approved', authorization_code = $2, approved_at = $3 where id = $1`,
    [id, codeHash, at],
  )
}

export async function denyAuthorization(db: Db, id: string): Promise<void> {
  await db.query(`update auth.oauth_authorizations set status = 'denied' where id = $1`, [id])
}

export async function exchangeAuthorization(
  db: Db,
  id: string,
  sessionId: string,
  at: Date,
): Promise<void> {
  await db.query(
    'update auth.oauth_authorizations set session_id = $2, exchanged_at = $3 where id = $1',
    [id, sessionId, at],
  )
}

export type ConsentRow = {
  client_id: string
  scopes: string
  granted_at: Date
  client_name: string | null
  client_uri: string | null
  logo_uri: string | null
}

/** What a user lets apps do, newest first; of one app only when it is named. */
export async function consentsOf(db: Db, userId: string, clientId?: string): Promise<ConsentRow[]> {
  const { rows } = await db.query<ConsentRow>(
    `select o.client_id, o.scopes, o.granted_at, c.client_name, c.client_uri, c.logo_uri
       from auth.oauth_consents o join auth.oauth_clients c on c.id = o.client_id
      where o.user_id = $1 and o.revoked_at is null and ($2::uuid is null or o.client_id = $2)
      order by o.granted_at desc, o.client_id`,
    [userId, clientId ?? null],
  )
  return rows
}

export async function saveConsent(
  db: Db,
  consent: { userId: string; clientId: string; scopes: string },
  at: Date,
): Promise<void> {
  await db.query(
    `insert into auth.oauth_consents (user_id, client_id, scopes, granted_at) values ($1, $2, $3, $4)
     on conflict on constraint oauth_consents_user_client_key
     do update set scopes = excluded.scopes, granted_at = excluded.granted_at, revoked_at = null`,
    [consent.userId, consent.clientId, consent.scopes, at],
  )
}

/** Takes back what a user let an app do, ends its sessions and the codes on their way; false when there was nothing. */
export async function revokeConsent(
  db: Db,
  userId: string,
  clientId: string,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update auth.oauth_consents set revoked_at = $3 where user_id = $1 and client_id = $2 and revoked_at is null`,
    [userId, clientId, at],
  )
  await db.query('delete from auth.sessions where user_id = $1 and oauth_client_id = $2', [
    userId,
    clientId,
  ])
  await db.query('delete from auth.oauth_authorizations where user_id = $1 and client_id = $2', [
    userId,
    clientId,
  ])
  return rowCount === 1
}
