import type { AuthConfig, SessionPolicy } from '../config.ts'
import { AuthError } from '../errors.ts'
import { peersOf, type SessionRow } from './sessions-store.ts'
import type { Db } from '../store.ts'

const hourMs = 60 * 60 * 1000

/** Why a session may not go on, as the refusal that its client gets; undefined when it may. */
export async function refusalOfSession(
  db: Db,
  { sessionPolicy: policy }: AuthConfig,
  session: SessionRow,
  at: Date,
): Promise<AuthError | undefined> {
  const { timeboxHours, inactivityHours, singlePerUser } = policy
  const since = (time: Date) => at.getTime() - time.getTime()
  if (session.not_after && session.not_after <= at) return new AuthError('session_expired')
  if (timeboxHours > 0 && since(session.created_at) >= timeboxHours * hourMs) {
    return new AuthError('session_expired')
  }
  const used = session.refreshed_at ?? session.created_at
  if (inactivityHours > 0 && since(used) >= inactivityHours * hourMs) {
    return new AuthError('session_expired', 'Invalid Refresh Token: Session Expired (Inactivity)')
  }
  if (singlePerUser && (await hasNewerPeer(db, policy, session, at))) {
    return new AuthError('session_expired', replaced)
  }
  return undefined
}

const replaced = 'Invalid Refresh Token: Session Expired (Revoked by Newer Login)'

async function hasNewerPeer(
  db: Db,
  { tags }: SessionPolicy,
  session: SessionRow,
  at: Date,
): Promise<boolean> {
  const own = tagOf(session, tags)
  const newer = await peersOf(db, session, at)
  return newer.some((peer) => tagOf(peer, tags) === own)
}

const tagOf = ({ tag }: Pick<SessionRow, 'tag'>, tags: readonly string[]): string =>
  tag !== null && tags.includes(tag) ? tag : (tags[0] ?? '')
