import { one, type Db } from '../store.ts'

export type RefreshTokenRow = {
  id: string
  /** SHA-256 of the token. */
  token: string
  revoked: boolean | null
  updated_at: Date
}

const select = 'select id, token, revoked, updated_at from auth.refresh_tokens '

export type NewRefreshToken = {
  hash: string
  parentHash: string | null
  userId: string
  sessionId: string
}

export async function insertRefreshToken(db: Db, token: NewRefreshToken, at: Date): Promise<void> {
  await db.query(
    `insert into auth.refresh_tokens (token, parent, user_id, session_id, revoked, created_at, updated_at)
     values ($1, $2, $3, $4, false, $5, $5)`,
    [token.hash, token.parentHash, token.userId, token.sessionId, at],
  )
}

export function refreshTokenByHash(db: Db, hash: string): Promise<RefreshTokenRow | undefined> {
  return one(db, select + 'where token = $1', [hash])
}

/** The one token of a session that was not used yet. */
export function activeRefreshToken(
  db: Db,
  sessionId: string,
): Promise<RefreshTokenRow | undefined> {
  const where = 'where session_id = $1 and revoked is not true order by id desc limit 1'
  return one(db, select + where, [sessionId])
}

export async function revokeTokensOf(db: Db, sessionId: string, at: Date): Promise<void> {
  await db.query(
    `update auth.refresh_tokens set revoked = true, updated_at = $2
      where session_id = $1 and revoked is not true`,
    [sessionId, at],
  )
}

export async function revokeRefreshToken(db: Db, id: string, at: Date): Promise<void> {
  await db.query('update auth.refresh_tokens set revoked = true, updated_at = $2 where id = $1', [
    id,
    at,
  ])
}
