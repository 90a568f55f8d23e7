import { one, type Db } from '../store.ts'

export type SessionRow = {
  id: string
  user_id: string
  created_at: Date
  /** When its tokens were renewed last; null while they are the first ones. */
  refreshed_at: Date | null
  not_after: Date | null
  aal: string | null
  tag: string | null
  /** The app that the session belongs to, and what it may do, with spaces between; null for the user's own. */
  oauth_client_id: string | null
  scopes: string | null
  /** The user has a verified second factor, shown in this session or not. */
  guarded: boolean
}

const guarded = `exists (select from auth.mfa_factors f
  where f.user_id = sessions.user_id and f.status = 'verified') as guarded`
const columns = `sessions.id, sessions.user_id, sessions.created_at, sessions.refreshed_at,
  sessions.not_after, sessions.aal::text as aal, sessions.tag, sessions.oauth_client_id, sessions.scopes, ${guarded}`
const select = `select ${columns} from auth.sessions `

export type NewSession = {
  id: string
  userId: string
  method: string
  ip: string | null
  userAgent: string
}

/** Adds a session with its first claim of how the user proved who they are. */
export async function insertSession(db: Db, session: NewSession, at: Date): Promise<void> {
  await db.query(
    `with made as (
       insert into auth.sessions (id, user_id, aal, created_at, updated_at, ip, user_agent)
       values ($1, $2, 'aal1', $3, $3, $4, $5) returning id
     )
     insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
     select gen_random_uuid(), id, $6, $3, $3 from made`,
    [session.id, session.userId, at, session.ip, session.userAgent, session.method],
  )
}

/** Gives a session to an app; its tokens then say so. */
export async function bindSession(
  db: Db,
  id: string,
  app: { clientId: string; scopes: string },
): Promise<void> {
  await db.query('update auth.sessions set oauth_client_id = $2, scopes = $3 where id = $1', [
    id,
    app.clientId,
    app.scopes,
  ])
}

export function sessionById(db: Db, id: string): Promise<SessionRow | undefined> {
  return one(db, select + 'where id = $1', [id])
}

/** The session a refresh token belongs to, locked: requests with tokens of one session take turns. */
export function lockSessionOfToken(db: Db, tokenHash: string): Promise<SessionRow | undefined> {
  const where =
    'where id = (select session_id from auth.refresh_tokens where token = $1) for update'
  return one(db, select + where, [tokenHash])
}

/** Locks a session; undefined when it is gone. */
export function lockSession(db: Db, id: string): Promise<SessionRow | undefined> {
  return one(db, select + 'where id = $1 for update', [id])
}

/** The sessions of the same user that began later and have not ended. */
export async function peersOf(
  db: Db,
  session: Pick<SessionRow, 'id' | 'user_id'>,
  at: Date,
): Promise<Pick<SessionRow, 'tag'>[]> {
  // The times are compared in the database, which knows them to the microsecond.
  const { rows } = await db.query<Pick<SessionRow, 'tag'>>(
    `select peer.tag from auth.sessions peer join auth.sessions own on own.id = $1
      where peer.user_id = $2 and (peer.created_at, peer.id) > (own.created_at, own.id)
        and (peer.not_after is null or peer.not_after > $3)`,
    [session.id, session.user_id, at],
  )
  return rows
}

/** Ends a session at a moment; its rows stay, so that its tokens are still known. */
export async function endSession(db: Db, id: string, at: Date): Promise<void> {
  await db.query(
    `update auth.sessions set not_after = least(not_after, $2::timestamptz), updated_at = $2 where id = $1`,
    [id, at],
  )
}

export async function touchSession(
  db: Db,
  id: string,
  { ip, userAgent }: { ip: string | null; userAgent: string },
  at: Date,
): Promise<void> {
  await db.query(
    'update auth.sessions set refreshed_at = $2, updated_at = $2, ip = $3, user_agent = $4 where id = $1',
    [id, at, ip, userAgent],
  )
}

export type Amr = { method: string; timestamp: number }

/** How the user of a session proved who they are, latest first. */
export async function amrOf(db: Db, sessionId: string): Promise<Amr[]> {
  const { rows } = await db.query<{ authentication_method: string; updated_at: Date }>(
    `select authentication_method, updated_at from auth.mfa_amr_claims
      where session_id = $1 order by updated_at desc`,
    [sessionId],
  )
  return rows.map((row) => ({
    method: row.authentication_method,
    timestamp: Math.floor(row.updated_at.getTime() / 1000),
  }))
}

/** Ends sessions of a user with everything that hangs on them: all, one, or all but one. */
export async function deleteSessions(
  db: Db,
  userId: string,
  which: { all: true } | { only: string } | { except: string },
): Promise<string[]> {
  const single = 'only' in which ? which.only : null
  const except = 'except' in which ? which.except : null
  const { rows } = await db.query<{ id: string }>(
    `delete from auth.sessions where user_id = $1
        and ($2::uuid is null or id = $2) and ($3::uuid is null or id <> $3) returning id`,
    [userId, single, except],
  )
  return rows.map((row) => row.id)
}

/** Ends a session but keeps its rows, so that its tokens are still recognised as used. */
export async function closeSession(db: Db, id: string, at: Date): Promise<void> {
  await db.query('update auth.sessions set not_after = $2, updated_at = $2 where id = $1', [id, at])
  await db.query(
    `update auth.refresh_tokens set revoked = true, updated_at = $2
      where session_id = $1 and revoked is not true`,
    [id, at],
  )
}

/** A session that may be used: not ended, its user neither deleted nor banned; with the user's present address. */
export function liveSession(
  db: Db,
  id: string,
  at: Date,
): Promise<(SessionRow & { email: string | null }) | undefined> {
  return one(
    db,
    `select ${columns}, u.email from auth.sessions join auth.users u on u.id = sessions.user_id
      where sessions.id = $1 and (not_after is null or not_after > $2)
        and u.deleted_at is null and (u.banned_until is null or u.banned_until <= $2)`,
    [id, at],
  )
}

export type SessionListRow = {
  id: string
  created_at: Date
  refreshed_at: Date | null
  not_after: Date | null
  user_agent: string | null
  ip: string | null
  aal: string | null
}

/** The sessions of a user that have not ended, the one used last first. */
export async function sessionsOf(db: Db, userId: string, at: Date): Promise<SessionListRow[]> {
  const { rows } = await db.query<SessionListRow>(
    `select id, created_at, refreshed_at, not_after, user_agent, host(ip) as ip, aal::text as aal
       from auth.sessions where user_id = $1 and (not_after is null or not_after > $2)
      order by coalesce(refreshed_at, created_at) desc, id limit 200`,
    [userId, at],
  )
  return rows
}

/** Notes that a second factor was shown in a session. */
export async function raiseSession(
  db: Db,
  id: string,
  factorId: string,
  method: string,
  at: Date,
): Promise<void> {
  await db.query(
    `update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = $3 where id = $1`,
    [id, factorId, at],
  )
  await db.query(
    `insert into auth.mfa_amr_claims (id, session_id, authentication_method, created_at, updated_at)
     values (gen_random_uuid(), $1, $2, $3, $3)
     on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`,
    [id, method, at],
  )
}

/** Ends the other sessions of a user in which no second factor was shown. */
export async function deleteWeakerSessions(
  db: Db,
  userId: string,
  exceptId: string,
): Promise<void> {
  await db.query(
    `delete from auth.sessions where user_id = $1 and id <> $2 and coalesce(aal::text, 'aal1') = 'aal1'`,
    [userId, exceptId],
  )
}
